"""What logs and records come to, found out the plainest way."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from companion.record.log import CHANGES, Event, LoggedEntry, follow_change, put_back, take_back
from companion.record.record import Record
from companion.record.remarks import REASONS, read_remarks

KINDS = "aaaaaaiimmwwrruuuppdhnggoosrt"
"""The kinds of events that are drawn, each as often as it stands here: see `next_event`."""


def logged_entries(events: Iterable[Event]) -> list[LoggedEntry]:
    """Every entry ever added, in table order, withdrawn ones included."""
    entries: dict[int, LoggedEntry] = {}
    order: list[int] = []
    for event in events:
        match event.kind:
            case "add":
                order.insert(order.index(event.entry) if event.entry else len(order), event.seq)
                entries[event.seq] = LoggedEntry(event.seq, event.payload, (event,))
            case "amend" | "withdraw" | "restore" if event.entry in entries:
                entries[event.entry] = entries[event.entry].after(event)
    return [entries[id] for id in order]


def standing_entries(events: Iterable[Event]) -> list[LoggedEntry]:
    """The entries that count, in table order."""
    return [entry for entry in logged_entries(events) if not entry.withdrawn]


def current_head(events: Iterable[Event], written: Mapping[str, Any]) -> dict[str, Any]:
    """The record's head as it stands: `written` when the match began, with every correction since."""
    head = dict(written)
    for event in events:
        if event.kind == "head":
            head |= event.payload
    return head


def attached_rulings(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events that attached the match's rulings, oldest first, without those taken off since."""
    rulings = [event for event in events if event.kind == "ruling"]
    taken_off = {event.undoes for event in rulings if event.undoes}
    return tuple(event for event in rulings if not event.undoes and event.seq not in taken_off)


def undo_event(events: Iterable[Event]) -> Event | None:
    """The event that takes back the last change to an entry that holds (its `seq` still 0), or None.

    A change that was taken back already is passed over, so that undoing again goes further back; one that
    was put back is taken back again.
    """
    log = tuple(events)
    holding = _follow_changes(log)[0]
    if not holding:
        return None
    event = holding[-1]
    about = next((entry for entry in logged_entries(log) if entry.id == event.about), None)
    return take_back(event, about)


def put_back_event(events: Iterable[Event]) -> Event | None:
    """The event that brings back what was undone last (its `seq` still 0), or None."""
    undone = _follow_changes(events)[1]
    return put_back(*undone[-1][:2]) if undone else None


def _follow_changes(events: Iterable[Event]) -> tuple[list[Event], list[tuple[Event, ...]]]:
    """The changes of entries that hold, and those that can be put back, with their undos."""
    holding: list[Event] = []
    undone: list[tuple[Event, ...]] = []
    for event in events:
        if event.kind in CHANGES:
            follow_change(event, holding, undone)
    return holding, undone


def last_draft(events: Iterable[Event]) -> Any:
    """The deal in progress, or None: the last draft, unless an entry was added at the end since."""
    draft = None
    for event in events:
        if event.kind == "draft":
            draft = event.payload
        elif event.kind == "add" and event.entry is None:
            draft = None
    return draft


def undone_changes(events: Iterable[Event]) -> frozenset[int]:
    """The numbers of the changes of entries that do not hold: undone, and not put back since."""
    changes = [event for event in events if event.kind in CHANGES]
    holding, _undone = _follow_changes(changes)
    return frozenset(event.seq for event in changes if not event.undoes and event not in holding)


def withdraw_entry(record: Record, n: int) -> Record:
    """The record without its n-th entry, counted from 1, and without the remarks on it."""
    remarks = tuple(
        replace(remark, entry=remark.entry - 1) if remark.entry > n else remark
        for remark in record.remarks
        if remark.entry != n
    )
    return replace(record, entries=record.entries[: n - 1] + record.entries[n:], remarks=remarks)


def next_event(kind: str, events: list[Event], payload: Any, n: int) -> Event | None:
    """One more event of those that the application writes; None where it would write none."""
    logged = logged_entries(events)
    ids = {flag: [entry.id for entry in logged if entry.withdrawn is flag] for flag in (True, False)}
    standing = ids[False][n % len(ids[False])] if ids[False] else 0
    withdrawn = ids[True][n % len(ids[True])] if ids[True] else 0
    doubts, side = read_remarks(events).open, "AB"[n % 2]
    match kind:
        case "a":
            return Event(0, "add", payload=payload)
        case "i" if standing:
            return Event(0, "add", standing, payload)
        case "m" if standing:
            return Event(0, "amend", standing, payload)
        case "w" if standing:
            return Event(0, "withdraw", standing)
        case "r" if withdrawn:
            return Event(0, "restore", withdrawn)
        case "u":
            return undo_event(events)
        case "p":
            return put_back_event(events)
        case "d":
            return Event(0, "draft", payload={"type": "deal"} if n % 2 else None)
        case "h":
            return Event(0, "head", payload={"first_dealer": side})
        case "n":
            return Event(0, "head", payload={"place": str(n)})
        case "g" if standing:
            return Event(0, "agree", standing, {"side": side})
        case "o" if standing:
            reason = REASONS[n % len(REASONS)]
            return Event(0, "object", standing, {"side": side, "reason": reason, "text": str(n)})
        case "s" if doubts:
            return Event(0, "settle", doubts[0].entry, {"objection": doubts[0].seq})
        case "t" if doubts and n % 3:
            return Event(0, "ruling", doubts[0].entry, {"id": "r", "objection": doubts[0].seq})
        case "t" if attached_rulings(events):
            return Event(0, "ruling", undoes=attached_rulings(events)[-1].seq)
        case "t":
            return Event(0, "ruling", standing or None, {"id": "r"})
        case _:
            return None


@st.composite
def logs(
    draw: st.DrawFn, entries: Sequence[Any] | None = None, most: int = 24, kinds: str = KINDS
) -> list[Event]:
    """A log in which everything is written that can be; without entries, no two of the same content."""
    events: list[Event] = []
    for kind, n in draw(st.lists(st.tuples(st.sampled_from(kinds), st.integers(0, 11)), max_size=most)):
        payload = entries[n % len(entries)] if entries else {"n": len(events)}
        event = next_event(kind, events, payload, n)
        if event is not None:
            author = event.author or f"phone {'AB'[n % 2]}"
            events.append(replace(event, seq=len(events) + 1, author=author, at=str(n)))
    return events
