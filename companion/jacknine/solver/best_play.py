"""Values of best play before and after each card of a deal, all hands known."""

from collections.abc import Iterator, Sequence
from typing import Any

from .claim import CapotRace, PointRace
from .endgame import Endgame, Position, find_start, play_card
from .facts import Effort, SearchLimit
from .race import Race


def value_plays(
    ending: Endgame, side: frozenset[int], plays: Sequence[int], effort: Effort, gain: int = 0
) -> list[int | None]:
    """Find the points that a side makes with best play by all: before each play, and after the last.

    `plays` are cards to be played, to the end; a side with every trick gets `gain` from the other. The search
    goes from the last play back; None for plays that the effort did not reach.
    """
    race: Race[Any] = CapotRace(ending, side, effort, gain) if gain else PointRace(ending, side, effort)
    *path, (_end, made) = _follow_plays(race, plays, (0, None) if gain else 0)
    value = made[0] if gain else made
    values: list[int | None] = [value]
    try:
        for at, made in reversed(path):
            value = _find_value(race, at, made, value, gain)
            values.append(value)
    except SearchLimit:
        values += [None] * (len(plays) + 1 - len(values))
    return values[::-1]


def _follow_plays(race: Race[Any], plays: Sequence[int], made: Any) -> Iterator[tuple[Position, Any]]:
    """Follow the plays: the position before each and after the last, and the points of the side by then."""
    at = find_start(race.ending)
    for card in plays:
        yield at, made
        at = play_card(race.ending, at, card)
        if at.lying == len(race.ending.hands):
            made = race.add_trick(made, at.winner, at.worth, at.left)
            at = Position(at.left, at.left, at.winner)
    yield at, made


def _find_value(race: Race[Any], at: Position, made: Any, after: int, gain: int) -> int:
    """Find the value of the position before a card that led to `after`.

    Whoever plays does no worse than with that card; mostly it was the best, so that is tried first.
    """
    points = made[0] if gain else made
    low: int = points - gain
    high: int = points + race.ending.count_points(at.start) + race.ending.last + gain
    if at.seat in race.side:
        low, need = after, after + 1
    else:
        high, need = after, after
    while low < high:
        race.need = need
        found = race.search(*at, made)
        low, high = (found, high) if found >= need else (low, found)
        need = (low + high + 1) // 2
    return low
