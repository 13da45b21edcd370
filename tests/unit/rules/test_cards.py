"""Cards have no order and no value of their own."""

import pytest

from companion.rules.cards import Card, Orders, Suit, beats, pack, parse_card, parse_suit

ORDERS = Orders(("J", "9", "A"), ("A", "J", "9"))


def test_cards_are_not_sorted() -> None:
    """Which card is higher is for a rule set to say."""
    with pytest.raises(TypeError):
        sorted([parse_card("AS"), parse_card("KS")])  # type: ignore[type-var]  # what mypy says of it is meant


@pytest.mark.parametrize("card", pack(["A", "10", "7"]), ids=str)
def test_a_card_is_read_as_it_is_written(card: Card) -> None:
    assert parse_card(str(card)) == parse_card(card.face) == parse_card(f" {str(card).lower()} ") == card


@pytest.mark.parametrize("text", ["", "A", "S", "1S", "AX", "11H", "A S", "AS KS", "ⅢS", "T0S", "TTS"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match=rf"^a card is a rank and a suit such as AS or 10H, not {text!r}$"):
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
        ("9H", "9H", False),
    ],
)
def test_beats(card: str, other: str, result: bool) -> None:
    assert beats(parse_card(card), parse_card(other), Suit.HEARTS, ORDERS) is result


def test_suits_are_read_with_any_sign() -> None:
    for suit, sign in zip(Suit, "♠♥♦♣", strict=True):
        assert suit.sign == sign
        for text in (suit.value, suit.value.lower(), sign, f" {sign} ", sign + "\ufe0f"):
            assert parse_suit(text) is suit
        assert parse_card(f"10{sign}\ufe0f") == Card("10", suit)


@pytest.mark.parametrize("text", ["", "X", "SH", "NT", "spades"])
def test_what_is_no_suit(text: str) -> None:
    with pytest.raises(ValueError, match=rf"^a suit is S, H, D or C, not {text!r}$"):
        parse_suit(text)


@pytest.mark.parametrize(("card", "height"), [("JH", 3), ("AH", 1), ("AS", 3), ("9S", 1)])
def test_height_counts_from_the_lowest(card: str, height: int) -> None:
    assert ORDERS.height(parse_card(card), "H") == height


def test_a_rank_without_a_place_has_no_height() -> None:
    with pytest.raises(ValueError, match="not in"):
        ORDERS.height(parse_card("10H"), "H")


def test_a_pack_comes_suit_by_suit() -> None:
    assert list(map(str, pack(("A", "7")))) == ["AS", "7S", "AH", "7H", "AD", "7D", "AC", "7C"]
