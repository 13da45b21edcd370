"""Counts that are possible and far from ordinary: each game by its own cards and words."""

from typing import Any

import pytest

from companion import library
from companion.rules.message import Message

CONTRACT = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}}


def explain(game: str, **deal: Any) -> str | None:
    """What is said about a deal that was played and counted so."""
    family: Any = library.open_game(game).family
    head = {"players": list(family.ruleset.ring.seats), "first_dealer": "A"}
    state = family.apply(family.start(head), family.read(CONTRACT | deal, "entries[0]"))
    assert state.problems == ()
    why: Message | None = family.explain_unusual(state.rows[-1])
    return None if why is None else why.render()


@pytest.mark.parametrize("game", ["derda", "klaberjass", "bulka", "deberts"])
@pytest.mark.parametrize(("high", "low"), [(210, 20), (205, 27), (202, 3)])
def test_one_side_over_two_hundred_and_the_other_under_twenty_eight(game: str, high: int, low: int) -> None:
    """Possible with runs, and asked about in every game of two."""
    assert explain(game, totals={"A": high, "B": low}) is not None
    assert explain(game, totals={"A": low, "B": high}) is not None


def test_what_a_slip_of_the_finger_writes() -> None:
    """25 and 82 typed as 258 and 2."""
    assert explain("derda", totals={"A": 258, "B": 2}) == "Together 260; more than 216 is rare."


@pytest.mark.parametrize("game", ["derda", "klaberjass", "bulka", "deberts"])
@pytest.mark.parametrize(("one", "other"), [(82, 65), (120, 12), (140, 30), (25, 82), (100, 95), (160, 20)])
def test_ordinary_totals_are_not_asked_about(game: str, one: int, other: int) -> None:
    assert explain(game, totals={"A": one, "B": other}) is None
    assert explain(game, totals={"A": other, "B": one}) is None


def test_very_few_points_are_asked_about() -> None:
    """Eighteen cards seldom carry so few; counted word by word they are as rare."""
    assert explain("derda", totals={"A": 30, "B": 8}) == "Together 38; less than 44 is rare."
    counted = {"cards": {"A": 20, "B": 8}, "last": "A"}
    assert explain("derda", count=counted) == "Together 38; less than 44 is rare."


def test_melds_that_were_declared_explain_their_points() -> None:
    """A run of four and bela are taken off before anybody wonders."""
    runs = [{"seat": "A", "length": 4, "top": "A"}]
    assert explain("derda", totals={"A": 220, "B": 10}) is not None
    assert explain("derda", totals={"A": 195, "B": 10}, runs=runs, bela="A") is None


def test_the_sum_that_is_asked_about_is_named() -> None:
    """What was declared is not in it, and the sentence says so: the totals on the page are others."""
    counted = {"cards": {"A": 25, "B": 79}, "jass": "B", "nine": "B", "last": "A"}
    assert explain("derda", count=counted) == "Together 148; more than 146 is rare."
    assert explain("derda", count=counted, bela="B") == (
        "Together 148 without what was declared; more than 146 is rare."
    )
    few = {"cards": {"A": 20, "B": 8}, "last": "A"}
    assert explain("derda", count=few, bela="B") == (
        "Together 38 without what was declared; less than 44 is rare."
    )


def test_where_all_cards_are_dealt_the_sum_is_never_asked_about() -> None:
    """There it is checked; only next to nothing beside much is left to ask about."""
    assert explain("klaberjass-4", totals={"A": 152, "B": 10}) is None
    assert explain("klaberjass-4", totals={"A": 222, "B": 10}) == (
        "222 for A needs runs, with hardly anything against it."
    )
    no_trumps = {"contract": {"declarer": "A", "trump": "NT"}, "totals": {"A": 100, "B": 30}}
    assert explain("klaberjass-4", **no_trumps) is None


@pytest.mark.parametrize(
    "stated",
    [
        {"trickless": "B", "totals": {"A": 200, "B": 0}},
        {"penalty": {"side": "B", "offence": "revoke"}, "totals": {"A": 230, "B": 0}},
        {"call": {"seat": "A", "after_trick": 2}, "count": {"cards": {"A": 10, "B": 4}}},
    ],
    ids=["without a trick", "penalty", "call"],
)
def test_what_was_said_of_the_deal_explains_it(stated: dict[str, Any]) -> None:
    assert explain("derda", **stated) is None


def test_three_for_themselves() -> None:
    """The sums of twenty-seven cards are narrower; what the two others have is taken together."""
    assert explain("klaberjass-3", totals={"A": 70, "B": 40, "C": 30}) is None
    assert explain("klaberjass-3", totals={"A": 200, "B": 10, "C": 8}) is not None
    assert explain("klaberjass-3", totals={"A": 80, "B": 9, "C": 6}) == "Together 95; less than 96 is rare."
