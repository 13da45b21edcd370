"""The resolution of a conflict by a person: write it too, write it in place of theirs, or leave it out.

Whatever is written is unsent from then on, and is delivered like all that is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.matches import AmendEntry, Change, Match
from companion.matches.match import continue_match, open_stored
from companion.record.log import Event, LoggedEntry
from companion.store.memory import HeldMatch, MemoryStore

from .changes import make_event, reread_change
from .conflicts import Conflict, ConflictEvent, ConflictGroup, open_groups, read_conflicts, to_stored
from .rebase import REFUSED, renumber

Choice = Literal["write", "instead", "leave", "back"]
"""Write it too; write it in place of theirs; leave it out; put back what was left out, to choose again."""


class CannotWrite(Exception):
    """The conflict cannot be written: the match is gone ("gone"), or what it rests on is ("rests")."""

    def __init__(self, why: Literal["gone", "rests"]) -> None:
        super().__init__(why)
        self.why = why


REFUSALS = (*REFUSED, CannotWrite)
"""The errors for which a conflict cannot be written."""


@dataclass(slots=True)
class _Writing:
    """The events of a choice, each put behind the match in turn."""

    match: Match
    events: list[tuple[ConflictEvent, Event]]
    instead: int | None = None


class MatchConflicts:
    """The conflicts of one match."""

    def __init__(self, store: MemoryStore, id: str) -> None:
        """Load the conflicts.

        :raises KeyError: for an unknown match.
        """
        self._tables, self.id = store.tables, id
        self._row: HeldMatch = store.tables.matches[id]
        self.conflicts: list[Conflict] = read_conflicts(self._row.conflicts)

    def match(self) -> Match:
        """The match as it stands in this phone, even if it is gone from the server."""
        return self._open(self._row.events)

    def _open(self, events: Sequence[Event]) -> Match:
        return open_stored(self._row.to_stored(self.id, events))

    @property
    def is_gone(self) -> bool:
        """True if the server no longer has the match, or not for this phone."""
        return self._row.deleted_at is not None

    def find_group(self, key: str, state: str) -> ConflictGroup | None:
        """The group that pages know by this key, if it is in this state."""
        groups = (group for conflict in self.conflicts for group in conflict.groups())
        return next((group for group in groups if (group.key, group.state) == (key, state)), None)

    def list_theirs(self, conflict: Conflict) -> list[Event]:
        """The events that others wrote since the phone had looked."""
        keys = self._row.form_keys
        later = self._row.events[conflict.seen : conflict.length]
        return [event for event in later if keys[event.seq - 1] not in conflict.own]

    def rebuild(self, conflict: Conflict) -> tuple[Match, dict[int, int]]:
        """Rebuild the match as it stood in this phone with the conflict's events, and their numbers there."""
        events, numbers = [*self._row.events[: conflict.seen]], dict[int, int]()
        for event in conflict.events:
            moved = renumber(event.event, conflict.seen, numbers)
            if moved is not None:
                numbers[event.event.seq] = len(events) + 1
                events.append(replace(moved, seq=len(events) + 1))
        return self._open(events), numbers

    def find_counterpart(self, group: ConflictGroup, match: Match) -> LoggedEntry | None:
        """The others' entry in the position of this phone's own: with as many of its type before it."""
        added = group.added
        if added is None:
            return None
        kind, theirs = added.event.payload.get("type"), list[LoggedEntry]()
        for event in self.list_theirs(group.conflict):
            logged = match.entry(event.seq) if event.kind == "add" else None
            if logged is not None and not logged.withdrawn and logged.payload.get("type") == kind:
                theirs.append(logged)
        mine = [
            event.event.seq
            for event in group.conflict.events
            if event.event.kind == "add" and event.event.payload.get("type") == kind
        ]
        place = mine.index(added.event.seq)
        return theirs[place] if place < len(theirs) else None

    def find_refusal(self, group: ConflictGroup, choice: Choice = "write") -> Exception | None:
        """The error for which it cannot be written now, or None."""
        try:
            self._prepare(group, choice, self.match())
        except REFUSALS as refusal:
            return refusal
        return None

    def resolve(self, group: ConflictGroup, choice: Choice) -> None:
        """Resolve a group as chosen.

        :raises CannotWrite, Unreadable, RuleViolation, NoSuchEntry, TooMany: if it cannot be written now.
        """
        if choice in ("leave", "back"):
            group.set_state("left out" if choice == "leave" else "open")
        else:
            writing = self._prepare(group, choice, self.match())
            for conflicting, event in writing.events:
                self._tables.add_event(self.id, event, conflicting.key)
            for conflicting in group.events:
                conflicting.instead = writing.instead if conflicting.event.kind == "add" else None
            group.set_state("written")
        self._row.conflicts = to_stored(self.conflicts)
        self._tables.note("match", self.id)

    def write_all(self) -> None:
        """Write all that is still open, in its order.

        :raises CannotWrite, Unreadable, RuleViolation, NoSuchEntry, TooMany: if one cannot be written now;
            those before it are.
        """
        for group in list(open_groups(self.conflicts)):
            self.resolve(group, "write")

    def _prepare(self, group: ConflictGroup, choice: Choice, match: Match) -> _Writing:
        """Prepare the events that write a group."""
        if self.is_gone:
            raise CannotWrite("gone")
        writing = _Writing(match, [])
        if choice == "instead":
            theirs = self.find_counterpart(group, match)
            if theirs is None:
                raise CannotWrite("rests")
            writing.instead = theirs.id
        numbers = self._number(group.conflict)
        for conflicting in group.shown:
            if conflicting.key in self._row.keys:
                continue  # it is there already
            written = conflicting.event
            change = self._read(writing, written, group.conflict.seen, numbers)
            event = make_event(writing.match, change, written)
            if event is not None:
                writing.match = continue_match(writing.match, (event,))
                writing.events.append((conflicting, event))
            if written.kind == "add":
                numbers[written.seq] = writing.instead or writing.match.seq
            elif event is not None:
                numbers[written.seq] = event.seq
        return writing

    def _read(self, writing: _Writing, event: Event, seen: int, numbers: Mapping[int, int]) -> Change:
        """Read an event as its change of the match now.

        :raises CannotWrite: if it rests on what is left out.
        """
        if event.kind == "add" and writing.instead is not None:
            return AmendEntry(writing.instead, event.payload)
        moved = renumber(event, seen, numbers)
        if moved is None:
            raise CannotWrite("rests")
        return reread_change(writing.match, moved)

    def _number(self, conflict: Conflict) -> dict[int, int]:
        """The present numbers of the events that the phone recorded, by their former ones."""
        present = self._row.keys
        instead = {event.key: event.instead for event in conflict.events if event.instead}
        return {
            seq: instead.get(key) or present[key].seq
            for key, seq in conflict.own.items()
            if key in instead or key in present
        }
