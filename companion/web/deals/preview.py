"""What a deal comes to before it is saved: its row, the state after it, and what is wrong with it where."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from flask_babel import lazy_gettext as _l

from companion.jacknine.state import JackNineRow
from companion.matches import EntryPlace, Match
from companion.matches.changes import Tried
from companion.record import record as records
from companion.rules.errors import Unreadable
from companion.rules.game import GameState
from companion.rules.ruling import Problem
from companion.web.shell.text import requirement, say

from .form import DealForm

_LOOKED_AHEAD = 500
"""Later entries that are tried while a correction is typed."""


@dataclass(frozen=True)
class EntryPreview:
    """What an entry would come to: its row and the state after it, what is wrong, what is still missing.

    `end` is the state after all entries of the match where later ones follow; `misfits` are the ids of those
    that would no longer fit, each with a sentence that says why. Where very many follow they are not tried.
    """

    row: JackNineRow | None = None
    after: GameState | None = None
    end: GameState | None = None
    misfits: tuple[tuple[int, str], ...] = ()
    mistakes: tuple["DealFault", ...] = ()
    missing: tuple["DealFault", ...] = ()
    unreadable: bool = False
    tried: Tried | None = None

    @property
    def fits(self) -> bool:
        """Whether it can be saved."""
        return self.row is not None and not self.mistakes and not self.missing


@dataclass(frozen=True)
class DealFault:
    """One sentence at one place (`slot`) of the page, with the id of the rule it rests on."""

    slot: str
    text: str
    rule: str = ""


def preview_entry(
    place: EntryPlace, entry: Mapping[str, Any], faults: Mapping[str, Iterable[object]]
) -> EntryPreview:
    """What the entry would come to if it were saved now."""
    family, missing = place.match.game.family, tuple(_form_faults(faults))
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
        fault = DealFault(
            find_slot(_strip_entry(problem.field)), say(place.match, problem.reason), problem.rule
        )
        if _has_path(entry, _strip_entry(problem.field)):
            mistakes.append(fault)
        else:
            missing += (fault,)
    end, misfits, behind = after, tuple[tuple[int, str], ...](), len(place.match.record.entries) - place.n
    if place.id is not None and 0 < behind <= _LOOKED_AHEAD:
        later = replace(place.match.record, entries=place.match.record.entries[place.n :])
        end = records.fold_record(later, family, after)
        misfits = _find_misfits(place, end)
    return EntryPreview(row, after, end, misfits, tuple(mistakes), missing, tried=tried)


def _find_misfits(place: EntryPlace, end: GameState) -> tuple[tuple[int, str], ...]:
    """The entries behind a place that fit now and would not any more, by id, each with the first reason."""
    match, reasons = place.match, dict[int, str]()
    for problem in end.problems:
        n = problem.entry
        if n > place.n and not match.problems(n):
            reasons.setdefault(match.standing_entries[n - 1].id, say(match, problem.reason))
    return tuple(reasons.items())


def fault_from_error(match: Match, error: Unreadable) -> DealFault:
    """What cannot be read as a fault of the page."""
    return DealFault(find_slot(_strip_entry(error.path)), requirement(error, partial(say, match)))


def faults_from_problems(match: Match, problems: Iterable[Problem]) -> tuple[DealFault, ...]:
    """A refusal's problems as faults of the page."""
    return tuple(
        DealFault(find_slot(_strip_entry(problem.field)), say(match, problem.reason), problem.rule)
        for problem in problems
    )


def _form_faults(faults: Mapping[str, Iterable[object]]) -> list[DealFault]:
    return [DealFault(find_slot(path), str(text)) for path, texts in faults.items() for text in texts]


def _strip_entry(path: str) -> str:
    """A path without the entry's own place: `entries[2].count.cards` becomes `count.cards`."""
    return re.sub(r"^entries\[\d+\]\.?", "", path)


def _has_path(entry: Any, path: str) -> bool:
    """Whether the entry says anything at this path, such as `count.cards`."""
    for key in re.findall(r"[^.\[\]]+", path):
        if isinstance(entry, Mapping) and key in entry:
            entry = entry[key]
        elif isinstance(entry, list) and key.isdigit() and int(key) < len(entry):
            entry = entry[int(key)]
        else:
            return False
    return True


_SLOTS = (
    (r"(runs|fours)\[(\d+)\]", r"\1-\2"),
    (r"(?:count\.cards|totals)\.(\w+)", r"points-\1"),
    (r"count\.(jass|nine|last)", r"\1"),
    (r"count|totals", "points"),
    (r"turn_up|shown|exchanged|contract\.turned", "turn_up"),
    (r"(runs|fours|bela|last|tricks|trickless|forfeits|penalty|call|note)", r"\1"),
)


def find_slot(path: str) -> str:
    """The place on the page where a sentence about this path of the entry stands."""
    for pattern, name in _SLOTS:
        match = re.match(pattern, path)
        if match:
            return match.expand(name)
    return "bid"


def list_form_errors(form: DealForm) -> list[DealFault]:
    """What the form itself refuses: not a number, too long."""
    faults: list[DealFault] = []
    for name, errors in form.errors.items():
        if name is None or name == "csrf_token":
            continue
        at = re.sub(r"^(?:cards|total)_", "points-", name)
        at = {"after_trick": "call", "offer_other": "bid", "offer_deals": "bid", "calls": "bid"}.get(at, at)
        texts = [text for text in errors if not isinstance(text, dict)] or [_l("This cannot be read.")]
        faults += [DealFault(at, str(text)) for text in texts]
    return faults
