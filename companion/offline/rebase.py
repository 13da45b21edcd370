"""Events that a phone recorded for itself, laid behind a log that others have gone on with.

Each is made a change again, and checked, as if it were recorded just now. What stands behind what others
wrote as well as it stood before is laid there, numbered on; the rest is set aside, with the reason, for a
person to decide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from companion.matches import Change, Match, NoSuchEntry, TooMany
from companion.matches.changes import check_room
from companion.matches.match import continue_match
from companion.offline.received import read_change
from companion.record.log import CHANGES, Event
from companion.rules.errors import Unreadable
from companion.rules.ruling import RuleViolation

Why = Literal["overtaken", "rests", "refused", "writer", "gone"]
"""Why an event was set aside: others wrote what changes its meaning; it rests on another that is set aside;
it breaks a rule, or the match has no room for it; this phone may not write; the match is gone."""

REFUSED = (Unreadable, RuleViolation, NoSuchEntry, TooMany)
"""What speaks against a change, beside what others wrote."""


@dataclass(frozen=True, slots=True)
class KeyedEvent:
    """An event with the key of the form that wrote it."""

    event: Event
    key: str


@dataclass(slots=True)
class Laid:
    """What has become of unsent events: the match with those that could be laid, these, and the others.

    `aside` says why they could not be. `numbers` tells which number each goes by now, by that which it had;
    also of those that were there already.
    """

    match: Match
    events: list[KeyedEvent] = field(default_factory=list)
    aside: list[tuple[KeyedEvent, Why]] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)


def lay(
    match: Match,
    keys: Sequence[str],
    seen: int,
    unsent: Sequence[KeyedEvent],
    refused: Mapping[str, Why] | None = None,
) -> Laid:
    """Lay unsent events behind the log of a match.

    `keys` are those of its events. The unsent ones were written when the phone had seen the first `seen` of
    them: numbers up to that are the same in both. Those whose keys are `refused` are set aside at once.
    """
    present = {key: seq for seq, key in enumerate(keys, 1) if key}
    own = {one.key for one in unsent}
    theirs = [event for event, key in zip(match.events[seen:], keys[seen:], strict=True) if key not in own]
    laid = Laid(match)
    for one in unsent:
        if one.key in present:
            laid.numbers[one.event.seq] = present[one.key]
            continue
        why = (refused or {}).get(one.key) or _lay_next(laid, one, seen, theirs)
        if why is not None:
            laid.aside.append((one, why))
    return laid


def _lay_next(laid: Laid, one: KeyedEvent, seen: int, theirs: Sequence[Event]) -> Why | None:
    """Lay one event more; or why it cannot be."""
    moved = renumber(one.event, seen, laid.numbers)
    if moved is None:
        return "rests"
    try:
        change = read_change(laid.match, moved)
    except REFUSED:
        return "overtaken" if theirs else "rests"
    if any(map(change.is_made_stale_by, theirs)):
        return "overtaken"
    if any(change.is_made_stale_by(other.event) for other, _why in laid.aside):
        # It was written on top of what is not there: that is as much as if something had come between.
        return "rests"
    try:
        event = make_event(laid.match, change, one.event)
    except REFUSED:
        return "refused"
    if event is not None:
        laid.match = continue_match(laid.match, (event,))
        laid.events.append(KeyedEvent(event, one.key))
        laid.numbers[one.event.seq] = event.seq
    return None


def make_event(match: Match, change: Change, written: Event) -> Event | None:
    """The event of a change as the next of a log, by the author and with the time of one that was written.

    None where nothing is left to be done.

    :raises Unreadable, RuleViolation, NoSuchEntry, TooMany: when the match cannot be changed so.
    """
    check_room(match, change)
    change.check(match)
    event = change.event(match)
    if event is None:
        return None
    return replace(event, seq=match.seq + 1, author=written.author, at=written.at)


def renumber(event: Event, seen: int, numbers: Mapping[int, int]) -> Event | None:
    """The event, naming what it is about by other numbers; None where that has none.

    Numbers up to `seen` stay as they are.
    """
    try:
        entry, undoes = (_find(n, seen, numbers) for n in (event.entry, event.undoes))
        return replace(event, entry=entry, undoes=undoes, payload=_renumber_said(event, seen, numbers))
    except KeyError:
        return None


def _find(n: int | None, seen: int, numbers: Mapping[int, int]) -> int | None:
    return n if n is None or n <= seen else numbers[n]


def _renumber_said(event: Event, seen: int, numbers: Mapping[int, int]) -> Any:
    """What a ruling or the end of an objection says, with the number that the objection goes by."""
    if event.kind not in ("settle", "ruling") or not event.payload or "objection" not in event.payload:
        return event.payload
    return {**event.payload, "objection": _find(event.payload["objection"], seen, numbers)}


def reread(match: Match, event: Event) -> Change:
    """The change that an event was, to be made of a match that has gone on since.

    What took back the last change then does by itself what it did.

    :raises Unreadable: when it can be no event of this log.
    """
    try:
        return read_change(match, event)
    except Unreadable:
        if event.undoes is None or event.kind not in CHANGES:
            raise
    return read_change(match, replace(event, undoes=None))
