"""The way of an attack round the table: from the attacker, past all who transferred it, to the defender."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin

from companion.rules.seats import Ring, Seat

_REACH = 40.0
"""The distance of the first arrow from the middle of the table, which is 100 wide and high."""
_TURN = 6.0
"""The distance by which each further arrow of a way is nearer to the middle than the one before."""
_SPACE = 0.17
"""The gap at either end of such an arrow, where the next one begins; an angle in radians."""


@dataclass(frozen=True)
class Arrow:
    """A bow and its head, as paths of a drawing of 100 by 100 with the table's middle at 50, 50.

    `passed` is true if the attack went on from where it leads.
    """

    line: str
    head: str
    passed: bool = False


def draw_way(ring: Ring, path: Sequence[Seat]) -> tuple[Arrow, ...]:
    """Draw the way of an attack round the table: an arrow from each seat of its path to the next one.

    The last one leads to the defender. It goes clockwise, and between teams that attack in turn the shorter
    way. Each arrow is a little nearer to the middle than the one before, so that a way of several rounds
    stays clear.
    """
    hops = [*pairwise(path)]
    return tuple(_draw_bow(ring, n, *hop, passed=hop is not hops[-1]) for n, hop in enumerate(hops))


def _draw_bow(ring: Ring, n: int, seat: Seat, following: Seat, passed: bool) -> Arrow:
    """Draw the nth arrow of a way, counted from 0, round the middle of the table."""
    reach = max(_REACH - _TURN * n, _TURN)
    steps = (ring.seats.index(following) - ring.seats.index(seat)) % ring.size
    turn = -1 if ring.partnerships and steps > ring.size / 2 else 1
    begin = pi / 2 + 2 * pi * ring.seats.index(seat) / ring.size + turn * _SPACE
    sweep = 2 * pi * (steps if turn > 0 else ring.size - steps) / ring.size - 2 * _SPACE
    start, end = _point_at(begin, reach), _point_at(begin + turn * sweep, reach)
    curve = f"A{reach:g} {reach:g} 0 {int(sweep > pi)} {int(turn > 0)}"
    # The head of a bow lies along its last part, not along the tangent at its end.
    ahead = begin + turn * (sweep - 5 / reach + pi / 2)
    return Arrow(f"M{_format_point(start)}{curve} {_format_point(end)}", _draw_head(end, ahead), passed)


def _draw_head(end: tuple[float, float], angle: float) -> str:
    """Draw the head of an arrow that comes to its end in this direction."""
    ahead = cos(angle), sin(angle)
    barbs = [
        (end[0] - 11 * ahead[0] + turn * 7 * ahead[1], end[1] - 11 * ahead[1] - turn * 7 * ahead[0])
        for turn in (1, -1)
    ]
    return f"M{_format_point(barbs[0])}L{_format_point(end)}L{_format_point(barbs[1])}"


def _point_at(angle: float, reach: float) -> tuple[float, float]:
    return 50 + reach * cos(angle), 50 + reach * sin(angle)


def _format_point(point: tuple[float, ...]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
