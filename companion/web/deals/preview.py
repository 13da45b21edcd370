"""The result that an entry would have if it were saved now."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from companion.jacknine.state import JackNineRow
from companion.matches import EntryPlace
from companion.matches.changes import Tried
from companion.record import record as records
from companion.rules.errors import Unreadable
from companion.rules.game import GameState
from companion.web.shell.text import say

from .faults import DealFault, fault_from_error, fault_from_problem, list_field_faults, strip_entry

_LOOKED_AHEAD = 500
"""The most later entries tried while a correction is typed."""


@dataclass(frozen=True)
class EntryPreview:
    """The result of an entry: its row, the state after it, its mistakes, and what is missing.

    `end` is the state after all entries of the match, later ones included; `misfits` are the ids of those
    that would no longer fit, each with a sentence that says why. Very many later entries are not tried.
    """

    row: JackNineRow | None = None
    after: GameState | None = None
    end: GameState | None = None
    misfits: tuple[tuple[int, str], ...] = ()
    mistakes: tuple[DealFault, ...] = ()
    missing: tuple[DealFault, ...] = ()
    unreadable: bool = False
    tried: Tried | None = None


def preview_entry(
    place: EntryPlace, entry: Mapping[str, Any], faults: Mapping[str, Iterable[object]]
) -> EntryPreview:
    """Work out the result of the entry if it were saved now."""
    family, missing = place.match.game.family, tuple(list_field_faults(place.match, faults))
    try:
        tried = records.try_entry(family, place.n, entry, place.before)
    except Unreadable as error:
        if {"auction", "contract"} & set(faults):
            return EntryPreview(missing=missing)
        return EntryPreview(
            mistakes=(fault_from_error(place.match, error),), missing=missing, unreadable=True
        )
    after, row = tried.after, cast(JackNineRow, tried.after.rows[-1])
    mistakes = []
    for problem in after.problems:
        if problem.entry != row.n:
            continue
        fault = fault_from_problem(place.match, problem)
        if _has_path(entry, strip_entry(problem.field)):
            mistakes.append(fault)
        elif fault.slot != "points" or not any(other.slot.startswith("points-") for other in missing):
            missing += (fault,)
    following = place.match.record.entries[place.following :]
    end, misfits = after, tuple[tuple[int, str], ...]()
    if 0 < len(following) <= _LOOKED_AHEAD:
        later = replace(place.match.record, entries=following)
        end = records.fold_record(later, family, after)
        misfits = _find_misfits(place, end)
    return EntryPreview(row, after, end, misfits, tuple(mistakes), missing, tried=tried)


def _find_misfits(place: EntryPlace, end: GameState) -> tuple[tuple[int, str], ...]:
    """The later entries that fit now and would not any more, by id, each with the first reason."""
    match, reasons = place.match, dict[int, str]()
    for problem in end.problems:
        n = problem.entry - (place.n - place.following)  # its number now
        if problem.entry > place.n and not match.problems(n):
            reasons.setdefault(match.standing_entries[n - 1].id, say(match, problem.reason))
    return tuple(reasons.items())


def _has_path(entry: Any, path: str) -> bool:
    """True if the entry has something at this path, such as `count.cards`."""
    for key in re.findall(r"[^.\[\]]+", path):
        if isinstance(entry, Mapping) and key in entry:
            entry = entry[key]
        elif isinstance(entry, list) and key.isdigit() and int(key) < len(entry):
            entry = entry[int(key)]
        else:
            return False
    return True
