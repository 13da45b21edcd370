"""Arrows on the table: across it to who defends, and round it where an attack was passed on."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin

from companion.rules.seats import Ring, Seat

_REACH = 40.0
"""How far from the middle of the table the arrow begins and ends; the table is 100 wide and high."""
_BEND = 0.35
"""How far its middle keeps from the middle of the table, as a part of the reach; 0 would go through it."""

_TURN = 6.0
"""By how much each further arrow of a way round the table is nearer to the middle than the one before."""
_SPACE = 0.17
"""What such an arrow leaves free at either end, where the next one begins; an angle in radians."""


@dataclass(frozen=True)
class Arrow:
    """A bent line and its head, as paths of a drawing of 100 by 100 with the table's middle at 50, 50."""

    line: str
    head: str


def draw_arrow(ring: Ring, attacker: Seat, defender: Seat) -> Arrow:
    """The arrow between two seats of a ring that goes clockwise from A, who sits in front."""
    start, end = _seat_point(ring, attacker), _seat_point(ring, defender)
    middle = tuple(50 + _BEND * (a + b - 100) / 2 for a, b in zip(start, end, strict=True))
    if ring.size == 2:  # straight through the middle
        middle = (50.0, 50.0)
    along = (end[0] - middle[0], end[1] - middle[1])
    return Arrow(
        f"M{_format_point(start)}Q{_format_point(middle)} {_format_point(end)}", _draw_head(end, along)
    )


def draw_way(ring: Ring, path: Sequence[Seat]) -> tuple[Arrow, ...]:
    """The way of an attack round the table: an arrow from each seat of its path to the next one.

    It goes clockwise, and where teams attack in turn the shorter way. Each arrow is a little nearer to
    the middle than the one before, so that a way round and round can be followed.
    """
    return tuple(_draw_bow(ring, *pair, _REACH - _TURN * min(n, 3)) for n, pair in enumerate(pairwise(path)))


def _draw_bow(ring: Ring, seat: Seat, following: Seat, reach: float) -> Arrow:
    """An arrow round the middle of the table, so far from it."""
    steps = (ring.seats.index(following) - ring.seats.index(seat)) % ring.size
    turn = -1 if ring.partnerships and steps > ring.size / 2 else 1
    begin = _seat_angle(ring, seat) + turn * _SPACE
    sweep = 2 * pi * (steps if turn > 0 else ring.size - steps) / ring.size - 2 * _SPACE
    start, end = _point_at(begin, reach), _point_at(begin + turn * sweep, reach)
    curve = f"A{reach:g} {reach:g} 0 {int(sweep > pi)} {int(turn > 0)}"
    # The head of a bow lies along its last part, not along the line that touches it in its end.
    ahead = begin + turn * (sweep - 5 / reach + pi / 2)
    head = _draw_head(end, (cos(ahead), sin(ahead)))
    return Arrow(f"M{_format_point(start)}{curve} {_format_point(end)}", head)


def _draw_head(end: tuple[float, float], along: tuple[float, float]) -> str:
    """The head of an arrow that comes to its end in this direction."""
    length = (along[0] ** 2 + along[1] ** 2) ** 0.5
    ahead = (along[0] / length, along[1] / length)
    barbs = [
        (end[0] - 11 * ahead[0] + turn * 7 * ahead[1], end[1] - 11 * ahead[1] - turn * 7 * ahead[0])
        for turn in (1, -1)
    ]
    return f"M{_format_point(barbs[0])}L{_format_point(end)}L{_format_point(barbs[1])}"


def _seat_angle(ring: Ring, seat: Seat) -> float:
    return pi / 2 + 2 * pi * ring.seats.index(seat) / ring.size


def _point_at(angle: float, reach: float) -> tuple[float, float]:
    return 50 + reach * cos(angle), 50 + reach * sin(angle)


def _seat_point(ring: Ring, seat: Seat) -> tuple[float, float]:
    return _point_at(_seat_angle(ring, seat), _REACH)


def _format_point(point: tuple[float, ...]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
