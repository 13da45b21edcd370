"""The deal in progress, as far as it can be read: one that came with a record may hold anything."""

from contextlib import suppress
from typing import Any

from companion.matches import Match

from . import deal_game
from .form import field_data

_MAX_IN_LISTS = {"runs": 12, "fours": 8, "trickless": 6, "forfeits": 6}


def read_draft(match: Match) -> dict[str, Any]:
    """The facts of the draft that the form can show; empty while no deal is in progress."""
    draft, ruleset = match.draft, deal_game(match.game).ruleset
    readable: dict[str, Any] = {}
    for key, fact in draft.items() if isinstance(draft, dict) else ():
        with suppress(AttributeError, LookupError, TypeError, ValueError):
            if key == "contract" and not _is_contract(match, fact):
                continue
            if all(_fits_field(*pair) for pair in field_data({key: fact}, ruleset.run_order).items()):
                readable[key] = fact
    return readable


def _is_contract(match: Match, fact: Any) -> bool:
    suits = (*deal_game(match.game).ruleset.suits, "NT")
    return fact["declarer"] in match.state.ring.seats and fact["trump"] in suits


def _fits_field(name: str, value: Any) -> bool:
    """Whether a field of this name can hold the value: a text, or a few texts or groups of them."""
    if name not in _MAX_IN_LISTS:
        return isinstance(value, str)
    groups = [list(item.values()) if isinstance(item, dict) else [item] for item in value]
    return len(groups) <= _MAX_IN_LISTS[name] and all(
        isinstance(text, str) for group in groups for text in group
    )
