"""The ring of seats: letters clockwise from A, alone or in partnerships."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

LETTERS = "ABCDEF"
"""The letters of the most seats that any table has."""
Seat = str
"""A letter, `A` first, clockwise."""
Side = str
"""A scoring side: the seat itself, or `A` (A, C, E) and `B` (B, D, F) in partnerships."""


@dataclass(frozen=True)
class Ring:
    """The seats of one table, `size` of them; with `partnerships` every other seat plays together.

    >>> ring = Ring(4, partnerships=True)
    >>> ring.seats, ring.sides, ring.side("C")
    (('A', 'B', 'C', 'D'), ('A', 'B'), 'A')
    >>> ring.left("D"), ring.left("A", 2), ring.left("A", -1)
    ('A', 'C', 'D')
    >>> ring.around("C")
    ('C', 'D', 'A', 'B')
    >>> ring.next_active("B", out={"C", "D"})
    'A'
    """

    size: int
    partnerships: bool = False

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise from A."""
        return tuple(LETTERS[: self.size])

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """All sides, in the order of their first seats."""
        return ("A", "B") if self.partnerships else self.seats

    def side(self, seat: Seat) -> Side:
        """The side a seat plays for."""
        return self.sides[self.seats.index(seat) % len(self.sides)]

    def left(self, seat: Seat, steps: int = 1) -> Seat:
        """The seat `steps` seats clockwise from this one, that is, to the left; below 0, to the right."""
        return self.seats[(self.seats.index(seat) + steps) % self.size]

    def around(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats clockwise, this one first."""
        start = self.seats.index(seat)
        return self.seats[start:] + self.seats[:start]

    def next_active(self, seat: Seat, out: Collection[Seat]) -> Seat | None:
        """The next other seat clockwise that is not `out`, or None."""
        return next((other for other in self.around(seat)[1:] if other not in out), None)

    def others(self, side: Side) -> tuple[Side, ...]:
        """The opposing sides, clockwise from this one."""
        start = self.sides.index(side)
        return self.sides[start + 1 :] + self.sides[:start]
