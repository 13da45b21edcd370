"""The way of an attack across the table: from who attacked, past whoever transferred it, to who defends."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, pi, sin

from companion.rules.seats import Ring, Seat

_REACH = 40.0
"""How far from the middle of the table the arrow begins and ends; the table is 100 wide and high."""
_BEND = 0.35
"""How far its middle keeps from the middle of the table, as a part of the reach; 0 would go through it."""
_BESIDE = 22.0
"""How far beside the straight line those go between two players who sit opposite each other, one each way."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Arrow:
    """A bent line and its head, as paths of a drawing of 100 by 100 with the table's middle at 50, 50.

    `passed` says that the attack went on from where it leads.
    """

    line: str
    head: str
    passed: bool = False


def draw_way(ring: Ring, path: Sequence[Seat]) -> list[Arrow]:
    """The arrows from seat to seat of a ring that goes clockwise from A, who sits in front.

    The last one leads to who defends. Where the attack went back between two players, each way has its side.
    """
    hops = [*pairwise(path)]
    return [
        _draw_hop(ring, start, end, passed=n < len(hops) - 1, beside=_BESIDE * (len(hops) > 1))
        for n, (start, end) in enumerate(hops)
    ]


def _draw_hop(ring: Ring, attacker: Seat, defender: Seat, passed: bool, beside: float) -> Arrow:
    start, end = _seat_point(ring, attacker), _seat_point(ring, defender)
    middle = (50 + _BEND * (start[0] + end[0] - 100) / 2, 50 + _BEND * (start[1] + end[1] - 100) / 2)
    across = (end[0] - start[0], end[1] - start[1])
    if (
        hypot(middle[0] - 50, middle[1] - 50) < 1
    ):  # opposite each other: straight through the middle, or beside it
        far = beside / hypot(*across)
        middle = (50 - far * across[1], 50 + far * across[0])
    along = (end[0] - middle[0], end[1] - middle[1])
    ahead = (along[0] / hypot(*along), along[1] / hypot(*along))
    wide = 7 if not passed else 5
    barbs = [
        (end[0] - 11 * ahead[0] + turn * wide * ahead[1], end[1] - 11 * ahead[1] - turn * wide * ahead[0])
        for turn in (1, -1)
    ]
    return Arrow(
        f"M{_format_point(start)}Q{_format_point(middle)} {_format_point(end)}",
        f"M{_format_point(barbs[0])}L{_format_point(end)}L{_format_point(barbs[1])}",
        passed,
    )


def _seat_point(ring: Ring, seat: Seat) -> Point:
    angle = pi / 2 + 2 * pi * ring.seats.index(seat) / ring.size
    return 50 + _REACH * cos(angle), 50 + _REACH * sin(angle)


def _format_point(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
