"""Seats and sides round a table."""

import pytest

from companion.rules.seats import Ring

SIX = Ring(6, partnerships=True)


def test_seats_are_letters_and_sides_are_seats_or_two_partnerships() -> None:
    """Up to six play, each for one side; alone where nobody says that they play together."""
    assert Ring(3).seats == Ring(3).sides == ("A", "B", "C")
    assert (SIX.seats, SIX.sides) == (("A", "B", "C", "D", "E", "F"), ("A", "B"))
    assert [SIX.side(seat) for seat in SIX.seats] == ["A", "B", "A", "B", "A", "B"]
    assert [Ring(3).side(seat) for seat in "ABC"] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("seat", "steps", "neighbour"),
    [("A", 1, "B"), ("F", 1, "A"), ("B", 3, "E"), ("A", -2, "E"), ("C", 0, "C")],
)
def test_left_is_clockwise(seat: str, steps: int, neighbour: str) -> None:
    """Steps go to the left, below 0 to the right, and round the table."""
    assert SIX.left(seat, steps) == neighbour
    assert SIX.left(seat) == SIX.left(seat, 1)


def test_the_next_who_is_still_in() -> None:
    ring = Ring(4)
    assert ring.next_active("A", ()) == "B"
    assert ring.next_active("D", {"A"}) == "B"
    assert ring.next_active("B", {"C", "D"}) == "A"
    assert ring.next_active("B", {"A", "C", "D"}) is None


def test_the_sides_against_one() -> None:
    assert [Ring(4).others(side) for side in "AD"] == [("B", "C", "D"), ("A", "B", "C")]
    assert [SIX.others(side) for side in "AB"] == [("B",), ("A",)]
