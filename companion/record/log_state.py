"""What a log has come to: continued event by event, and then the same as if it were read anew.

The log of a long match is read once. What is written later only adds to what is known of it.

>>> log = [Event(1, "add", payload={"type": "deal", "n": 1}), Event(2, "withdraw", 1)]
>>> before = read_log(log[:1])
>>> after = before.follow(log[1:])
>>> [entry.id for entry in before.standing], [entry.id for entry in after.standing], after == read_log(log)
([1], [], True)
>>> undo = after.undo_event()
>>> (undo.kind, undo.entry, undo.undoes)
('restore', 1, 2)
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.rules.game import GameRow

from .log import CHANGES, Event, LoggedEntry, follow_change, put_back, take_back

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


HistoryEvent = EntryChange | HeadChange | EntryRemark | OtherEvent


@dataclass(frozen=True, slots=True)
class LogState:
    """A log as it stands.

    `entries` are all that were ever added, in table order, `standing` those that count, and `ids` the ids of
    these by their types. `corrections` are the changes of entries but for adding them, and of the head.
    `holding` are the changes of entries that hold, `undone` those that can be put back, each with its undo.
    `head` is what was corrected in the record's head. `draft` is the deal in progress, None without one, and
    `draft_at` when it was last kept. `rulings` are the events that attached rulings which are still
    there, `authors` all who wrote anything.
    """

    entries: tuple[LoggedEntry, ...] = ()
    standing: tuple[LoggedEntry, ...] = ()
    ids: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    corrections: tuple[Event, ...] = ()
    holding: tuple[Event, ...] = ()
    undone: tuple[tuple[Event, Event], ...] = ()
    head: Mapping[str, Any] = field(default_factory=dict)
    draft: Any = None
    draft_at: str = ""
    rulings: tuple[Event, ...] = ()
    authors: frozenset[str] = frozenset()

    def follow(self, events: Iterable[Event]) -> "LogState":
        """The log after further events, which follow those it has."""
        reader = _Reader(self)
        for event in events:
            reader.read(event)
        return reader.state()

    def entry(self, id: int) -> LoggedEntry | None:
        """An entry by its id, withdrawn or not."""
        place = bisect_left(self.entries, id, key=_id)
        return self.entries[place] if place < len(self.entries) and self.entries[place].id == id else None

    def place(self, id: int) -> int:
        """How many of the entries that count were added before this one."""
        return bisect_left(self.standing, id, key=_id)

    def undo_event(self) -> Event | None:
        """The event that takes back the last change of an entry that holds (its `seq` still 0), or None."""
        if not self.holding:
            return None
        event = self.holding[-1]
        return take_back(event, self.entry(event.seq if event.entry is None else event.entry))

    def put_back_event(self) -> Event | None:
        """The event that brings back what was undone last (its `seq` still 0), or None."""
        return put_back(*self.undone[-1]) if self.undone else None


def read_log(events: Iterable[Event]) -> LogState:
    """What a whole log has come to."""
    return LogState().follow(events)


def _id(entry: LoggedEntry) -> int:
    return entry.id


class _Reader:
    """A log while further events of it are read."""

    def __init__(self, before: LogState) -> None:
        self.before = before
        self.entries, self.standing = [*before.entries], [*before.standing]
        self.ids = dict(before.ids)
        self.fresh_ids: dict[str, list[int]] = {}
        self.corrections, self.holding, self.undone = (
            [*before.corrections],
            [*before.holding],
            [*before.undone],
        )
        self.head, self.draft, self.draft_at = before.head, before.draft, before.draft_at
        self.rulings, self.authors = before.rulings, before.authors

    def state(self) -> LogState:
        """What it has come to."""
        fresh = {kind: tuple(ids) for kind, ids in self.fresh_ids.items()}
        return LogState(
            tuple(self.entries),
            tuple(self.standing),
            {kind: ids for kind, ids in (self.ids | fresh).items() if ids},
            tuple(self.corrections),
            tuple(self.holding),
            tuple(self.undone),
            self.head,
            self.draft,
            self.draft_at,
            self.rulings,
            self.authors,
        )

    def read(self, event: Event) -> None:
        """One event more."""
        if event.author not in self.authors:
            self.authors |= {event.author}
        if event.kind in CHANGES:
            follow_change(event, self.holding, self.undone)
        match event.kind:
            case "add":
                added = LoggedEntry(event.seq, event.payload, (event,))
                self.entries.append(added)
                self.standing.append(added)
                self._ids_of(added).append(added.id)
                self.draft = None
            case "amend" | "withdraw" | "restore":
                self.corrections.append(event)
                self._correct(event)
            case "draft":
                self.draft, self.draft_at = event.payload, event.at
            case "head":
                self.corrections.append(event)
                self.head = {**self.head, **event.payload}
            case "ruling" if event.undoes:
                self.rulings = tuple(ruling for ruling in self.rulings if ruling.seq != event.undoes)
            case "ruling":
                self.rulings = (*self.rulings, event)

    def _correct(self, event: Event) -> None:
        id = event.entry or 0
        at = bisect_left(self.entries, id, key=_id)
        if at == len(self.entries) or self.entries[at].id != id:
            return
        old = self.entries[at]
        self.entries[at] = new = old.after(event)
        place = bisect_left(self.standing, id, key=_id)
        if not old.withdrawn:
            del self.standing[place]
            ids = self._ids_of(old)
            del ids[bisect_left(ids, id)]
        if not new.withdrawn:
            self.standing.insert(place, new)
            ids = self._ids_of(new)
            ids.insert(bisect_left(ids, id), id)

    def _ids_of(self, entry: LoggedEntry) -> list[int]:
        """The ids of the entries of the same type, to be changed."""
        kind = str(entry.payload.get("type", ""))
        return self.fresh_ids.setdefault(kind, [*self.ids.get(kind, ())])
