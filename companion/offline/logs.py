"""The logs of a phone: each begins as the server has it, and goes on with what is not there yet."""

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from companion.matches.match import open_stored
from companion.record.log import Event
from companion.store import StoredMatch
from companion.store.memory import HeldMatch, Tables

from .conflicts import Collision, SetAside, open_groups, read_collisions, show_collisions
from .rebase import KeyedEvent, Why, lay


def list_unsent(row: HeldMatch) -> list[KeyedEvent]:
    """The events of a match that the server has not, as far as is known."""
    return list(_list_keyed(row, row.confirmed))


def count_unsent(row: HeldMatch) -> int:
    """How many they are; a new match without any is one thing that is not at the server."""
    return max(len(row.events) - row.confirmed, int(not row.is_known))


def _list_keyed(row: HeldMatch, start: int) -> Iterator[KeyedEvent]:
    for event, key in zip(row.events[start:], row.form_keys[start:], strict=True):
        yield KeyedEvent(event, key)


class PhoneLogs:
    """The logs in the tables of a phone, when they meet those of the server."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._shorter: dict[str, int] = {}

    def follow(self, id: str, start: int, told: Sequence[Mapping[str, Any]], me: str) -> None:
        """Have a log as the server has it: after its first `start` events come those that were told.

        What the server has not comes behind them, or is set aside. Of what it had once, and has no more (it
        was put back to what it was before), that which was recorded as `me` is sent anew; but a log that is
        only shorter may have been told before the last delivery, so it has to be told so twice.
        """
        row = self._tables.matches[id]
        known = itertools.islice(_list_keyed(row, start), max(row.confirmed - start, 0))
        pairs = enumerate(zip(told, known, strict=False), start)
        seen = next(
            (n for n, (one, here) in pairs if not _is_same(one, here)), min(start + len(told), row.confirmed)
        )
        length = start + len(told)
        if seen == length < row.confirmed and self._shorter.get(id) != length:
            self._shorter[id] = length
            return
        self._shorter.pop(id, None)
        if seen == row.confirmed == length:
            return
        own = [
            one for one in _list_keyed(row, seen) if one.event.seq > row.confirmed or one.event.author == me
        ]
        self._lay(id, row, seen, told[seen - start :], own, {}, "")

    def refuse(self, id: str, key: str, why: Why, said: str = "") -> None:
        """Set an unsent event aside, for the server did not take it, and what rests on it as well."""
        row = self._tables.matches[id]
        self._lay(id, row, row.confirmed, [], list_unsent(row), {key: why}, said)

    def let_go(self, id: str, at: str) -> None:
        """Let go of a match that the server has no more, or not for this phone.

        What it never had is set aside; as long as nobody has decided that, the match is deleted only.
        """
        row = self._tables.matches[id]
        unsent = list_unsent(row)
        if unsent:
            aside = [SetAside(one.event, one.key, "gone") for one in unsent]
            self._keep(row, Collision(row.confirmed, row.confirmed, _number(unsent), aside))
            self._tables.cut_log(id, row.confirmed)
        if any(open_groups(read_collisions(row.aside))):
            row.deleted_at = row.deleted_at or at
            self._tables.note("match", id)
        else:
            self._tables.erase_match(id)

    def _lay(
        self,
        id: str,
        row: HeldMatch,
        seen: int,
        told: Sequence[Mapping[str, Any]],
        own: Sequence[KeyedEvent],
        refused: Mapping[str, Why],
        said: str,
    ) -> None:
        """Go on with what was told after the first `seen` events, then with the phone's own."""
        keys = [*row.form_keys[:seen], *(one["key"] for one in told)]
        events = [*row.events[:seen], *(_read_event(n, one) for n, one in enumerate(told, seen + 1))]
        laid, aside = list[KeyedEvent](), list[SetAside]()
        self._note_meeting(row, keys, own)
        if not {one.key for one in own} <= set(keys):
            stored = StoredMatch(id, row.owner, row.head, tuple(events), row.created_at, row.rulebook)
            found = lay(open_stored(stored), keys, seen, own, refused)
            laid = found.events
            aside = [
                SetAside(one.event, one.key, why, said if one.key in refused else "")
                for one, why in found.aside
            ]
        self._tables.cut_log(id, seen)
        for event, key in zip(events[seen:], keys[seen:], strict=True):
            self._tables.add_event(id, event, key)
        row.confirmed = len(row.events)
        for one in laid:
            self._tables.add_event(id, one.event, one.key)
        if aside:
            self._keep(row, Collision(seen, row.confirmed, _number(own), aside))
        self._tables.note("match", id)

    def _note_meeting(self, row: HeldMatch, keys: Collection[str], own: Sequence[KeyedEvent]) -> None:
        """What is set aside and undecided has met this log too; what it has is decided."""
        collisions = read_collisions(row.aside)
        for collision in collisions:
            collision.note_meeting(keys, _number(own))
        row.aside = show_collisions(collisions)

    def _keep(self, row: HeldMatch, collision: Collision) -> None:
        """Keep a collision at its match; former ones that are decided are no longer of use."""
        undecided = [collision for collision in read_collisions(row.aside) if collision.is_open]
        row.aside = show_collisions([*undecided, collision])


def _number(own: Sequence[KeyedEvent]) -> dict[str, int]:
    return {one.key: one.event.seq for one in own}


def _is_same(told: Mapping[str, Any], here: KeyedEvent) -> bool:
    """Whether the server tells the very event that stands here; the keys of others are but numbers."""
    event = here.event
    said = (told["key"], told["kind"], told["entry"], told["payload"], told["undoes"])
    return said == (here.key, event.kind, event.entry, event.payload, event.undoes)


def _read_event(seq: int, told: Mapping[str, Any]) -> Event:
    """An event as the server tells it."""
    facts = {key: told[key] for key in ("kind", "entry", "payload", "author", "at", "undoes")}
    return Event(seq, **facts, arrived=told["arrived"] or "")
