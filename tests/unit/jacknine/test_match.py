"""What pages ask of a game beside its fold: how the play stands, what a side needs, what is customary."""

import pytest
from dealing import open_jacknine

from companion import library
from companion.jacknine.ruleset import JackNineRuleset
from companion.record import record as records
from companion.rules.cards import Card, parse_card

FAMILY = open_jacknine("derda")


def parse_tricks(text: str) -> list[list[Card]]:
    return [[parse_card(card) for card in trick.split()] for trick in text.split(",")]


def test_the_play_in_the_middle_of_a_trick() -> None:
    """With one card on the table, its leader took the trick before, and the other plays next."""
    course = FAMILY.follow_play("B", "H", parse_tricks("AS 7S, KS"))
    assert [trick.taker for trick in course.taken] == ["B"]
    assert ([str(card) for card in course.open], course.leader, course.next) == (["KS"], "B", "A")


def test_the_play_after_a_trick() -> None:
    """After a trick its taker plays next, and a card wrongly played shows as soon as the due one falls."""
    course = FAMILY.follow_play("B", "H", parse_tricks("AS 7D, KS 7S"))
    assert (course.open, course.leader, course.next) == ((), "B", "B")
    assert [(wrong.trick, wrong.place, wrong.seat, str(wrong.card)) for wrong in course.wrong] == [
        (0, 1, "A", "7D")
    ]


def test_the_play_before_the_first_card() -> None:
    course = FAMILY.follow_play("A", "S", [])
    assert (course.taken, course.open, course.leader, course.next) == ((), (), "A", "A")


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
    customs = (ruleset["seven"] != "never", ruleset.redeals_four_sevens(), ruleset["rost"] == "strict")
    assert customs == (swaps, redeals, punishes)
