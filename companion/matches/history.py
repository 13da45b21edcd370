"""The log of a match told event by event: what each did to which entry, as the match stood at that time."""

from bisect import bisect_left, insort
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from companion.record.log import Event, current_head
from companion.record.remarks import REMARKS
from companion.rules.errors import Unreadable
from companion.rules.game import GameEntry, GameRow, GameState

from .match import Match

Course = Literal["done", "undone", "put back"]
"""Whether an event made a change of its own, took the last one back, or brought it back again."""


@dataclass(frozen=True)
class EntryChange:
    """What an event did to an entry: `change` is the kind of what was done, undone or put back.

    `type` is that of the entry, `number` its place among the deals or hands that counted then, None for an
    entry of another type and for one that did not count. `before` and `after` are what it said (nothing
    before it was added), and `row_before` and `row_after` what that came to, None where it did not count.
    """

    event: Event
    change: str
    course: Course
    type: str
    number: int | None
    before: Mapping[str, Any] | None
    after: Mapping[str, Any]
    row_before: GameRow | None = None
    row_after: GameRow | None = None


@dataclass(frozen=True)
class HeadChange:
    """What an event corrected in the head: the whole head before and after it."""

    event: Event
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True)
class EntryRemark:
    """An event by which somebody said something of an entry, and changed nothing.

    `type` is that of the entry, `number` its place among the deals or hands that counted then.
    """

    event: Event
    type: str
    number: int | None


@dataclass(frozen=True)
class OtherEvent:
    """An event that is about no entry: a draft, a ruling."""

    event: Event


ToldEvent = EntryChange | HeadChange | EntryRemark | OtherEvent


def tell_history(
    match: Match, events: Sequence[Event] = (), only: Collection[int] | None = None
) -> Iterator[ToldEvent]:
    """Every event of a match in turn, told in one pass over its log.

    `events` are further ones, which the match may not have read yet. Of those numbers that are not among
    `only` nothing is told, so that nothing is folded for them.
    """
    log = (*match.events, *(event for event in events if event.seq > match.seq))
    head, table, by_seq = dict(match.written_head), _Table(match), {event.seq: event for event in log}
    for event in log:
        told = only is None or event.seq in only
        match event.kind:
            case "head":
                after = current_head([event], head)
                table.begin(after)
                if told:
                    yield HeadChange(event, head, after)
                head = after
            case "add" | "amend" | "withdraw" | "restore":
                change = table.change(event, *_find_course(event, by_seq), is_told=told)
                if told:
                    yield change
            case _ if told and event.kind in REMARKS:
                yield EntryRemark(event, *table.describe(event.entry or 0))
            case _:
                if told:
                    yield OtherEvent(event)


def _find_course(event: Event, by_seq: Mapping[int, Event]) -> tuple[str, Course]:
    """The kind of change that an event is about, and whether it does, undoes, or puts it back."""
    taken_back = by_seq.get(event.undoes or 0)
    if taken_back is None:
        return event.kind, "done"
    undone = by_seq.get(taken_back.undoes or 0)
    return (taken_back.kind, "undone") if undone is None else (undone.kind, "put back")


class _Table:
    """The entries of a match at one moment of its log, folded only as far as anybody asked.

    `_ids` are those that count, in table order, and `_counted` those of them that are deals or hands.
    `_states` are the states before the first that counts, after it, after the second and so on, as far as
    nothing has changed since.
    """

    def __init__(self, match: Match) -> None:
        self._family = match.game.family
        self._players = match.written_head["players"]
        self._contents: dict[int, Mapping[str, Any]] = {}
        self._typed: dict[int, GameEntry | None] = {}
        self._ids: list[int] = []
        self._counted: list[int] = []
        self._states: list[GameState] = []
        self.begin(match.written_head)

    def begin(self, head: Mapping[str, Any]) -> None:
        """Play by this head; other names change nothing."""
        known = {key: value for key, value in head.items() if value is not None}
        start = self._family.start(known | {"players": self._players})
        if self._states[:1] != [start]:
            self._states = [start]

    def change(self, event: Event, change: str, course: Course, *, is_told: bool) -> EntryChange:
        """Do what an event does to its entry, and tell it."""
        id = event.seq if event.kind == "add" else event.entry or 0
        before, number = self._contents.get(id), self._find_number(id)
        row_before = self._find_row(id) if is_told else None
        match event.kind:
            case "add":
                self._contents[id] = event.payload
                self._put_in(id)
            case "amend":
                self._contents[id] = event.payload
                self._typed.pop(id, None)
                if self._take_out(id):
                    self._put_in(id)
            case "withdraw":
                self._take_out(id)
            case "restore" if before is not None:
                self._put_in(id)
        after = self._contents.get(id, {})
        return EntryChange(
            event,
            change,
            course,
            type=str(after.get("type", "")),
            number=number or self._find_number(id),
            before=before,
            after=after,
            row_before=row_before,
            row_after=self._find_row(id) if is_told else None,
        )

    def describe(self, id: int) -> tuple[str, int | None]:
        """The type of an entry, and its number among those that count."""
        return str(self._contents.get(id, {}).get("type", "")), self._find_number(id)

    def _put_in(self, id: int) -> None:
        place = bisect_left(self._ids, id)
        if self._ids[place : place + 1] == [id]:
            return
        self._ids.insert(place, id)
        if self._contents[id].get("type") == self._family.counted_entry:
            insort(self._counted, id)
        del self._states[place + 1 :]

    def _take_out(self, id: int) -> bool:
        """Whether it stood there."""
        place = bisect_left(self._ids, id)
        if self._ids[place : place + 1] != [id]:
            return False
        del self._ids[place]
        place_counted = bisect_left(self._counted, id)
        if self._counted[place_counted : place_counted + 1] == [id]:
            del self._counted[place_counted]
        del self._states[place + 1 :]
        return True

    def _find_number(self, id: int) -> int | None:
        place = bisect_left(self._counted, id)
        return place + 1 if self._counted[place : place + 1] == [id] else None

    def _find_row(self, id: int) -> GameRow | None:
        """What an entry comes to where it stands; None where it does not count, or cannot be read."""
        place = bisect_left(self._ids, id)
        if self._ids[place : place + 1] != [id]:
            return None
        while len(self._states) < place + 2:
            self._states.append(self._apply(self._ids[len(self._states) - 1]))
        earlier, state = self._states[place : place + 2]
        return state.rows[-1] if len(state.rows) > len(earlier.rows) else None

    def _apply(self, id: int) -> GameState:
        """The last state that is known, and this entry after it."""
        if id not in self._typed:
            try:
                self._typed[id] = self._family.read(self._contents[id], "")
            except Unreadable:  # what was corrected since may be none by the rules of today
                self._typed[id] = None
        entry, state = self._typed[id], self._states[-1]
        return state if entry is None else self._family.apply(state, entry)
