"""The ring of seats: letters clockwise from A, alone or in partnerships."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

Seat = str
"""A letter, `A` first, clockwise."""
Side = str
"""Who scores together: the seat itself, or `A` (A, C, E) and `B` (B, D, F) in partnerships."""


@dataclass(frozen=True)
class Ring:
    """The seats of one table."""

    size: int
    partnerships: bool = False

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise from A."""
        return tuple("ABCDEF"[: self.size])

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """All sides, in the order of their first seats."""
        return ("A", "B") if self.partnerships else self.seats

    def side(self, seat: Seat) -> Side:
        """The side a seat plays for."""
        return self.sides[self.seats.index(seat) % len(self.sides)]

    def left(self, seat: Seat, steps: int = 1) -> Seat:
        """The seat so many places clockwise from this one; a negative number goes to the right."""
        return self.seats[(self.seats.index(seat) + steps) % self.size]

    def around(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats clockwise, this one first."""
        start = self.seats.index(seat)
        return self.seats[start:] + self.seats[:start]

    def next_active(self, seat: Seat, out: Collection[Seat]) -> Seat | None:
        """The next seat clockwise that is still in, or none."""
        following: Iterator[Seat] = iter(self.around(self.left(seat))[:-1])
        return next((other for other in following if other not in out), None)

    def others(self, side: Side) -> tuple[Side, ...]:
        """The sides against this one, clockwise from it."""
        start = self.sides.index(side)
        return self.sides[start + 1 :] + self.sides[:start]
