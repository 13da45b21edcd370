"""The arrow across the table: from who attacks first to who defends first."""

from dataclasses import dataclass
from math import cos, pi, sin

from companion.rules.seats import Ring, Seat

_REACH = 40.0
"""How far from the middle of the table the arrow begins and ends; the table is 100 wide and high."""
_BEND = 0.35
"""How far its middle keeps from the middle of the table, as a part of the reach; 0 would go through it."""


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
    length = (along[0] ** 2 + along[1] ** 2) ** 0.5
    ahead = (along[0] / length, along[1] / length)
    barbs = [
        (end[0] - 11 * ahead[0] + turn * 7 * ahead[1], end[1] - 11 * ahead[1] - turn * 7 * ahead[0])
        for turn in (1, -1)
    ]
    return Arrow(
        f"M{_format_point(start)}Q{_format_point(middle)} {_format_point(end)}",
        f"M{_format_point(barbs[0])}L{_format_point(end)}L{_format_point(barbs[1])}",
    )


def _seat_point(ring: Ring, seat: Seat) -> tuple[float, float]:
    angle = pi / 2 + 2 * pi * ring.seats.index(seat) / ring.size
    return 50 + _REACH * cos(angle), 50 + _REACH * sin(angle)


def _format_point(point: tuple[float, ...]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
