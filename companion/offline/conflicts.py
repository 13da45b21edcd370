"""Conflicts: events of this phone that do not fit what others wrote; a person resolves them.

Those of one merge of two logs are a `Conflict`. It is stored as JSON with its match, with the events as they
were in the phone, so that both logs can be shown.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from companion.record.log import CHANGES, Event

State = Literal["open", "written", "left out"]
"""The choice for an event: none yet; it is in the log; it is left out."""


@dataclass(slots=True)
class ConflictEvent:
    """One event in conflict, as it was in the phone; `said` is the server's answer to it.

    `instead` is the number of the others' entry that has the content of this one now, if that was chosen.
    """

    event: Event
    key: str
    why: str
    said: str = ""
    state: State = "open"
    instead: int | None = None


@dataclass(slots=True)
class Conflict:
    """A merge of the logs of phone and server, with the events that did not fit.

    The phone had `seen` so many of the server's events; that log was `length` long then. `own` are the
    numbers of the phone's own events by their keys: none of those is by others.
    """

    seen: int
    length: int
    own: dict[str, int] = field(default_factory=dict)
    events: list[ConflictEvent] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """True if something is still to be resolved."""
        return any(event.state == "open" for event in self.events)

    def note_meeting(self, keys: Collection[str], own: Mapping[str, int]) -> None:
        """Note that the match has met another log since, with these keys: events in that log are resolved.

        While something is open, new events in that log are by others too, except for the phone's own.
        """
        for event in self.events:
            event.state = "written" if event.key in keys else event.state
        if self.is_open:
            self.own, self.length = {**own, **self.own}, len(keys)

    def groups(self) -> "list[ConflictGroup]":
        """The groups of events that are resolved together, in the order in which they were recorded."""
        groups: dict[tuple[str, int], ConflictGroup] = {}
        for place, event in enumerate(self.events):
            groups.setdefault(self._subject(place), ConflictGroup(self)).events.append(event)
        return list(groups.values())

    def _subject(self, place: int) -> tuple[str, int]:
        """The subject of an event: an entry with all that was done to it and said of it, or the event."""
        event = self.events[place].event
        if event.kind == "draft":
            # A draft belongs to the entry, or to the later draft, that followed it.
            places = range(place + 1, len(self.events))
            following = next((at for at in places if self.events[at].event.kind in ("draft", "add")), None)
            return ("", event.seq) if following is None else self._subject(following)
        if event.kind in ("add", "head"):
            return ("head", 0) if event.kind == "head" else ("entry", event.seq)
        if event.kind == "ruling" and event.undoes is not None:
            attached = (other.event for other in self.events if other.event.seq == event.undoes)
            event = next(attached, event)
        return ("", event.seq) if event.entry is None else ("entry", event.entry)


@dataclass(slots=True)
class ConflictGroup:
    """Events that are resolved together: an entry with all that was done to it and said of it."""

    conflict: Conflict
    events: list[ConflictEvent] = field(default_factory=list)

    @property
    def key(self) -> str:
        """The key by which pages know it."""
        return self.events[0].key

    @property
    def state(self) -> State:
        """The state of its events; open while one of them is."""
        return next((event.state for event in self.events if event.state == "open"), self.events[0].state)

    def set_state(self, state: State) -> None:
        """Set the state of its events, except for those that are in the log already."""
        for event in self.events:
            event.state = state if event.state != "written" else event.state

    @property
    def added(self) -> ConflictEvent | None:
        """The event that added the entry, if it is a new one."""
        return next((event for event in self.events if event.event.kind == "add"), None)

    @property
    def content(self) -> Mapping[str, Any] | None:
        """The content of the entry in the end; None if nothing changed it here, or it was withdrawn."""
        contents = [event.event.payload for event in self.events if event.event.kind in ("add", "amend")]
        return contents[-1] if contents and not self._is_withdrawn else None

    @property
    def _is_withdrawn(self) -> bool:
        """True if the entry no longer counted in the end."""
        kinds = [event.event.kind for event in self.events if event.event.kind in CHANGES]
        return [kind for kind in kinds if kind != "amend"][-1:] == ["withdraw"]

    @property
    def shown(self) -> list[ConflictEvent]:
        """The events worth showing: of drafts only the last one."""
        last = self.events[-1]
        return [event for event in self.events if event.event.kind != "draft" or event is last]


def read_conflicts(stored: Sequence[Mapping[str, Any]]) -> list[Conflict]:
    """Read the conflicts that are stored with a match."""
    return [
        Conflict(
            conflict["seen"],
            conflict["length"],
            dict(conflict["own"]),
            [ConflictEvent(**{**event, "event": Event(**event["event"])}) for event in conflict["events"]],
        )
        for conflict in stored
    ]


def meet_log(
    stored: Sequence[Mapping[str, Any]], keys: Collection[str], own: Mapping[str, int], new: Conflict
) -> list[dict[str, Any]]:
    """Update the stored conflicts of a match, once its log has met another with these keys."""
    conflicts = read_conflicts(stored)
    for conflict in conflicts:
        conflict.note_meeting(keys, own)
    return to_stored(add_conflict(conflicts, new) if new.events else conflicts)


def add_conflict(conflicts: Sequence[Conflict], new: Conflict) -> list[Conflict]:
    """Add a conflict; resolved ones are no longer of use then."""
    return [*(conflict for conflict in conflicts if conflict.is_open), new]


def to_stored(conflicts: Sequence[Conflict]) -> list[dict[str, Any]]:
    """The conflicts as they are stored."""
    return [asdict(conflict) for conflict in conflicts]


def open_groups(conflicts: Sequence[Conflict]) -> Iterator[ConflictGroup]:
    """The groups that a person has to resolve, the oldest first."""
    for conflict in conflicts:
        yield from (group for group in conflict.groups() if group.state == "open")
