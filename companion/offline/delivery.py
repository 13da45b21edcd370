"""Delivery of what a phone recorded without a network to the server, and of the server's news to the phone.

A log in the phone is the server's, as far as it is `confirmed`, followed by what is unsent. Each delivery
carries unsent events of one match with the keys of their forms, so that none is written twice however often
it is sent. If others wrote meanwhile, their events come before the unsent ones (`rebase`), and those that do
not fit are in conflict (`conflicts`). Nothing is dropped before the server has it, or a person decides so.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from companion.matches.match import open_stored
from companion.record.log import Event
from companion.record.portable_log import PortableLog, write_log
from companion.record.record import write_record
from companion.store import Grant, SavedRuling, StoredMatch
from companion.store.memory import HeldMatch, MemoryStore

from .conflicts import open_groups, read_conflicts
from .log import PhoneLogs, count_unsent, count_unsent_events, find_imported_end
from .rebase import ConflictReason

MAX_EVENTS, MAX_BYTES = 100, 200_000
"""The most events and bytes of JSON in one delivery.

So many events are an evening's, and others are served in between; a single event may be of any length.
"""
RULINGS, NEWS = "rulings", "news"
"""The ids of deliveries of saved rulings, and of requests for news, instead of a match's."""


class OtherIdentity(Exception):
    """The server identifies this browser as another one than the owner of these matches."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A delivery: the keys of its content, and the number of events that the server had before it.

    Imported events are sent as a record. Or the visibility of a match is sent, the only key, chosen `at` that
    time.
    """

    keys: list[str]
    expected: int = 0
    is_record: bool = False
    at: str = ""


class Exchange(Protocol):
    """Exchange of a phone's app with its server: deliveries go there, and news come from it.

    `me` is the mark of the browser whose matches these are.
    """

    me: str
    server_version: str

    @property
    def is_outdated(self) -> bool:
        """True if nothing may be recorded until this app is fetched again."""

    def count_unsent(self) -> int:
        """Count what is not yet on the server."""

    def count_conflicts(self) -> int:
        """Count the conflicts that a person has to resolve."""

    def have(self) -> dict[str, list[int]]:
        """The state of the server's matches in the phone."""

    def next(self) -> dict[str, Any] | None:
        """The next delivery, or None."""

    def list_outgoing(self) -> list[dict[str, Any]]:
        """List all that is unsent, as deliveries that need no program."""

    def take_answer(self, id: str, status: int, answer: Any = None) -> bool:
        """Take the answer to a delivery; True if the next one is worth sending now."""

    def take_news(self, news: Mapping[str, Any]) -> None:
        """Take in the server's news."""


class NoExchange:
    """The exchange of a phone without a server: nothing is ever unsent, and no news come."""

    is_outdated = False

    def __init__(self) -> None:
        self.me = self.server_version = ""

    def count_unsent(self) -> int:
        return 0

    def count_conflicts(self) -> int:
        return 0

    def have(self) -> dict[str, list[int]]:
        return {}

    def next(self) -> None:
        return None

    def list_outgoing(self) -> list[dict[str, Any]]:
        return []

    def take_answer(self, id: str, status: int, answer: Any = None) -> bool:
        return False

    def take_news(self, news: Mapping[str, Any]) -> None:
        """Ignore them."""


