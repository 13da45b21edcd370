"""Cards have no order and no value of their own."""

import pytest

from companion.rules.cards import Card, Orders, Suit, beats, pack, parse_card
from companion.rules.seats import Ring

ORDERS = Orders(("J", "9", "A"), ("A", "J", "9"))


def test_cards_are_not_sorted() -> None:
    """Which card is higher is for a rule set to say."""
    with pytest.raises(TypeError):
        sorted([parse_card("AS"), parse_card("KS")])  # type: ignore[type-var]  # what mypy says of it is meant


@pytest.mark.parametrize("card", pack(["A", "10", "7"]), ids=str)
def test_a_card_is_read_as_it_is_written(card: Card) -> None:
    """What is printed, with letter or sign, is read back."""
    assert parse_card(str(card)) == parse_card(card.face) == parse_card(f" {str(card).lower()} ") == card


@pytest.mark.parametrize("text", ["", "A", "S", "1S", "AX", "11H", "A S", "AS KS", "ⅢS"])
def test_what_is_no_card(text: str) -> None:
    """Anything else is refused."""
    with pytest.raises(ValueError, match="a card is a rank and a suit"):
        parse_card(text)


@pytest.mark.parametrize(
    ("card", "other", "result"),
    [
        ("9H", "AH", True),
        ("AH", "9H", False),
        ("JS", "9S", True),
        ("9H", "AS", True),
        ("AS", "9H", False),
        ("AS", "9D", False),
    ],
)
def test_beats(card: str, other: str, result: bool) -> None:
    """Higher in the suit, or a trump over a plain card."""
    assert beats(parse_card(card), parse_card(other), Suit.HEARTS, ORDERS) is result


def test_seats_go_round() -> None:
    """Left is clockwise, partners face each other, and who is out is passed over."""
    alone, pairs = Ring(3), Ring(4, partnerships=True)
    assert (alone.left("C"), alone.left("A", -1), alone.around("B")) == ("A", "C", ("B", "C", "A"))
    assert [pairs.side(seat) for seat in pairs.seats] == ["A", "B", "A", "B"]
    assert (alone.others("B"), pairs.others("A")) == (("C", "A"), ("B",))
    assert (alone.next_active("A", {"B"}), alone.next_active("A", {"B", "C"})) == ("C", None)
