"""What becomes of what was set aside, as a person says: it is written too, written in place of what others
wrote there, or left out. What is written is unsent from then on, and goes the way of all that is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.matches import AmendEntry, Change, Match
from companion.matches.match import continue_match, open_stored
from companion.record.log import Event, LoggedEntry
from companion.store import StoredMatch
from companion.store.memory import HeldMatch, MemoryStore

from .conflicts import Collision, Group, SetAside, open_groups, read_collisions, show_collisions
from .rebase import REFUSED, make_event, renumber, reread

Choice = Literal["write", "instead", "leave", "back"]
"""Write it too; write it in place of theirs; leave it out; put back what was left out, to be decided anew."""


class CannotWrite(Exception):
    """What was set aside has no place: the match is gone ("gone"), or that which it rests on ("rests")."""

    def __init__(self, why: Literal["gone", "rests"]) -> None:
        super().__init__(why)
        self.why = why


REFUSALS = (*REFUSED, CannotWrite)
"""What speaks against writing what was set aside."""


@dataclass(slots=True)
class _Decided:
    """The events that a decision comes to, laid behind a match one by one."""

    match: Match
    events: list[tuple[SetAside, Event]]
    instead: int | None = None


class Apart:
    """What was set aside of one match."""

    def __init__(self, store: MemoryStore, id: str) -> None:
        """:raises KeyError: when there is no such match."""
        self._tables, self.id = store.tables, id
        self._row: HeldMatch = store.tables.matches[id]
        self.collisions: list[Collision] = read_collisions(self._row.aside)

    def match(self, length: int | None = None) -> Match:
        """The match as it stands in this phone, be it gone from the server; or its first `length` events."""
        return self._open(self._row.events[:length])

    def _open(self, events: Sequence[Event]) -> Match:
        row = self._row
        return open_stored(
            StoredMatch(self.id, row.owner, row.head, tuple(events), row.created_at, row.rulebook)
        )

    @property
    def is_gone(self) -> bool:
        """Whether the server has the match no more, or not for this phone."""
        return self._row.deleted_at is not None

    def find_group(self, key: str, state: str) -> Group | None:
        """The group that pages know by this key, if that was decided of it."""
        groups = (group for collision in self.collisions for group in collision.groups())
        return next((group for group in groups if (group.key, group.state) == (key, state)), None)

    def list_theirs(self, collision: Collision) -> list[Event]:
        """What others wrote since the phone had looked."""
        keys = self._row.form_keys
        later = self._row.events[collision.seen : collision.length]
        return [event for event in later if keys[event.seq - 1] not in collision.own]

    def retell(self, collision: Collision) -> tuple[Match, dict[int, int]]:
        """The match as it stood in this phone with what was set aside, and the numbers of that there."""
        events, numbers = [*self._row.events[: collision.seen]], dict[int, int]()
        for event in collision.events:
            moved = renumber(event.event, collision.seen, numbers)
            if moved is not None:
                numbers[event.event.seq] = len(events) + 1
                events.append(replace(moved, seq=len(events) + 1))
        return self._open(events), numbers

    def find_counterpart(self, group: Group, match: Match) -> LoggedEntry | None:
        """The entry of others at the place where this phone wrote its own: as many of its type before it."""
        added = group.added
        if added is None:
            return None
        kind, theirs = added.event.payload.get("type"), list[LoggedEntry]()
        for event in self.list_theirs(group.collision):
            logged = match.entry(event.seq) if event.kind == "add" else None
            if logged is not None and not logged.withdrawn and logged.payload.get("type") == kind:
                theirs.append(logged)
        mine = [
            event.event.seq
            for event in group.collision.events
            if event.event.kind == "add" and event.event.payload.get("type") == kind
        ]
        place = mine.index(added.event.seq)
        return theirs[place] if place < len(theirs) else None

    def refusal(self, group: Group, choice: Choice = "write") -> Exception | None:
        """What speaks against writing it now, if anything does."""
        try:
            self._prepare(group, choice, self.match())
        except REFUSALS as refusal:
            return refusal
        return None

    def decide(self, group: Group, choice: Choice) -> None:
        """Do with a group what was chosen.

        :raises CannotWrite, Unreadable, RuleViolation, NoSuchEntry, TooMany: when it cannot be written now.
        """
        if choice in ("leave", "back"):
            group.decide("left out" if choice == "leave" else "open")
        else:
            writing = self._prepare(group, choice, self.match())
            for one, event in writing.events:
                self._tables.add_event(self.id, event, one.key)
            for one in group.events:
                one.instead = writing.instead if one.event.kind == "add" else None
            group.decide("written")
        self._row.aside = show_collisions(self.collisions)
        self._tables.note("match", self.id)

    def write_all(self) -> None:
        """Write all that is still to be decided, in its order.

        :raises CannotWrite, Unreadable, RuleViolation, NoSuchEntry, TooMany: when one cannot be written now;
            those before it are.
        """
        for group in list(open_groups(self.collisions)):
            self.decide(group, "write")

    def _prepare(self, group: Group, choice: Choice, match: Match) -> _Decided:
        """The events that writing a group comes to."""
        if self.is_gone:
            raise CannotWrite("gone")
        writing = _Decided(match, [])
        if choice == "instead":
            theirs = self.find_counterpart(group, match)
            if theirs is None:
                raise CannotWrite("rests")
            writing.instead = theirs.id
        numbers = self._number(group.collision)
        for one in group.shown:
            if one.key in self._row.keys:
                continue  # it stands there already
            change = self._read(writing, one, group.collision.seen, numbers)
            event = make_event(writing.match, change, one.event)
            if event is not None:
                writing.match = continue_match(writing.match, (event,))
                writing.events.append((one, event))
            if one.event.kind == "add":
                numbers[one.event.seq] = writing.instead or writing.match.seq
            elif event is not None:
                numbers[one.event.seq] = event.seq
        return writing

    def _read(self, writing: _Decided, one: SetAside, seen: int, numbers: Mapping[int, int]) -> Change:
        """The change that an event comes to now. :raises CannotWrite: when it rests on what is left out."""
        if one.event.kind == "add" and writing.instead is not None:
            return AmendEntry(writing.instead, one.event.payload)
        moved = renumber(one.event, seen, numbers)
        if moved is None:
            raise CannotWrite("rests")
        return reread(writing.match, moved)

    def _number(self, collision: Collision) -> dict[int, int]:
        """The numbers by which what the phone recorded goes now, by those that it had then."""
        present, instead = (
            self._row.keys,
            {event.key: event.instead for event in collision.events if event.instead},
        )
        return {
            seq: instead.get(key) or present[key].seq
            for key, seq in collision.own.items()
            if key in instead or key in present
        }
