"""An evening: the matches that follow each other."""

from typing import Any

from companion import store

from . import matches
from .matches import Match

_MOST = 40


def chain(match: Match) -> list[Match]:
    """The matches of the evening up to this one, oldest first."""
    return [match, *_before(match)][::-1]


def _before(match: Match) -> list[Match]:
    """The matches before this one, the nearest first, as far as the same seats are filled."""
    found: list[Match] = []
    seen, one = {match.id}, match
    while len(found) < _MOST:
        earlier = _load(one.head.get("follows"))
        if earlier is None or earlier.id in seen or earlier.owner != match.owner:
            break
        if earlier.game.family_name != match.game.family_name or earlier.state.ring != match.state.ring:
            break
        seen.add(earlier.id)
        found.append(earlier)
        one = earlier
    return found


def _load(id: Any) -> Match | None:
    stored = store.load(id) if isinstance(id, str) else None
    if stored is None:
        return None
    try:
        return matches.made(stored)
    except ValueError:
        return None
