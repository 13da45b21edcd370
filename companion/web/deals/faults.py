"""Faults of a deal, as sentences in the slots of its page."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from flask_babel import lazy_gettext as _l

from companion.matches import Match
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.ruling import Problem
from companion.web.shell.text import requirement, say

from .form import DealForm


@dataclass(frozen=True)
class DealFault:
    """One sentence in one slot of the page, with the id of the rule that it cites."""

    slot: str
    text: str
    rule: str = ""


def fault_from_error(match: Match, error: Unreadable) -> DealFault:
    """Turn an unreadable fact into a fault of the page."""
    return DealFault(find_slot(error.path), requirement(error, partial(say, match)))


def fault_from_problem(match: Match, problem: Problem) -> DealFault:
    """Turn a broken rule into a fault of the page."""
    return DealFault(find_slot(problem.field), say(match, problem.reason), problem.rule)


def list_field_faults(match: Match, faults: Mapping[str, Iterable[object]]) -> list[DealFault]:
    """Turn what is wrong with single fields, by their paths in the entry, into faults of the page."""
    return [
        DealFault(find_slot(path), say(match, text) if isinstance(text, Message) else str(text))
        for path, texts in faults.items()
        for text in texts
    ]


def strip_entry(path: str) -> str:
    """The path without the entry's own index: `entries[2].count.cards` becomes `count.cards`."""
    return re.sub(r"^entries\[\d+\]\.?", "", path)


_SLOTS = (
    (r"(runs|fours)\[(\d+)\]", r"\1-\2"),
    (r"(?:count\.cards|count\.points|totals)\.(\w+)", r"points-\1"),
    (r"count\.(jass|nine|last)", r"\1"),
    (r"count|totals", "points"),
    (r"contract\.points", "bid_other"),
    (r"turn_up|shown|exchanged|contract\.turned", "turn_up"),
    (r"(runs|fours|bela|belot|last|tricks|trickless|alone|forfeits|penalty|false_melds|call|note)", r"\1"),
)


def find_slot(path: str) -> str:
    """The slot of the page for a sentence about this path of the entry."""
    in_entry = strip_entry(path)
    for pattern, name in _SLOTS:
        match = re.match(pattern, in_entry)
        if match:
            return match.expand(name)
    return "bid"


def list_form_errors(form: DealForm) -> list[DealFault]:
    """The faults that the form itself finds: not a number, too long."""
    faults: list[DealFault] = []
    for name, errors in sorted(form.errors.items(), key=lambda error: error[0] == "note"):
        if name is None or name == "csrf_token":
            continue
        at = re.sub(r"^(?:cards|points|total)_", "points-", re.sub(r"^false_\w+", "false_melds", name))
        at = {
            "after_trick": "call",
            "offer_other": "bid",
            "offer_deals": "bid",
            "calls": "bid",
        }.get(at, at)
        texts = [text for text in errors if not isinstance(text, dict)] or [_l("This cannot be read.")]
        faults += [DealFault(at, str(text)) for text in texts]
    return faults
