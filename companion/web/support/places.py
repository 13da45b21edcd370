"""Where an entry stands in its match, and what it would come to there."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from flask import abort

from companion.record import record as records
from companion.rules.schema import Unreadable

from .matches import Match


@dataclass(frozen=True)
class EntryPlace:
    """Where an entry stands in its match: a new one at the end, or one that is put right.

    `before` is the state it is folded on, `n` its number from 1, `kept` what it says so far.
    """

    match: Match
    n: int
    before: Any
    id: int | None = None
    kept: Mapping[str, Any] = field(default_factory=dict)


def entry_place(match: Match, id: int | None = None) -> EntryPlace:
    """The place of a new entry, or of the one with this id; a withdrawn one stands where it stood."""
    if id is None:
        return EntryPlace(match, len(match.standing) + 1, match.state)
    kept = match.entry(id)
    if kept is None:
        abort(404)
    n = 1 + sum(1 for one in match.standing if one.id < id)
    earlier = replace(match.record, entries=match.record.entries[: n - 1])
    return EntryPlace(match, n, records.fold_record(earlier, match.game.family), id, kept.payload)


def describe_result(where: EntryPlace, entry: Any) -> str:
    """What an entry comes to at this place, in one sentence; nothing where it cannot be read."""
    family = where.match.game.family
    try:
        told = family.read(entry, f"entries[{where.n - 1}]")
    except Unreadable:
        return ""
    return where.match.say(family.apply(where.before, told).rows[-1].why)
