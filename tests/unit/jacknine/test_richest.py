"""The most points that a deal can hold, found a second time by dealing small packs in every way."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from companion import library
from companion.jacknine.phases import melds
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import NO_TRUMPS, Orders, Suit
from companion.rules.seats import Ring

LIMIT = [
    ("derda", {}, 277),
    ("klaberjass", {}, 275),
    ("klaberjass", {"melds": "zensa"}, 493),
    ("klaberjass", {"melds": "zensa", "zensa_nines": 150}, 531),
    ("klaberjass-3", {}, 282),
    ("klaberjass-4", {}, 382),
    ("bulka", {}, 515),
    ("bulka", {"bejle": "extra"}, 535),
    ("darda", {}, 731),
    ("darda", {"bejle": "extra"}, 751),
    ("deberts", {}, 275),
]


def ruleset_of(game: str, conventions: dict[str, Any]) -> JackNineRuleset:
    ruleset = library.open_game(game, conventions=conventions).family.ruleset
    assert isinstance(ruleset, JackNineRuleset)
    return ruleset


@pytest.mark.parametrize(("game", "conventions", "most"), LIMIT)
def test_the_games_of_the_house(game: str, conventions: dict[str, Any], most: int) -> None:
    assert ruleset_of(game, conventions).max_points == most


def small(ranks: Sequence[str], hand: int, players: int, **changes: Any) -> JackNineRuleset:
    """A game with fours of a kind, played with a small pack by few cards each."""
    order = tuple(ranks)
    fours = {rank: 40 * n for n, rank in enumerate(order, 1)}
    ruleset = ruleset_of("klaberjass", {"melds": "zensa"})
    return replace(
        ruleset,
        ring=Ring(players, players == 4),
        ranks=order,
        hand=hand,
        orders=Orders(order, order),
        run_order=order,
        jass_rank=order[-1],
        nine_rank=order[0],
        fours_order=order,
        four_points=fours,
        **changes,
    )


def most_by_dealing(ruleset: JackNineRuleset, trump: str) -> int:
    """The most of all deals, each dealt once: melds are those of one side's hands, bela may be anybody's."""
    hand, pack, most = ruleset.hand, sorted(ruleset.pack, key=str), 0
    points = {card: ruleset.full_points(card, trump) for card in pack}
    bela = {card for pair in ruleset.pairs(trump) for card in pair}
    rest = ruleset.in_play - hand * (2 if ruleset.ring.partnerships else 1)
    for first in combinations(pack, hand):
        left = [card for card in pack if card not in first]
        for second in combinations(left, hand) if ruleset.ring.partnerships else [()]:
            hands = [ruleset for ruleset in (first, second) if ruleset]
            worth = ruleset.last_points + sum(points[card] for hand in hands for card in hand)
            for cards in hands:
                worth += sum(
                    melds.value_meld(ruleset, meld) for meld in melds.find_melds(ruleset, "A", cards)
                )
            held = any(bela <= set(hand) for hand in hands)
            for others in combinations([card for card in left if card not in second], rest):
                pair = bela and (held or bela <= set(others))
                more = sum(points[card] for card in others) + (ruleset.bela_points if pair else 0)
                most = max(most, worth + more)
    return most


@pytest.mark.parametrize(
    "ruleset",
    [
        small("AKQJ", 3, 2, run_points={3: 20}),
        small("AKQ", 4, 2, run_points={3: 20}),
        small("AKQ", 5, 2, run_points={3: 50}, bela_points=90),
        pytest.param(small("KQJ", 3, 4, run_points={3: 20}), marks=pytest.mark.nightly),
        small("KQJ", 3, 4, run_points={3: 70}, trump_points={"K": 1}, plain_points={"Q": 30}, bela_points=5),
    ],
    ids=["two, sixteen cards", "two, fours", "two, much for bela", "partners", "partners, other values"],
)
def test_small_packs(ruleset: JackNineRuleset) -> None:
    """With few cards, the most that is computed is what the best of all deals comes to."""
    assert ruleset.max_points == most_by_dealing(ruleset, Suit.HEARTS)


def test_without_trumps() -> None:
    """Where a deal may be played without trumps, and is worth more so, that is the most."""
    plain = {"A": 50, "K": 40, "Q": 30}
    ruleset = small("AKQ", 3, 2, run_points={3: 20}, plain_points=plain, trump_points={}, bela_points=0)
    with_trumps = most_by_dealing(ruleset, Suit.HEARTS)
    free = replace(ruleset, no_trumps=True)
    assert ruleset.max_points == with_trumps < free.max_points == most_by_dealing(free, NO_TRUMPS)
