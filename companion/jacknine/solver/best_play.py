"""What best play comes to before and after each card of a deal, all hands known."""

from collections.abc import Iterator, Sequence

from .claim import PointRace
from .endgame import Endgame, Position, find_start, play_card
from .facts import Effort, SearchLimit


def value_plays(
    ending: Endgame, side: frozenset[int], plays: Sequence[int], effort: Effort
) -> list[int | None]:
    """The points that a side makes with best play of all from there on: before each play, and after the last.

    `plays` are cards that might be played, to the end. It is searched from the last one back; None stands
    before those that the effort did not reach.
    """
    race = PointRace(ending, side, effort)
    *path, (_end, value) = _follow_plays(race, plays)
    values: list[int | None] = [value]
    try:
        for at, made in reversed(path):
            value = _find_value(race, at, made, value)
            values.append(value)
    except SearchLimit:
        values += [None] * (len(plays) + 1 - len(values))
    return values[::-1]


def _follow_plays(race: PointRace, plays: Sequence[int]) -> Iterator[tuple[Position, int]]:
    """The position before each play and after the last, and what the side has made by then."""
    at, made = find_start(race.ending), 0
    for card in plays:
        yield at, made
        at = play_card(race.ending, at, card)
        if at.lying == len(race.ending.hands):
            worth = at.worth + (0 if at.left else race.ending.last)
            made += worth if at.winner in race.side else 0
            at = Position(at.left, at.left, at.winner)
    yield at, made


def _find_value(race: PointRace, at: Position, made: int, after: int) -> int:
    """What the side makes from a position in which the card that was played leads to `after`.

    Whoever plays does no worse than with that card; mostly it was the best, so that is asked first.
    """
    low, high = made, made + race.ending.count_points(at.start) + race.ending.last
    if at.seat in race.side:
        low, need = after, after + 1
    else:
        high, need = after, after
    while low < high:
        race.need = need - made
        found = made + race.search(*at, 0)
        low, high = (found, high) if found >= need else (low, found)
        need = (low + high + 1) // 2
    return low
