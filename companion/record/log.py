"""The log of one match: events that are only ever appended, and the entries that follow from them.

An entry's id is the number of the event that added it. Amending and withdrawing are events of their own; an
undo is an event that names the one it takes back, and putting back is an event that names the undo. Nothing
is ever changed or deleted.

>>> log = [
...     Event(1, "add", payload={"type": "deal", "totals": {"A": 82, "B": 65}}),
...     Event(2, "amend", entry=1, payload={"type": "deal", "totals": {"A": 85, "B": 62}}),
... ]
>>> [entry.payload["totals"] for entry in read_log(log).standing]
[{'A': 85, 'B': 62}]
>>> undo = read_log(log).undo_event()
>>> (undo.kind, undo.entry, undo.undoes, undo.payload["totals"])
('amend', 1, 2, {'A': 82, 'B': 65})
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from companion.rules.game import GameRow

# A table that plays fifty deals an evening, each week, has ten thousand after four years; fifty thousand
# changes are all of them with a draft, a correction or two and remarks on each.
MAX_ENTRIES = 10_000
"""The most entries of a match, including withdrawn ones."""
MAX_EVENTS = 50_000
"""The most changes in the history of a match."""
MAX_BESIDE = 40_000
"""The length of a history up to which drafts, remarks and rulings are accepted; the rest is for entries."""
MAX_RULINGS = 1000
"""The most rulings that were ever attached to a match; they are part of its record."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a log.

    `seq` counts the events of a match from 1; `entry` is the `seq` of the event that added the entry,
    `undoes` that of the event it takes back, which may be an undo. `author` is a person's name or empty, `at`
    an ISO time. `arrived` is the later time at which an event recorded by a phone without network was stored;
    otherwise it is empty. The `kind` says what happened, and what the `payload` is:

    - `add`: a new entry (its JSON), behind all others or, where it was forgotten, before the one named by
      `entry`; `amend`: another content for an entry (its JSON);
    - `withdraw`, `restore`: an entry no longer counts, or counts again (no payload);
    - `draft`: a deal in progress (JSON; None clears it);
    - `head`: corrections of the record's head (the keys that change);
    - `ruling`: a saved ruling, attached to an entry or to the match (JSON); with `undoes` it is detached
      again.
    """

    seq: int
    kind: str
    entry: int | None = None
    payload: Any = None
    author: str = ""
    at: str = ""
    undoes: int | None = None
    arrived: str = ""

    @property
    def about(self) -> int | None:
        """The id of the entry that it adds, changes or is said of."""
        return self.seq if self.kind == "add" else self.entry

    @property
    def written_at(self) -> str:
        """The time at which it was stored in this log."""
        return self.arrived or self.at


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """An entry after all its events: its `id`, its JSON, and every event about it, the adding one first."""

    id: int
    payload: Mapping[str, Any]
    events: tuple[Event, ...]
    withdrawn: bool = False

    def after(self, event: Event) -> "LoggedEntry":
        """The entry after an event that amends, withdraws or restores it."""
        payload = event.payload if event.kind == "amend" else self.payload
        withdrawn = event.kind == "withdraw" or (event.kind == "amend" and self.withdrawn)
        return LoggedEntry(self.id, payload, (*self.events, event), withdrawn)

    def is_corrected(self, later_facts: Collection[str] = ()) -> bool:
        """True if its content differs from what was first written.

        Adding facts with the keys `later_facts` later is no correction.
        """
        first = dict(self.events[0].payload)
        for event in self.events:
            if event.kind == "amend":
                stated = {key: event.payload[key] for key in later_facts if key in event.payload}
                first = stated | first
        unchanged = {
            key: fact for key, fact in first.items() if key in self.payload or key not in later_facts
        }
        return unchanged != dict(self.payload)


def find_detached_ruling(events: Iterable[Event], id: str) -> Event | None:
    """The event that last attached the saved ruling of this id, if it was detached since."""
    log = tuple(events)
    of_it = [event for event in log if event.kind == "ruling" and (event.payload or {}).get("id") == id]
    return of_it[-1] if of_it and of_it[-1] not in read_log(log).rulings else None


def take_back(event: Event, logged: LoggedEntry | None) -> Event:
    """Make the event that takes back a logged change of an entry (its `seq` still 0)."""
    match event.kind:
        case "add":
            return Event(0, "withdraw", event.seq, undoes=event.seq)
        case "restore":
            return Event(0, "withdraw", event.entry, undoes=event.seq)
        case "withdraw":
            return Event(0, "restore", event.entry, undoes=event.seq)
    stated = logged.events if logged is not None else ()
    before = [
        earlier.payload for earlier in stated if earlier.kind in ("add", "amend") and earlier.seq < event.seq
    ]
    return Event(0, "amend", event.entry, before[-1], undoes=event.seq)


def put_back(undo: Event, event: Event) -> Event:
    """Make the event that brings back a change which an undo took back (its `seq` still 0)."""
    match event.kind:
        case "add":
            return Event(0, "restore", event.seq, undoes=undo.seq)
        case "amend":
            return Event(0, "amend", event.entry, event.payload, undoes=undo.seq)
        case _:
            return Event(0, event.kind, event.entry, undoes=undo.seq)


CHANGES = ("add", "amend", "withdraw", "restore")
"""The kinds of events that change entries."""


def follow_change(event: Event, holding: list[Event], undone: list[tuple[Event, ...]]) -> None:
    """Update the changes that hold, and those that can be put back, after one more change of an entry."""
    if event.undoes is None:
        holding.append(event)
        undone.clear()
        return
    # Usually it is the last one; only old logs restore an earlier one.
    for index in range(len(holding) - 1, -1, -1):
        if holding[index].seq == event.undoes:
            taken = holding[index:]
            if not all(later.kind == "amend" and later.entry == event.undoes for later in taken[1:]):
                taken = taken[:1]  # otherwise the completion of an entry goes with it
            undone.append((event, *taken))
            del holding[index : index + len(taken)]
            return
    for index in range(len(undone) - 1, -1, -1):
        if undone[index][0].seq == event.undoes:
            holding.extend(undone.pop(index)[1:])
            return


def is_same_form(present: Event, event: Event) -> bool:
    """True if a form that has written `present` was sent again with the same content."""
    return (present.kind, present.entry, present.payload) == (event.kind, event.entry, event.payload)


def are_appended(later: Sequence[Event], events: Sequence[Event]) -> bool:
    """True if the events were already appended by a first attempt whose answer was lost.

    `later` are the log's events from the intended position on.
    """
    present = later[: len(events)]
    return [replace(event, seq=0) for event in present] == [replace(event, seq=0) for event in events]


Course = Literal["done", "undone", "put back"]
"""An event made a change of its own, took the last one back, or brought it back again."""


@dataclass(frozen=True)
class EntryChange:
    """The effect of an event on an entry: `change` is the kind of the change done, undone or put back.

    `type` is the entry's type, `number` its number among the deals or hands that counted then, None for an
    entry of another type and for one that did not count. `before` and `after` are its contents (`before` is
    None when it is added), `row_before` and `row_after` their results, None if it did not count.
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
    """A correction of the head: the whole head before and after the event."""

    event: Event
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True)
class EntryRemark:
    """A remark on an entry, which changes nothing.

    `type` is the entry's type, `number` its number among the deals or hands that counted then.
    """

    event: Event
    type: str
    number: int | None