class Delivery:
    """The exchange between a store and the server, for the browser whose mark is `me`.

    `version` is that of this app, `server_version` that of the server as far as it is known: while they
    differ nothing is delivered and no news are taken.
    """

    def __init__(
        self,
        store: MemoryStore,
        version: str = "",
        me: str = "",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._tables, self._logs, self._now = store.tables, PhoneLogs(store.tables), now
        self.version, self.me, self.server_version = version, me, ""
        self._sent: dict[str, _Sent] = {}
        self._most: dict[str, int] = {}
        self._waiting: set[str] = set()
        self._asked: set[str] = set()
        self._stuck: set[str] = set()

    # --- what there is -------------------------------------------------------------------------------

    @property
    def is_outdated(self) -> bool:
        """True if the server has another version, so that this app has to be fetched again first."""
        return self.server_version not in ("", self.version)

    def count_unsent(self) -> int:
        """Count what is not yet on the server: events, new matches without any, saved rulings; what was
        archived, deleted and brought back.
        """
        return sum(map(count_unsent, self._tables.matches.values())) + len(self._tables.unsent_rulings)

    def count_conflicts(self) -> int:
        """Count the conflicts that a person has to resolve."""
        conflicts = (read_conflicts(row.conflicts) for row in self._tables.matches.values())
        return sum(len(list(open_groups(of_match))) for of_match in conflicts)

    def have(self) -> dict[str, list[int]]:
        """The state of the server's matches in the phone: the length of each log, and its access number.

        The number is -1 where the server has to say again what holds.
        """
        return {
            id: [row.confirmed, -1 if row.is_gone or row.unsent_visibility else row.access]
            for id, row in self._tables.matches.items()
            if row.is_known
        }

    def _timestamp(self) -> str:
        return self._now().isoformat(timespec="milliseconds")

    # --- to the server -------------------------------------------------------------------------------

    def next(self) -> dict[str, Any] | None:
        """The next delivery: its `id`, the `path` below `/offline/` and the `body`; None without any.

        Saved rulings go first, under the id "rulings", for events name them; then new matches, then what was
        written first. If others wrote something that the phone has to know before it can deliver more, the
        news are requested, under the id "news".
        """
        if self.is_outdated:
            return None
        if self._tables.unsent_rulings:
            return self._deliver_rulings()
        waiting = [id for id in self._list_unsent() if id not in self._waiting | self._stuck]
        if waiting:
            id, row = waiting[0], self._tables.matches[waiting[0]]
            is_next = _precedes_events(row) or not count_unsent_events(row)
            return self._deliver_visibility(id) if is_next else self._deliver_events(id)
        if self._waiting:
            return {"id": NEWS, "path": "news", "body": {"version": self.version, "have": self.have()}}
        return None

    def list_outgoing(self) -> list[dict[str, Any]]:
        """List all that is unsent, in order, for a phone to send even if this program no longer starts.

        Each delivery has its `path`, its `body`, and the number of unsent items in it (`count`). If `next`
        sends it again, it is recognised by its keys. Imported matches are left out: they may be many, and are
        in a file.
        """
        found, rulings = list[dict[str, Any]](), 0
        while rulings < len(self._tables.unsent_rulings):
            sent = self._show_rulings(rulings)
            rulings += len(sent["body"]["rulings"])
            found.append(sent | {"count": len(sent["body"]["rulings"])})
        for id in self._list_unsent():
            row = self._tables.matches[id]
            chosen = [self._show_visibility(id) | {"count": 1}] if row.unsent_visibility else []
            if find_imported_end(row) > row.confirmed and row.unsent_visibility != "erased":
                continue
            events = self._list_outgoing_events(id) if count_unsent_events(row) else []
            found += [*chosen, *events] if _precedes_events(row) else [*events, *chosen]
        return found

    def _list_outgoing_events(self, id: str) -> list[dict[str, Any]]:
        found, row = list[dict[str, Any]](), self._tables.matches[id]
        first = row.confirmed
        while first < len(row.events) or not found:
            sent = self._show_events(id, first)
            count = len(sent["body"]["events"])
            found.append(sent | {"count": max(count, 1)})
            first += count
        return found

    def _list_unsent(self) -> list[str]:
        """List the matches with something unsent: new ones first, then by their first unsent event."""
        unsent = [
            (row.is_known, _find_first_time(row), id)
            for id, row in self._tables.matches.items()
            if count_unsent(row)
        ]
        return [id for _is_known, _at, id in sorted(unsent)]

    def _deliver_visibility(self, id: str) -> dict[str, Any]:
        row = self._tables.matches[id]
        self._sent[id] = _Sent([row.unsent_visibility], at=row.visibility_at)
        return {"id": id, **self._show_visibility(id)}

    def _show_visibility(self, id: str) -> dict[str, Any]:
        row = self._tables.matches[id]
        choice = {"choice": row.unsent_visibility, "at": row.visibility_at}
        body = {"version": self.version, "expected": row.confirmed, **choice}
        return {"path": f"matches/{id}/visibility", "body": body}

    def _deliver_rulings(self) -> dict[str, Any]:
        sent = self._show_rulings(0)
        self._sent[RULINGS] = _Sent([ruling["id"] for ruling in sent["body"]["rulings"]])
        return {"id": RULINGS, **sent}

    def _show_rulings(self, first: int) -> dict[str, Any]:
        rulings = [self._tables.rulings[id] for id in [*self._tables.unsent_rulings][first:]]
        shown = ({"id": ruling.id, "at": ruling.at, "content": ruling.content} for ruling in rulings)
        return {"path": "rulings", "body": {"version": self.version, "rulings": _cut(shown, MAX_EVENTS)}}

    def _deliver_events(self, id: str) -> dict[str, Any]:
        row = self._tables.matches[id]
        first, imported = row.confirmed, find_imported_end(row)
        if imported > first:
            self._sent[id] = _Sent(row.form_keys[first:imported], first, is_record=True)
            return {"id": id, **self._show_record(id, imported)}
        sent = self._show_events(id, first)
        self._sent[id] = _Sent([event["key"] for event in sent["body"]["events"]], first)
        return {"id": id, **sent}

    def _show_record(self, id: str, length: int) -> dict[str, Any]:
        """Show the beginning of a log as a record, which the server imports like that of a file."""
        row = self._tables.matches[id]
        match = open_stored(row.to_stored(id, row.events[:length]))
        log = write_log(PortableLog(match.written_head, match.created_at, match.rulebook, match.events))
        record = {**write_record(match.to_record()), "id": id, "log": log}
        body = {"version": self.version, "expected": row.confirmed, "record": record}
        return {"path": f"matches/{id}/record", "body": body}

    def _show_events(self, id: str, first: int) -> dict[str, Any]:
        row = self._tables.matches[id]
        later = zip(row.events[first:], row.form_keys[first:], strict=True)
        shown = _cut((_show(event, key) for event, key in later), self._most.get(id, MAX_EVENTS))
        start = None if row.is_known else {"head": dict(row.head), "at": row.created_at}
        body = {"version": self.version, "start": start, "expected": first, "events": shown}
        return {"path": f"matches/{id}/events", "body": body}

    def take_answer(self, id: str, status: int, answer: Any = None) -> bool:
        """Take the server's answer to the delivery with this id; status 0 stands for no answer.

        True if the next one is worth sending now. Any other answer changes nothing: the delivery is sent
        again.
        """
        sent, answer = self._sent.pop(id, _Sent([])), answer if isinstance(answer, dict) else {}
        row = self._tables.matches.get(id)
        if status == 426:
            self.server_version = str(answer.get("version") or "unknown")
            return False
        if id == RULINGS:
            return self._take_answer_to_rulings(status, sent.keys, answer)
        if id == NEWS:
            return self._take_news_asked_for(status, answer)
        if row is None or status not in (200, 403, 404, 409, 410, 413, 422) or "taken" not in answer:
            return False  # it was not processed, or the answer is not from our server
        if status == 410 and row.owner == self.me:
            self._waiting.add(id)  # it is in the trash, where its owner keeps it
            return True
        if status in (404, 410):
            self._logs.drop(id, self._timestamp())
            return True
        if sent.at:
            return self._take_answer_to_visibility(id, row, sent)
        if status == 413 and len(sent.keys) > 1 and not sent.is_record:
            self._most[id] = len(sent.keys) // 2
            return True
        goes_on = self._take_what_was_taken(id, row, status, sent, answer)
        if status == 200 and answer.get("id", id) != id:
            self._logs.rename(id, answer["id"], self._timestamp())
        return goes_on

    def _take_answer_to_rulings(self, status: int, sent: list[str], answer: Mapping[str, Any]) -> bool:
        """Confirm the accepted rulings. A refused one stays on the phone and is not sent again."""
        if status not in (200, 413, 422) or "taken" not in answer:
            return False
        self._tables.confirm_rulings(sent[: int(answer["taken"]) + (status != 200)])
        return True

    def _take_news_asked_for(self, status: int, answer: Mapping[str, Any]) -> bool:
        """Go on with what waited for the news; if they did not help, it waits until other news come."""
        if status != 200 or "matches" not in answer:
            return False
        waited = set(self._waiting)
        try:
            self.take_news(answer)
        except OtherIdentity:
            return False
        if not self._waiting:
            self._stuck = waited & self._asked
            self._asked |= waited
        return not self.is_outdated

    def _take_answer_to_visibility(self, id: str, row: HeldMatch, sent: _Sent) -> bool:
        """Note that the server knows, or refuses, what was chosen; its news say what holds."""
        if (row.visibility_at, [row.unsent_visibility]) != (sent.at, sent.keys):
            return True  # something else was chosen meanwhile, or news came
        if row.unsent_visibility == "erased":
            self._tables.erase_match(id)
        else:
            row.unsent_visibility, row.access = "", -1
            self._tables.note("match", id)
        return True

    def _take_what_was_taken(
        self, id: str, row: HeldMatch, status: int, sent: _Sent, answer: Mapping[str, Any]
    ) -> bool:
        """Confirm the accepted events, which have the same numbers on the server, and treat the others.

        Others follow behind what the answer has in their place, or are refused.
        """
        taken, stands = sent.keys[: int(answer["taken"])], answer.get("stands", ())
        length = sent.expected + len(taken)
        if row.confirmed != sent.expected or row.form_keys[sent.expected : length] != taken:
            return True  # news came meanwhile, and it has to be sent otherwise
        if status == 409 and not stands:  # the server has less than it had, or another match by this id
            self._waiting.add(id)
            return True
        self._asked -= {id} if taken or stands else set()
        row.confirmed, row.is_known = length, row.is_known or status in (200, 409)
        self._tables.note("match", id)
        if status == 409:
            self._logs.merge_server_log(id, length, stands, self.me)
        elif status != 200 and len(taken) < len(sent.keys):
            why: ConflictReason = "writer" if status == 403 else "refused"
            self._logs.refuse(id, sent.keys[len(taken)], why, str(answer.get("problem", "")))
        return status == 200 or len(taken) < len(sent.keys)

    # --- from the server -----------------------------------------------------------------------------

    def take_news(self, news: Mapping[str, Any]) -> None:
        """Take in the server's news; from a server of another version only its version.

        :raises OtherIdentity: if the matches are those of another browser; nothing is taken then.
        """
        self.server_version = news["version"]
        if self.is_outdated:
            return
        if self.me and self.me != news["me"]:
            raise OtherIdentity(news["me"])
        self.me = news["me"]
        for match in news["matches"]:
            self._take_match(match)
        for id in news["gone"]:
            if id in self._tables.matches:
                self._logs.drop(id, self._timestamp())
        for ruling in news["rulings"]:
            self._tables.add_ruling(SavedRuling(ruling["id"], self.me, ruling["at"], ruling["content"]))
        self._tables.confirm_rulings(ruling["id"] for ruling in news["rulings"])
        if not news["more"]:
            self._waiting.clear()
            self._stuck.clear()

    def _take_match(self, sent: Mapping[str, Any]) -> None:
        id, row = sent["id"], self._tables.matches.get(sent["id"])
        facts = sent["owner"], sent["head"], (), sent["created_at"], sent["rulebook"]
        if row is None:
            if sent["from"]:
                return  # it was dropped meanwhile, and is asked for from its beginning
            row = self._tables.add_match(StoredMatch(id, *facts))
        row.owner, row.head, row.created_at, row.rulebook = facts[0], facts[1], facts[3], facts[4]
        row.is_known, row.is_gone, row.access = True, False, sent["access"]
        if not row.unsent_visibility or row.visibility_at < (sent["visibility_at"] or ""):
            row.put_away_at, row.deleted_at = sent["put_away_at"], sent["deleted_at"]
            row.visibility_at, row.unsent_visibility = sent["visibility_at"] or "", ""
        has_more = any(event["key"] not in row.keys for event in sent["events"])
        if row.unsent_visibility == "erased" and has_more:
            row.unsent_visibility = "deleted"  # its owner has not seen what was written since
        self._take_grant(id, row, sent["grant"])
        self._logs.merge_server_log(id, sent["from"], sent["events"], self.me)
        if sent["deleted_at"] is not None and row.is_in_trash:
            self._logs.conflict_unsent(id)
        row.changed_at = max([sent["changed_at"], *(event.at for event in row.events[row.confirmed :])])
        row.searched = row.searchable_text()
        self._tables.note("match", id)
        self._waiting.discard(id)

    def _take_grant(self, id: str, row: HeldMatch, sent: Mapping[str, Any] | None) -> None:
        if sent is None:
            row.grants.pop(self.me, None)
        else:
            row.grants[self.me] = Grant(
                self.me, id, self.me, sent["side"], sent["has_pencil"], "", row.created_at
            )
        self._tables.note("grant", id, self.me)


def _precedes_events(row: HeldMatch) -> bool:
    """True if the chosen visibility is sent before events: nobody can write in a match in the trash."""
    return bool(row.unsent_visibility) and row.is_known and row.deleted_at is None


def _find_first_time(row: HeldMatch) -> str:
    """The time of the first thing in a match that is unsent."""
    if not row.is_known:
        return row.created_at
    return row.events[row.confirmed].at if len(row.events) > row.confirmed else row.visibility_at


def _show(event: Event, key: str) -> dict[str, Any]:
    """An event as it is sent; the server knows the sender."""
    return {
        "kind": event.kind,
        "entry": event.entry,
        "payload": event.payload,
        "undoes": event.undoes,
        "at": event.at,
        "key": key,
    }


def _cut(shown: Iterable[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """The first items, as many as one delivery carries: at least one."""
    cut, length = list[dict[str, Any]](), 0
    for item in shown:
        length += len(json.dumps(item))
        if cut and (len(cut) >= most or length > MAX_BYTES):
            break
        cut.append(item)
    return cut
