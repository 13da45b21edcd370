"""What a phone recorded without network, on its way to the server; and what it learns from there.

A log in the phone is that of the server, as far as it was `confirmed`, and behind it what is unsent. Each
delivery carries unsent events of one match with the keys of their forms, so that none is written twice however
often it is sent. Where others wrote meanwhile their events come before the unsent ones (`laying`), and what
does not fit them is set aside (`apart`). Nothing is let go of before the server has it, or a person says so.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from companion.matches.match import open_stored
from companion.record.log import Event
from companion.store import Grant, SavedRuling, StoredMatch
from companion.store.memory import HeldMatch, MemoryStore

from .apart import open_groups, read_collisions, set_aside, show_collisions
from .laying import KeyedEvent, Laid, Why, lay

MOST_EVENTS, MOST_BYTES = 300, 200_000
"""What one delivery carries at most: events, and bytes of JSON; but for one event, however long it is."""
RULINGS = "rulings"
"""What stands in the place of a match's id where saved rulings are delivered."""


class OtherIdentity(Exception):
    """The server knows this browser as another one than whose matches these are."""


class Delivery:
    """Brings a store to the server and keeps it as the server has it, for the browser whose mark is `me`.

    `version` is that of this app, `server_version` that of the server as far as it is known: while it is
    another one nothing is delivered and no news are taken.
    """

    def __init__(
        self,
        store: MemoryStore,
        version: str = "",
        me: str = "",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._tables, self._now = store.tables, now
        self.version, self.me, self.server_version = version, me, ""
        self._sent: dict[str, list[str]] = {}
        self._most: dict[str, int] = {}
        self._waits_for_news: set[str] = set()

    # --- what there is -------------------------------------------------------------------------------

    @property
    def is_outdated(self) -> bool:
        """Whether the server is of another version, so that this app has to be fetched anew first."""
        return self.server_version not in ("", self.version)

    @property
    def needs_news(self) -> bool:
        """Whether something was written meanwhile that the phone has to know before it can deliver more."""
        return bool(self._waits_for_news)

    def unsent(self) -> int:
        """How much is not yet at the server: events, new matches that have none, and saved rulings."""
        matches = (max(len(row.events) - row.confirmed, not row.is_known) for row in self._rows())
        return sum(matches) + len(self._tables.unsent_rulings)

    def aside(self) -> int:
        """How much somebody has to decide."""
        return sum(len(list(open_groups(read_collisions(row.aside)))) for row in self._tables.matches.values())

    def have(self) -> dict[str, list[int]]:
        """What the phone has of the server's matches: how long their logs are, and the number of their access."""
        return {
            id: [row.confirmed, -1 if row.deleted_at else row.access]
            for id, row in self._tables.matches.items()
            if row.is_known
        }

    def _rows(self) -> Iterable[HeldMatch]:
        return (row for row in self._tables.matches.values() if row.deleted_at is None)

    # --- to the server -------------------------------------------------------------------------------

    def next(self) -> dict[str, Any] | None:
        """The next delivery: the `id` of the match and the `body` of the request; None without any.

        Saved rulings go first, for events name them, then new matches, then what was written first. The id is
        "rulings" where it is those that are delivered.
        """
        if self.is_outdated:
            return None
        if self._tables.unsent_rulings:
            ids = list(self._tables.unsent_rulings)[:MOST_EVENTS]
            rulings = [self._tables.rulings[id] for id in ids]
            shown = [{"id": one.id, "at": one.at, "content": one.content} for one in rulings]
            shown = _cut(shown, MOST_BYTES)
            self._sent[RULINGS] = ids[: len(shown)]
            return {"id": RULINGS, "body": {"version": self.version, "rulings": shown}}
        waiting = [
            (row.is_known, row.created_at if not row.is_known else row.events[row.confirmed].at, id)
            for id, row in self._tables.matches.items()
            if row.deleted_at is None
            and id not in self._waits_for_news
            and (not row.is_known or len(row.events) > row.confirmed)
        ]
        if not waiting:
            return None
        id = min(waiting)[2]
        row = self._tables.matches[id]
        unsent = _unsent(row)[: self._most.get(id, MOST_EVENTS)]
        shown = _cut([_show(one) for one in unsent], MOST_BYTES)
        self._sent[id] = [one["key"] for one in shown]
        start = None if row.is_known else {"head": dict(row.head), "at": row.created_at}
        body = {"version": self.version, "start": start, "expected": row.confirmed, "events": shown}
        return {"id": id, "body": body}

    def take_answer(self, id: str, status: int, answer: Mapping[str, Any] | None) -> bool:
        """Take the server's answer to the last delivery of this match, or status 0 where there was none.

        Whether the next delivery is worth sending now.
        """
        sent, answer = self._sent.pop(id, []), answer or {}
        if status == 426:
            self.server_version = str(answer.get("version", "")) or "unknown"
            return False
        if id == RULINGS:
            return self._take_answer_to_rulings(status, sent)
        row = self._tables.matches.get(id)
        if row is None or status not in (200, 403, 404, 409, 410, 413, 422):
            return False
        if status in (404, 410):
            self._let_go(id, row)
            return True
        if status == 413 and len(sent) > 1:
            self._most[id] = len(sent) // 2
            return True
        taken = sent[: int(answer.get("taken", 0))]
        if status == 403 and "taken" not in answer:
            return False  # it was refused before anybody looked at it
        return self._take(id, row, status, sent, taken, answer)
