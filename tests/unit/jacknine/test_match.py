"""What pages ask of a game beside its fold: how the play stands, what a side needs, what is customary."""

from typing import Any

import pytest
from dealing import open_jacknine

from companion import library
from companion.jacknine.ruleset import JackNineRuleset
from companion.record import record as records
from companion.rules.cards import Card, parse_card

FAMILY = open_jacknine("derda")


def parse_tricks(text: str) -> list[list[Card]]:
    return [[parse_card(card) for card in trick.split()] for trick in text.split(",") if trick]


@pytest.mark.parametrize(
    ("tricks", "takers", "lying", "next_", "wrong"),
    [
        ("", "", "", "B", []),
        ("AS 7S, KS", "B", "KS", "A", []),
        ("AS 7D, KS 7S", "BB", "", "B", [(0, 1, "A", "7D")]),
    ],
)
def test_how_the_play_stands(tricks: str, takers: str, lying: str, next_: str, wrong: list[Any]) -> None:
    """Its taker leads to the next trick; a card wrongly played shows as soon as the due one falls."""
    course = FAMILY.follow_play("B", "H", parse_tricks(tricks))
    assert "".join(trick.taker for trick in course.taken) == takers
    assert (" ".join(map(str, course.open)), course.leader, course.next) == (lying, "B", next_)
    assert [(card.trick, card.place, card.seat, str(card.card)) for card in course.wrong] == wrong


def test_what_a_side_needs() -> None:
    head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
    opening = {"type": "opening", "totals": {"A": 420, "B": 510}}
    state = records.fold_record(records.Record(head, (opening,)), FAMILY)
    assert (state.needs("A"), state.needs("B"), state.next_elder) == (80, 0, "B")


@pytest.mark.parametrize(
    ("game", "conventions", "swaps", "redeals", "punishes"),
    [
        ("derda", {}, True, False, False),
        ("klaberjass-4", {}, False, False, False),
        ("deberts", {"four_sevens": "redeal"}, True, True, True),
        ("deberts", {"four_sevens": "play"}, True, False, True),
    ],
)
def test_customs(game: str, conventions: dict[str, str], swaps: bool, redeals: bool, punishes: bool) -> None:
    """The seven is swapped, four sevens are dealt again, asking how high without need costs the runs."""
    ruleset = library.open_game(game, conventions=conventions).family.ruleset
    assert isinstance(ruleset, JackNineRuleset)
    customs = (ruleset["seven"] != "never", ruleset.redeals("four-sevens"), ruleset["rost"] == "strict")
    assert customs == (swaps, redeals, punishes)
