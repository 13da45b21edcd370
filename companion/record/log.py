"""The log of one match: appended events only, and what stands after them.

An entry is known by the number of the event that added it. Amending and withdrawing are events of their
own; an undo is an event that names the one it takes back. Nothing is ever changed or deleted.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

KINDS = ("add", "amend", "withdraw", "restore", "draft", "head", "ruling")
"""add: a new entry · amend: another content for it · withdraw, restore: it no longer, or again, counts ·
draft: a deal in progress (`null` clears it) · head: names, place or stake put right · ruling: a dispute
that was settled, at an entry or at none; one that `undoes` another takes it off again."""


@dataclass(frozen=True, slots=True)
class Event:
    """One appended line. `entry` is the `seq` of the event that added the entry spoken of."""

    seq: int
    kind: str
    entry: int | None = None
    payload: Any = None
    author: str = ""
    at: str = ""
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """An entry as it stands now, with every event that touched it, the adding one first."""

    id: int
    payload: Mapping[str, Any]
    events: tuple[Event, ...]
    withdrawn: bool = False

    @property
    def corrected(self) -> bool:
        """Whether it was amended after it had been written."""
        return any(event.kind == "amend" for event in self.events)


def logged_entries(events: Iterable[Event]) -> tuple[LoggedEntry, ...]:
    """Every entry ever added, in table order, withdrawn ones included."""
    kept: dict[int, LoggedEntry] = {}
    for event in events:
        match event.kind:
            case "add":
                kept[event.seq] = LoggedEntry(event.seq, event.payload, (event,))
            case "amend" | "withdraw" | "restore" if event.entry in kept:
                old = kept[event.entry]
                payload = event.payload if event.kind == "amend" else old.payload
                out = event.kind == "withdraw" or (event.kind == "amend" and old.withdrawn)
                kept[event.entry] = LoggedEntry(old.id, payload, (*old.events, event), out)
    return tuple(kept.values())


def standing_entries(events: Iterable[Event]) -> tuple[LoggedEntry, ...]:
    """The entries that count."""
    return tuple(one for one in logged_entries(events) if not one.withdrawn)


def last_draft(events: Iterable[Event]) -> Any:
    """The deal in progress, or None: the last draft, unless an entry was added since."""
    found = None
    for event in events:
        if event.kind == "draft":
            found = event.payload
        elif event.kind == "add":
            found = None
    return found


def current_head(events: Iterable[Event], written: Mapping[str, Any]) -> dict[str, Any]:
    """The record's head as it stands after every correction of it."""
    changes = (event.payload for event in events if event.kind == "head")
    result = dict(written)
    for change in changes:
        result |= change
    return result


def attached_rulings(events: Iterable[Event]) -> tuple[Event, ...]:
    """The rulings that are attached to the match, in the order in which they were."""
    told = [event for event in events if event.kind == "ruling"]
    gone = {event.undoes for event in told if event.undoes}
    return tuple(event for event in told if not event.undoes and event.seq not in gone)


def undo_event(events: Iterable[Event]) -> Event | None:
    """The event that takes back the last change to an entry (its `seq` still 0), or None.

    What was taken back already is passed over, so that undoing again goes further back.
    """
    told = tuple(events)
    gone = {event.undoes for event in told if event.undoes}
    for event in reversed(told):
        if event.kind not in ("add", "amend", "withdraw") or event.undoes or event.seq in gone:
            continue
        match event.kind:
            case "add":
                return Event(0, "withdraw", event.seq, undoes=event.seq)
            case "withdraw":
                return Event(0, "restore", event.entry, undoes=event.seq)
            case "amend":
                before = logged_entries(one for one in told if one.seq < event.seq)
                payload = next(one.payload for one in before if one.id == event.entry)
                return Event(0, "amend", event.entry, payload, undoes=event.seq)
    return None