@dataclass(frozen=True)
class OtherEvent:
    """An event about no entry: a draft, a ruling."""

    event: Event


HistoryEvent = EntryChange | HeadChange | EntryRemark | OtherEvent


@dataclass(slots=True)
class LogState:
    """The state of a log; following it event by event gives the same as reading it from the beginning.

    It is never changed; `follow` makes another one.

    So the log of a long match is read once, and each later event only adds to it.

    >>> log = [Event(1, "add", payload={"type": "deal", "n": 1}), Event(2, "withdraw", 1)]
    >>> before = read_log(log[:1])
    >>> after = before.follow(log[1:])
    >>> [entry.id for entry in before.standing], [entry.id for entry in after.standing]
    ([1], [])
    >>> after == read_log(log)
    True
    >>> undo = after.undo_event()
    >>> (undo.kind, undo.entry, undo.undoes)
    ('restore', 1, 2)

    `entries` are all that were ever added, in table order, `standing` those that count, and `ids` the ids of
    these by type. `inserted` has the ranks of those that were put in before others; the rank of any other is
    its id. `corrections` are all changes of the head and of entries, except adding them at the end.
    `holding` are the changes of entries that hold, `undone` those that can be put back, each behind its
    undo. `head` has the corrections of the record's head. `draft` is the deal in progress or None, and
    `draft_at` the time it was last saved. `rulings` are the events that attached the present rulings,
    `authors` all who wrote anything.
    """

    entries: list[LoggedEntry] = field(default_factory=list)
    standing: list[LoggedEntry] = field(default_factory=list)
    ids: dict[str, list[int]] = field(default_factory=dict)
    inserted: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    corrections: list[Event] = field(default_factory=list)
    holding: list[Event] = field(default_factory=list)
    undone: list[tuple[Event, ...]] = field(default_factory=list)
    head: Mapping[str, Any] = field(default_factory=dict)
    draft: Any = None
    draft_at: str = ""
    rulings: tuple[Event, ...] = ()
    authors: frozenset[str] = frozenset()

    def follow(self, events: Iterable[Event]) -> "LogState":
        """The log after further events, which follow those it has."""
        after = replace(
            self,
            entries=[*self.entries],
            standing=[*self.standing],
            ids={kind: [*ids] for kind, ids in self.ids.items()},
            corrections=[*self.corrections],
            holding=[*self.holding],
            undone=[*self.undone],
        )
        for event in events:
            after._read(event)
        return after

    def entry(self, id: int) -> LoggedEntry | None:
        """An entry by its id, withdrawn or not."""
        index = bisect_left(self.entries, self.rank(id), key=self._rank_of)
        return self.entries[index] if index < len(self.entries) and self.entries[index].id == id else None

    def place(self, id: int) -> int:
        """The number of entries that count and precede this one."""
        return bisect_left(self.standing, self.rank(id), key=self._rank_of)

    def rank(self, id: int) -> tuple[int, ...]:
        """The rank of an entry in table order, to be compared with others.

        Who is put in before another one ranks right before it, and behind all that were put in there earlier.

        >>> log = read_log([Event(n, "add", before, {}) for n, before in enumerate((None, None, 2, 2), 1)])
        >>> [log.rank(entry.id) for entry in log.entries]
        [(1,), (1, 3), (1, 4), (2,)]
        """
        return self.inserted.get(id, (id,))

    def undo_event(self, later_facts: Collection[str] = ()) -> Event | None:
        """The event that takes back the last change of an entry that holds (its `seq` still 0), or None.

        A change that was taken back already is passed over, so that undoing again goes further back; one that
        was put back is taken back again. An entry whose only change was to add some of the `later_facts` is
        taken back whole.

        >>> log = [Event(1, "add", payload={"loser": "B"})]
        >>> log += [Event(2, "amend", 1, {"loser": "B", "deals": "D"})]
        >>> undo = read_log(log).undo_event({"deals"})
        >>> (undo.kind, undo.entry, undo.undoes)
        ('withdraw', 1, 1)
        >>> read_log([*log, Event(3, "withdraw", 1, undoes=1)]).undo_event() is None
        True
        """
        if not self.holding:
            return None
        event = self.holding[-1]
        logged = self.entry(event.about or 0)
        if event.kind == "amend" and logged is not None and logged.is_corrected():
            added = [before for before in self.holding[-2:-1] if before.seq == event.entry]
            event = event if logged.is_corrected(later_facts) or not added else added[0]
        return take_back(event, logged)

    def put_back_event(self) -> Event | None:
        """The event that brings back the last change that was undone (its `seq` still 0), or None.

        It names the undo that it takes back, so that putting back again goes on to the undo before that one.
        After any new change of an entry, earlier undone changes stay undone.

        >>> log = [Event(1, "add", payload={"n": 1}), Event(2, "add", payload={"n": 2})]
        >>> log += [Event(3, "withdraw", 2, undoes=2), Event(4, "withdraw", 1, undoes=1)]
        >>> back = read_log(log).put_back_event()
        >>> (back.kind, back.entry, back.undoes)
        ('restore', 1, 4)
        >>> back = read_log([*log, Event(5, "restore", 1, undoes=4)]).put_back_event()
        >>> (back.kind, back.entry, back.undoes)
        ('restore', 2, 3)
        >>> read_log([*log, Event(5, "add", payload={"n": 3})]).put_back_event() is None
        True
        """
        return put_back(*self.undone[-1][:2]) if self.undone else None

    def _read(self, event: Event) -> None:
        """Update the state by one more event."""
        if event.author not in self.authors:
            self.authors |= {event.author}
        if event.kind in CHANGES:
            follow_change(event, self.holding, self.undone)
        match event.kind:
            case "add" if event.entry is not None:
                *outer, last = self.rank(event.entry)
                self.inserted = {**self.inserted, event.seq: (*outer, last - 1, event.seq)}
                self.corrections.append(event)
                self._add(event)
            case "add":
                self._add(event)
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

    def _add(self, event: Event) -> None:
        added = LoggedEntry(event.seq, event.payload, (event,))
        insort(self.entries, added, key=self._rank_of)
        insort(self.standing, added, key=self._rank_of)
        insort(self._ids_of(added), added.id, key=self.rank)

    def _correct(self, event: Event) -> None:
        id = event.entry or 0
        at = bisect_left(self.entries, self.rank(id), key=self._rank_of)
        if at == len(self.entries) or self.entries[at].id != id:
            return
        old = self.entries[at]
        self.entries[at] = new = old.after(event)
        index = bisect_left(self.standing, self.rank(id), key=self._rank_of)
        if not old.withdrawn:
            del self.standing[index]
            ids = self._ids_of(old)
            del ids[bisect_left(ids, self.rank(id), key=self.rank)]
        if not new.withdrawn:
            self.standing.insert(index, new)
            ids = self._ids_of(new)
            ids.insert(bisect_left(ids, self.rank(id), key=self.rank), id)

    def _rank_of(self, entry: LoggedEntry) -> tuple[int, ...]:
        return self.rank(entry.id)

    def _ids_of(self, entry: LoggedEntry) -> list[int]:
        """The ids of the entries of the same type, to be changed."""
        kind = str(entry.payload.get("type", ""))
        return self.ids.setdefault(kind, [])


def read_log(events: Iterable[Event]) -> LogState:
    """The state of a whole log."""
    return LogState().follow(events)
