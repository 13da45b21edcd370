"""The rebase of a phone's log: its unsent events are put behind what others wrote meanwhile.

A pure function of two logs. Each unsent event is read as a change again and checked as if it were recorded
just now. If it means the same behind what others wrote it follows there, with another number; the rest are
conflicts, each with its reason, for a person to resolve.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from companion.matches import Match, NoSuchEntry, TooMany
from companion.matches.match import continue_match
from companion.record.log import Event
from companion.rules.errors import Unreadable
from companion.rules.ruling import RuleViolation

from .changes import make_event, read_change

ConflictReason = Literal["overtaken", "rests", "refused", "writer", "gone"]
"""The reason of a conflict, in this order.

Others wrote what changes the meaning of the event; it rests on another that is in conflict; it breaks a rule,
or the match has no room for it; this phone may not write; the match is gone.
"""

REFUSED = (Unreadable, RuleViolation, NoSuchEntry, TooMany)
"""The errors that refuse a change, whatever others wrote."""


@dataclass(frozen=True, slots=True)
class KeyedEvent:
    """An event with the key of the form that wrote it."""

    event: Event
    key: str

    def is_same(self, other: "KeyedEvent") -> bool:
        """True if both logs contain the very same event."""
        return self.key == other.key and _content(self.event) == _content(other.event)


@dataclass(slots=True)
class Rebased:
    """The result of a rebase: the match with the events that could follow, these, and the conflicts.

    `numbers` maps the old number of each event to its new one, also of events that were there already.
    """

    match: Match
    events: list[KeyedEvent] = field(default_factory=list)
    conflicts: list[tuple[KeyedEvent, ConflictReason]] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)


def _content(event: Event) -> tuple[Any, ...]:
    return event.kind, event.entry, event.payload, event.undoes


def rebase(
    match: Match,
    keys: Sequence[str],
    seen: int,
    unsent: Iterable[KeyedEvent],
    refused: Mapping[str, ConflictReason] | None = None,
) -> Rebased:
    """Apply unsent events on top of the server's log of a match.

    `keys` are those of its events. The unsent ones were written when the phone had seen the first `seen` of
    them: numbers up to that are the same in both. Events whose keys are `refused` are conflicts at once;
    events whose keys are in the log already are not written again.
    """
    unsent = list(unsent)
    present = {key: seq for seq, key in enumerate(keys, 1) if key}
    own = {keyed.key for keyed in unsent}
    theirs = [event for event, key in zip(match.events[seen:], keys[seen:], strict=True) if key not in own]
    result = Rebased(match)
    for keyed in unsent:
        if keyed.key in present:
            result.numbers[keyed.event.seq] = present[keyed.key]
            continue
        reason = (refused or {}).get(keyed.key) or _rebase_next(result, keyed, seen, theirs)
        if reason is not None:
            result.conflicts.append((keyed, reason))
    return result


def _rebase_next(
    result: Rebased, keyed: KeyedEvent, seen: int, theirs: Sequence[Event]
) -> ConflictReason | None:
    """Apply the next event, or return why it is in conflict."""
    renumbered = renumber(keyed.event, seen, result.numbers)
    if renumbered is None:
        return "rests"
    try:
        change = read_change(result.match, renumbered)
    except REFUSED:
        return "overtaken" if theirs else "rests"
    if any(map(change.is_made_stale_by, theirs)):
        return "overtaken"
    if any(change.is_made_stale_by(other.event) for other, _reason in result.conflicts):
        # Its base event is in conflict, so this one is too.
        return "rests"
    try:
        event = make_event(result.match, change, keyed.event)
    except REFUSED:
        return "refused"
    if event is not None:
        result.match = continue_match(result.match, (event,))
        result.events.append(KeyedEvent(event, keyed.key))
        result.numbers[keyed.event.seq] = event.seq
    return None


def renumber(event: Event, seen: int, numbers: Mapping[int, int]) -> Event | None:
    """Renumber what an event refers to by the new `numbers`; None if something has no new one.

    Numbers up to `seen` stay as they are.
    """
    try:
        entry, undoes = (_find_number(n, seen, numbers) for n in (event.entry, event.undoes))
        return replace(event, entry=entry, undoes=undoes, payload=_renumber_payload(event, seen, numbers))
    except KeyError:
        return None


def _find_number(n: int | None, seen: int, numbers: Mapping[int, int]) -> int | None:
    return n if n is None or n <= seen else numbers[n]


def _renumber_payload(event: Event, seen: int, numbers: Mapping[int, int]) -> Any:
    """Renumber the objection in the payload of a ruling, or of the end of an objection."""
    if event.kind not in ("settle", "ruling") or not event.payload or "objection" not in event.payload:
        return event.payload
    return {**event.payload, "objection": _find_number(event.payload["objection"], seen, numbers)}
