"""Which counts a deal can carry, found a second time by trying."""

import pytest
from dealing import open_jacknine

from companion.jacknine.phases import count
from companion.rules.cards import Card, Suit

RULES = open_jacknine("derda").ruleset


def test_the_least_and_the_most() -> None:
    """Cards, honours and last trick of both sides come to 28 to 158, with no gap between."""
    assert count.find_deal_sums(RULES) == frozenset(range(28, 159))


@pytest.mark.parametrize(
    ("last", "can", "cannot"),
    [
        (False, [0, 2, 3, 4, 5, 142], [1, 149]),
        (True, [10, 12, 158], [0, 9, 11, 159]),
        (None, [0, 2, 11, 158], [1, 159]),
    ],
)
def test_one_side(last: bool | None, can: list[int], cannot: list[int]) -> None:
    """One side can have anything but 1, and with the last trick ten more than that."""
    found = count.find_side_sums(RULES, last)
    assert [n for n in can if n not in found] == []
    assert [n for n in cannot if n in found] == []


def test_known_cards_narrow_a_side() -> None:
    """A side with the trump jack has 22, and one whose cards are all known has just those."""
    jack = Card("J", Suit.HEARTS)
    assert min(count.find_side_sums(RULES, False, inside=[jack])) == 22
    others = [card for card in RULES.pack if card != jack]
    assert count.find_side_sums(RULES, False, inside=[jack], out=others) == {22}


@pytest.mark.parametrize(("found", "near"), [(27, 28), (159, 158), (60, 60)])
def test_nearest(found: int, near: int) -> None:
    assert count.find_nearest(count.find_deal_sums(RULES), found) == near
    assert count.find_nearest([0, 2], 1) == 2
