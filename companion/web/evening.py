"""An evening: the games that follow each other, with sets and stakes added up."""

from dataclasses import dataclass
from typing import Any

from companion import store

from . import matches
from .matches import Match

_MOST = 40


@dataclass(frozen=True)
class Game:
    """One finished game of an evening."""

    id: str
    number: int
    winner: str
    totals: dict[str, int]
    sets: dict[str, int]
    stakes: dict[str, int]


@dataclass(frozen=True)
class Evening:
    """The games so far, oldest first, and what they come to for each side."""

    games: tuple[Game, ...]
    sets: dict[str, int]
    stakes: dict[str, int]


def evening(match: Match) -> Evening | None:
    """The evening up to a match; None while it has no finished game but this one."""
    chain = [match, *_before(match)][::-1]
    sides = match.state.ring.sides
    games = tuple(
        Game(
            one.id,
            number,
            one.state.winner,
            dict(one.state.totals),
            dict(one.state.sets),
            dict(one.state.stakes),
        )
        for number, one in enumerate(chain, 1)
        if one.state.winner is not None
    )
    if len(chain) < 2 or not games:
        return None
    return Evening(
        games,
        {side: sum(game.sets[side] for game in games) for side in sides},
        {side: sum(game.stakes[side] for game in games) for side in sides},
    )


def _before(match: Match) -> list[Match]:
    """The matches before this one, the nearest first, as far as the same seats are filled."""
    found: list[Match] = []
    seen, one = {match.id}, match
    while len(found) < _MOST:
        earlier = _load(one.head.get("follows"))
        if earlier is None or earlier.id in seen or earlier.owner != match.owner:
            break
        if earlier.state.ring != match.state.ring or not hasattr(earlier.state, "sets"):
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
