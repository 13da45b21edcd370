"""What was set aside: events of this phone that do not fit what others wrote, until a person decides.

Those of one meeting of two logs are a `Collision`. It is kept as JSON at its match (`HeldMatch.aside`), with
the events as they stood in the phone, so that both logs can be told.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from companion.record.log import CHANGES, Event

State = Literal["open", "written", "left out"]
"""What was decided of an event: nothing yet; it stands in the log; it stays outside."""


@dataclass(slots=True)
class SetAside:
    """One event that was set aside, as it stood in the phone; `said` is what the server said of it.

    `instead` is the number of the entry of others that says what this one added, where that was chosen.
    """

    event: Event
    key: str
    why: str
    said: str = ""
    state: State = "open"
    instead: int | None = None


@dataclass(slots=True)
class Collision:
    """The log of a phone that met the one of the server.

    The phone had `seen` so many of its events; it was `length` long then. `own` are the numbers that what it
    had recorded itself went by, by the keys: none of that is by others.
    """

    seen: int
    length: int
    own: dict[str, int] = field(default_factory=dict)
    events: list[SetAside] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether something is still to be decided."""
        return any(one.state == "open" for one in self.events)

    def note_meeting(self, keys: Collection[str], own: Mapping[str, int]) -> None:
        """The match has met another log since, with these keys: what stands there is decided.

        While something is open, what is new in that log is by others too, but for what the phone has there.
        """
        for one in self.events:
            one.state = "written" if one.key in keys else one.state
        if self.is_open:
            self.own, self.length = {**own, **self.own}, len(keys)

    def groups(self) -> "list[Group]":
        """What is decided together, in the order in which it was recorded."""
        groups: dict[tuple[str, int], Group] = {}
        for place, one in enumerate(self.events):
            groups.setdefault(self._subject(place), Group(self)).events.append(one)
        return list(groups.values())

    def _subject(self, place: int) -> tuple[str, int]:
        """What an event is about: an entry with all that was done to it and said of it, or itself."""
        event = self.events[place].event
        if event.kind == "draft":
            # What was followed by the entry, or by a later draft, led to that and is nothing by itself.
            later = (one for one in range(place + 1, len(self.events)) if self._ends_draft(one))
            following = next(later, None)
            return ("", event.seq) if following is None else self._subject(following)
        if event.kind in ("add", "head"):
            return ("head", 0) if event.kind == "head" else ("entry", event.seq)
        if event.kind == "ruling" and event.undoes is not None:
            attached = (one.event for one in self.events if one.event.seq == event.undoes)
            event = next(attached, event)
        return ("", event.seq) if event.entry is None else ("entry", event.entry)

    def _ends_draft(self, place: int) -> bool:
        return self.events[place].event.kind in ("draft", "add")


@dataclass(slots=True)
class Group:
    """Events that one decision is made of: an entry with all that was done to it and said of it."""

    collision: Collision
    events: list[SetAside] = field(default_factory=list)

    @property
    def key(self) -> str:
        """What pages know it by."""
        return self.events[0].key

    @property
    def state(self) -> State:
        """What was decided; open as long as something is."""
        return next((one.state for one in self.events if one.state == "open"), self.events[0].state)

    def decide(self, state: State) -> None:
        """Say what becomes of those that do not stand in the log already."""
        for one in self.events:
            one.state = state if one.state != "written" else one.state

    @property
    def added(self) -> SetAside | None:
        """The event that added the entry, where it is a new one."""
        return next((one for one in self.events if one.event.kind == "add"), None)

    @property
    def content(self) -> Mapping[str, Any] | None:
        """What the entry says in the end; None where nothing of that was done here, or it was taken out."""
        said = [one.event.payload for one in self.events if one.event.kind in ("add", "amend")]
        return said[-1] if said and not self.is_taken_out else None

    @property
    def is_taken_out(self) -> bool:
        """Whether the entry did not count any more in the end."""
        done = [one.event.kind for one in self.events if one.event.kind in CHANGES]
        return [kind for kind in done if kind != "amend"][-1:] == ["withdraw"]

    @property
    def shown(self) -> list[SetAside]:
        """Those that say something: of drafts only the one that nothing followed."""
        last = self.events[-1]
        return [one for one in self.events if one.event.kind != "draft" or one is last]


def read_collisions(kept: Sequence[Mapping[str, Any]]) -> list[Collision]:
    """The collisions that are kept at a match."""
    return [
        Collision(
            one["seen"],
            one["length"],
            dict(one["own"]),
            [SetAside(**{**event, "event": Event(**event["event"])}) for event in one["events"]],
        )
        for one in kept
    ]


def show_collisions(collisions: Sequence[Collision]) -> list[dict[str, Any]]:
    """The collisions as they are kept."""
    return [asdict(one) for one in collisions]


def open_groups(collisions: Sequence[Collision]) -> Iterator[Group]:
    """What somebody has to decide, the oldest first."""
    for collision in collisions:
        yield from (group for group in collision.groups() if group.state == "open")
