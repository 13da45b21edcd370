"""Runs in a hand."""

from dataclasses import replace
from itertools import combinations, permutations
from random import Random

import pytest
from dealing import open_jacknine
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import library
from companion.jacknine.phases import melds
from companion.jacknine.phases.contest import compare_melds
from companion.jacknine.phases.melds import Run
from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import Card, parse_card

RULES = open_jacknine("derda").ruleset


def parse_hand(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        ("AS KS QS 9H 8H 7H JD", [("A", 3), ("9", 3)]),
        ("9S 8S 7S KH QH JH 10H", [("K", 4), ("9", 3)]),
        ("AS KS QS JS 10S 9S 8S 7S", [("A", 8)]),
        ("AS KS JS 10S 8S 7S", []),
        ("QD JD 10D QC JC 10C", [("Q", 3), ("Q", 3)]),
    ],
)
def test_runs_in_a_hand(cards: str, found: list[tuple[str, int]]) -> None:
    """Every unbroken row of three or more is found, as long as it goes, the highest first."""
    runs = [melds.Run("A", length, top) for top, length in found]
    held = melds.find_melds(RULES, "A", parse_hand(cards))
    assert [replace(run, suit=None) for run in held if isinstance(run, melds.Run)] == runs
    assert len(held) == len(runs)


@pytest.mark.parametrize("cards", ["AS KS", "AS KS JS", "AS KS QH", "AS KS KS", "7S AS KS"])
def test_no_run(cards: str) -> None:
    """Too few cards, a gap, two suits, a card twice and going round the corner are no run."""
    assert melds.read_run(RULES, "A", parse_hand(cards)) is None


def test_a_run_in_any_order() -> None:
    run = melds.read_run(RULES, "A", parse_hand("JS AS QS KS"))
    assert run == melds.Run("A", 4, "A", "S")
    assert [str(card) for card in run.cards(RULES)] == ["AS", "KS", "QS", "JS"]


def test_an_option_that_no_function_knows_is_a_fault_of_the_game_file() -> None:
    with pytest.raises(UnknownOption, match="derda does not say 'seconds'"):
        RULES["seconds"]


@pytest.mark.parametrize("game", library.names())
def test_the_order_of_telling_decides_nothing(game: str) -> None:
    """However the same runs are told one after the other, the same side scores the same."""
    ruleset = library.open_game(game).family.ruleset
    if not isinstance(ruleset, JackNineRuleset):
        return
    length = min(ruleset.run_points, default=3)
    tops = ruleset.run_order[: len(ruleset.run_order) - length + 1]
    random = Random(game)
    for _n in range(40):
        runs = {
            (random.choice(tops), random.choice("SHDC")): random.choice(ruleset.ring.seats)
            for _run in range(random.randint(2, 4))
        }
        melds = [Run(seat, length, top, suit) for (top, suit), seat in sorted(runs.items())]
        contests = {
            (contest.side, tuple(contest.points.items()), contest.needs)
            for order in permutations(melds)
            for contest in [compare_melds(ruleset, order, ruleset.ring.seats[0], "H")]
        }
        assert len(contests) == 1, melds


def _rate(ruleset: JackNineRuleset, declared: tuple[melds.Meld, ...]) -> tuple[int, list[tuple[int, ...]]]:
    worth = sum(melds.value_meld(ruleset, meld) for meld in declared)
    return worth, sorted((melds.rank_meld(ruleset, meld) for meld in declared), reverse=True)


def _fit(ruleset: JackNineRuleset, declared: tuple[melds.Meld, ...]) -> bool:
    """Whether no card of one hand stands in two of them that may not share one, card by card."""
    held: set[tuple[str, bool, Card]] = set()
    for meld in declared:
        of_run = ruleset["meld_cards"] == "once" or isinstance(meld, Run)
        cards = {(meld.seat, of_run, card) for card in meld.cards(ruleset)}
        if held & cards:
            return False
        held |= cards
    return True


@pytest.mark.parametrize("game", ["coinche", "bela"])
@pytest.mark.parametrize("shared", ["once", "shared"])
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_of_melds_that_share_a_card_the_best_choice_counts(game: str, shared: str, random: Random) -> None:
    """Of all choices that fit none is worth more, or as much with a better single meld; none is lost."""
    ruleset = open_jacknine(game, conventions={"meld_cards": shared}).ruleset
    hand = sorted(random.sample(ruleset.pack, 20), key=str)
    held = melds.find_melds(ruleset, "A", hand)
    runs = [
        Run("A", length, run.top if down == 0 else ruleset.run_order[start + down], run.suit)
        for run in held
        if isinstance(run, Run)
        for start in [ruleset.run_order.index(run.top)]
        for length in (3, 4)
        for down in range(run.length - length + 1)
    ]
    declared = random.sample(found := [*held, *runs], min(len(found), 7))
    counting, excluded = melds.resolve_overlaps(ruleset, declared)
    assert sorted(map(repr, (*counting, *excluded))) == sorted(map(repr, declared))
    ways = [
        way for size in range(len(declared) + 1) for way in combinations(declared, size) if _fit(ruleset, way)
    ]
    assert _fit(ruleset, counting)
    assert _rate(ruleset, counting) == max(_rate(ruleset, way) for way in ways)
