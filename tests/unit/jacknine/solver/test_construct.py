"""Counts judged once more on small packs: every deal dealt, and played in every way that the rules allow."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
from naive import WAYS, allowed, taker

from companion import library
from companion.jacknine.phases import play
from companion.jacknine.solver import construct
from companion.jacknine.solver.facts import DealFacts
from companion.jacknine.solver.rehearsal import Tricks
from companion.rules.cards import NO_TRUMPS, Card, parse_card

Hands = tuple[frozenset[Card], ...]


@dataclass(frozen=True)
class Pack:
    """A game played with a few ranks of some suits, and so many cards in each hand."""

    game: str
    ranks: tuple[str, ...]
    suits: str
    hand: int
    trump: str = "H"
    bare: str = "off"

    def __str__(self) -> str:
        return f"{self.game}-{''.join(self.ranks)}-{self.suits}-{self.hand}-{self.trump}-{self.bare}"

    @property
    def rules(self) -> Any:
        """The rule set with this pack; suits that are not played with lie out of play."""
        rules = open_rules(self.game, self.bare)
        return resize_pack(rules, self.ranks, self.hand)

    @property
    def cards(self) -> list[Card]:
        return [card for card in self.rules.pack if card.suit in self.suits]


@cache
def open_rules(game: str, bare: str) -> Any:
    chosen = {} if bare == "off" else {"bare_jass": bare}
    return library.open_game(game, conventions=chosen).family.ruleset


@cache
def resize_pack(rules: Any, ranks: tuple[str, ...], hand: int) -> Any:
    return replace(rules, ranks=ranks, hand=hand)


@dataclass(frozen=True)
class Deal:
    """A deal that was played: hands, piles by side, and the number of the side of the last trick."""

    hands: Hands
    piles: Hands
    last: int


def deal_hands(pack: Pack, cards: Sequence[Card], seats: int) -> Iterator[Hands]:
    if not seats:
        yield ()
        return
    for hand in combinations(cards, pack.hand):
        rest = [card for card in cards if card not in hand]
        for others in deal_hands(pack, rest, seats - 1):
            yield (frozenset(hand), *others)


@cache
def play_every_deal(pack: Pack) -> frozenset[Deal]:
    seats, sides = pack.rules.ring.seats, pack.rules.ring.sides
    found: set[Deal] = set()
    for hands in deal_hands(pack, pack.cards, len(seats)):
        nothing: Hands = (frozenset(),) * len(sides)
        coming: list[tuple[Hands, int, Hands]] = [(hands, leader, nothing) for leader in range(len(seats))]
        seen = set(coming)
        while coming:
            held, leader, piles = coming.pop()
            for less, seat, grown in play_trick(pack, held, leader, (), piles):
                if not any(less):
                    found.add(Deal(hands, grown, sides.index(pack.rules.ring.side(seats[seat]))))
                elif (less, seat, grown) not in seen:
                    seen.add((less, seat, grown))
                    coming.append((less, seat, grown))
    return frozenset(found)


def play_trick(
    pack: Pack, held: Hands, leader: int, lying: tuple[Card, ...], piles: Hands
) -> Iterator[tuple[Hands, int, Hands]]:
    """Every way to play one trick to its end: what is left in the hands, who took it, the piles then."""
    way, ring = WAYS[pack.game], pack.rules.ring
    if len(lying) == ring.size:
        seat = (leader + taker(way, lying, pack.trump)) % ring.size
        side = ring.sides.index(ring.side(ring.seats[seat]))
        yield held, seat, tuple(p | set(lying) if i == side else p for i, p in enumerate(piles))
        return
    seat = (leader + len(lying)) % ring.size
    for card in allowed(way, sorted(held[seat], key=str), lying, pack.trump, bare=pack.bare == "on"):
        less = tuple(hand - {card} if i == seat else hand for i, hand in enumerate(held))
        yield from play_trick(pack, less, leader, (*lying, card), piles)


Sum = tuple[tuple[int, ...], int | None, int | None, int, tuple[int, ...] | None]
"""Points by side, who has jass and nine, who took the last trick, and how many tricks each took."""


def add_up(pack: Pack, piles: Sequence[frozenset[Card]], last: int, *, tricks: bool) -> Sum:
    rules = pack.rules
    points = tuple(sum(rules.full_points(card, pack.trump) for card in pile) for pile in piles)
    owner = {card: side for side, pile in enumerate(piles) for card in pile}
    top = rules.honours(pack.trump)
    jass, nine = (owner.get(top[word]) if word in top else None for word in ("jass", "nine"))
    numbers = tuple(len(pile) // rules.ring.size for pile in piles)
    return points, jass, nine, last, numbers if tricks else None


def list_sums(pack: Pack, *, tricks: bool) -> set[Sum]:
    """What any piles of whole tricks come to, whether or not they can be played."""
    rules, found = pack.rules, set()
    sides = len(rules.ring.sides)
    for places in product(range(sides + 1), repeat=len(pack.cards)):
        placed = list(zip(pack.cards, places, strict=True))
        piles = [frozenset(card for card, at in placed if at == side) for side in range(sides)]
        if sum(map(len, piles)) == rules.in_play and not any(len(pile) % rules.ring.size for pile in piles):
            found |= {add_up(pack, piles, last, tricks=tricks) for last in range(sides)}
    return found


def facts_of(pack: Pack, stated: Sum, hands: frozenset[tuple[Card, str]] = frozenset()) -> DealFacts:
    points, jass, nine, last, tricks = stated
    sides = pack.rules.ring.sides
    out = set(pack.rules.pack) - set(pack.cards)
    pinned = set()
    for word, side in (("jass", jass), ("nine", nine)):
        card = pack.rules.honours(pack.trump).get(word)
        if card in pack.cards and side is None:
            out.add(card)
        elif card in pack.cards:
            pinned.add((card, sides[side]))
    return DealFacts(pack.trump, sides[last], points, tricks, frozenset(out), frozenset(pinned), hands)


def search_deal(pack: Pack, facts: DealFacts, *, rehearsed: bool = True) -> Tricks | None:
    """The tricks of a deal that fits, of which there must be some where it is not refuted."""
    _, search = construct.start_search(pack.rules, facts)
    if search.fits and not (rehearsed and search.rehearse()) and not search.build():
        search.exhaust()
    assert search.fits == (search.tricks is not None)
    return search.restore_tricks() if search.tricks else None


def check_proof(pack: Pack, facts: DealFacts, proof: Tricks) -> None:
    rules, sides = pack.rules, pack.rules.ring.sides
    tricks = [cards for _, cards in proof]
    leader = proof[0][0]
    assert play.find_revokes(rules, tricks, leader, pack.trump) == ()
    taken = play.resolve_tricks(rules, tricks, leader, pack.trump)
    assert [taken_card.leader for taken_card in taken] == [who for who, _ in proof]
    piles: dict[str, set[Card]] = {side: set() for side in sides}
    for item in taken:
        piles[rules.ring.side(item.taker)] |= set(item.cards)
    points = [sum(rules.full_points(card, pack.trump) for card in pile) for pile in piles.values()]
    assert list(facts.points or ()) == points
    assert rules.ring.side(taken[-1].taker) == facts.last
    assert not facts.out & set().union(*piles.values())
    assert all(card in piles[side] for card, side in facts.pinned)
    held = play.collect_hands(rules, taken)
    assert all(card in held[seat] for card, seat in facts.hands)


QUICK_PACKS = [
    Pack("derda", ("A", "J"), "HSDC", 2),
    Pack("klaberjass", ("A", "J", "7"), "HS", 3, "H", "on"),
    Pack("bulka", ("A", "Q", "9"), "HSD", 2),
]
PACKS = [
    Pack("derda", ("A", "J"), "HSDC", 3),
    Pack("derda", ("A", "10", "J", "9"), "HS", 3),
    Pack("derda", ("A", "J", "9"), "HSD", 3),
    Pack("deberts", ("10", "Q", "J"), "HSD", 3),
    Pack("klaberjass-3", ("A", "J"), "HSDC", 2),
    Pack("klaberjass-3", ("A", "10", "J", "9"), "HS", 2),
    Pack("klaberjass-4", ("A", "J"), "HSDC", 2),
    Pack("klaberjass-4", ("A", "J"), "HSDC", 2, NO_TRUMPS),
    Pack("darda", ("Q", "9"), "HSDC", 2),
]


@pytest.mark.parametrize("tricks", [True, False], ids=["tricks", "no-tricks"])
@pytest.mark.parametrize(
    "pack", [*QUICK_PACKS, *(pytest.param(pack, marks=pytest.mark.nightly) for pack in PACKS)], ids=str
)
def test_counts_that_can_be_are_those_of_deals_that_can_be_played(pack: Pack, *, tricks: bool) -> None:
    """Of all counts, those are possible that some deal comes to; the proof is such a deal."""
    played = {add_up(pack, deal.piles, deal.last, tricks=tricks) for deal in play_every_deal(pack)}
    asked = list_sums(pack, tricks=tricks)
    assert played <= asked
    for stated in sorted(asked, key=str):
        facts = facts_of(pack, stated)
        proof = search_deal(pack, facts, rehearsed=bool(facts.points and sum(facts.points) % 2))
        assert (proof is not None) == (stated in played), stated
        if proof is not None:
            check_proof(pack, facts, proof)


@pytest.mark.parametrize(
    ("pack", "known"),
    [
        (Pack("derda", ("A", "10", "J"), "HS", 2), ("AH", "JS")),
        pytest.param(Pack("derda", ("A", "J"), "HSDC", 3), ("AS", "JH"), marks=pytest.mark.nightly),
        pytest.param(Pack("klaberjass-3", ("A", "J"), "HSDC", 2), ("AS", "AH"), marks=pytest.mark.nightly),
        pytest.param(Pack("klaberjass-4", ("A", "J"), "HSDC", 2), ("AS", "JD"), marks=pytest.mark.nightly),
    ],
    ids=str,
)
def test_cards_known_to_be_in_a_hand_are_looked_at(pack: Pack, known: tuple[str, ...]) -> None:
    """With cards shown in a run, only deals in which that hand held them are proof."""
    cards, seats = [parse_card(card) for card in known], pack.rules.ring.seats
    for holders in product(seats, repeat=len(cards)):
        shown = frozenset(zip(cards, holders, strict=True))
        deals = (
            d
            for d in play_every_deal(pack)
            if all(card in d.hands[seats.index(seat)] for card, seat in shown)
        )
        played = {add_up(pack, deal.piles, deal.last, tricks=True) for deal in deals}
        for stated in sorted(list_sums(pack, tricks=True), key=str):
            facts = facts_of(pack, stated, shown)
            proof = search_deal(pack, facts)
            assert (proof is not None) == (stated in played), (stated, shown)
            if proof is not None:
                check_proof(pack, facts, proof)
