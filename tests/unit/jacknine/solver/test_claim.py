"""Claims: the search's duties are the family's own, and what it finds is what trying every play finds."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from dealing import TRICK_GAMES, open_jacknine
from hypothesis import given
from hypothesis import strategies as st
from tiers import FOUR_GAMES, few_examples, is_nightly

from companion import library
from companion.jacknine.arbiter import claims
from companion.jacknine.arbiter.claims import MAX_PLAYS, judge_claim
from companion.jacknine.phases import play
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.solver.claim import ClaimedContract, ContractRace, MaxRace, PointRace, TrickRace
from companion.jacknine.solver.endgame import (
    Endgame,
    EndgameNames,
    build_duty_finder,
    encode_endgame,
    list_cards,
)
from companion.jacknine.solver.facts import Effort, SearchLimit
from companion.rules.cards import ALL_TRUMPS, Card, Suit
from companion.rules.errors import Unreadable

DUTIES = ("bare_jass", "trumped")


def list_rulesets() -> list[JackNineRuleset]:
    """Every game under each value of the house rules on duties, one at a time; where it has them, with
    no-trumps and all trumps, whose points are on the cards as they are or scaled at the end."""
    rulesets = []
    for name in TRICK_GAMES:
        conventions = library.read_rulebook(name).conventions
        chosen = [
            {rule: value} for rule in DUTIES if rule in conventions for value in conventions[rule].values
        ]
        if "contracts" in conventions:
            chosen = [{"contracts": "all"}, {"contracts": "all", "all_trumps_values": "scaled"}]
        rulesets += [open_jacknine(name, conventions=values).ruleset for values in chosen or [{}]]
    return rulesets


RULES = list_rulesets()
NAMES = [
    " ".join([rules.book.game, *(str(rules.options.get(name)) for name in (*DUTIES, "all_trumps_values"))])
    for rules in RULES
]
each_game = pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, marks=[] if rules.book.game in FOUR_GAMES else pytest.mark.nightly)
        for rules in RULES
    ],
    ids=NAMES,
)


def list_trumps(rules: JackNineRuleset) -> tuple[str, ...]:
    """The possible trumps; where there are no-trumps and all trumps too, one suit stands for all."""
    return rules.suits[-3:] if ALL_TRUMPS in rules.suits else rules.suits


def deal_hands(rules: JackNineRuleset, random: Random, size: int, trump: str) -> list[list[Card]]:
    """Hands of so many cards, now and then of two suits only, so that duties press."""
    pack = list(rules.pack)
    if random.random() < 0.5:
        few = random.sample([suit for suit in Suit if suit != trump], 1 if trump in tuple(Suit) else 2)
        fewer = [card for card in pack if card.suit in few or card.suit == trump]
        pack = fewer if len(fewer) >= size * rules.ring.size else pack
    random.shuffle(pack)
    return [pack[seat * size : (seat + 1) * size] for seat in range(rules.ring.size)]


@each_game
@few_examples(25)
@given(data=st.data())
def test_the_search_plays_by_the_same_duties(rules: JackNineRuleset, data: st.DataObject) -> None:
    """Whatever is held and lies on the table, the search may play just what the family lets play."""
    trump = data.draw(st.sampled_from(list_trumps(rules)))
    trick = data.draw(st.lists(st.sampled_from(rules.pack), max_size=rules.ring.size - 1, unique=True))
    free = [card for card in rules.pack if card not in trick]
    hand = data.draw(st.lists(st.sampled_from(free), min_size=1, max_size=9, unique=True))
    ending, names = encode(rules, [hand] + [[]] * (rules.ring.size - 1), trick, 0, trump)
    number = {card: n for n, card in enumerate(names.cards)}
    led = ending.suits[number[trick[0]]] if trick else 0
    place = play.find_winning_place(rules, trick, trump) if trick else 0
    best = number[trick[place]] if trick else -1
    befriended = (len(trick) - place) % len(rules.ring.sides) == 0
    lying = sum(1 << number[card] for card in trick)
    may = build_duty_finder(ending)(ending.hands[0], led, best, befriended, lying)
    legal = play.find_duty(rules, hand, trick, trump).legal
    assert {names.cards[n] for n in list_cards(may)} == set(legal)


Hands = Sequence[Sequence[Card]]
Made = tuple[int, ...]


def encode(
    rules: JackNineRuleset, hands: Hands, table: Sequence[Card], leader: int, trump: str
) -> tuple[Endgame, EndgameNames]:
    seats = rules.ring.seats
    return encode_endgame(rules, dict(zip(seats, hands, strict=True)), table, seats[leader], trump)


def translate_contract(
    rules: JackNineRuleset, names: EndgameNames, contract: ClaimedContract
) -> ClaimedContract:
    """A contract by sides as the table has them, by sides as the ending has them."""
    order = [rules.ring.sides.index(side) for side in names.sides]
    so_far = tuple(contract.so_far[side] for side in order)
    return replace(contract, declarer=order.index(contract.declarer), so_far=so_far)


def try_every_play(
    rules: JackNineRuleset,
    hands: Hands,
    leader: int,
    trump: str,
    mine: Collection[int],
    contract: ClaimedContract,
) -> dict[str, Any]:
    """By trying every play: what the seats can force, what can come, how many tricks in a row are theirs."""
    size = rules.ring.size

    def course(pick: Mapping[int, Any], score: Any, begin: Any = 0, end: Any = lambda so_far: so_far) -> Any:
        @cache
        def go(held: tuple[tuple[Card, ...], ...], leader: int, trick: tuple[Card, ...], so_far: Any) -> Any:
            if len(trick) == size:
                taker = (leader + play.find_winning_place(rules, trick, trump)) % size
                worth = sum(rules.full_points(card, trump) for card in trick)
                over = not any(held)
                so_far = score(so_far, taker, worth + rules.last_points * over)
                return end(so_far) if over else go(held, taker, (), so_far)
            seat = (leader + len(trick)) % size

            def lay(card: Card) -> Any:
                left = tuple(tuple(other for other in hand if other != card) for hand in held)
                return go(left, leader, (*trick, card), so_far)

            return pick[seat](map(lay, play.find_duty(rules, held[seat], trick, trump).legal))

        return go(tuple(map(tuple, hands)), leader, (), begin)

    def points(so_far: int, taker: int, worth: int) -> int:
        return so_far + worth * (taker in mine)

    def row(so_far: float, taker: int, worth: int) -> float:
        return so_far + 1 if taker in mine and so_far == int(so_far) else int(so_far) + 0.5

    def made(so_far: Made, taker: int, worth: int) -> Made:
        its = rules.ring.sides.index(rules.ring.side(rules.ring.seats[taker]))
        return tuple(points + worth * (side == its) for side, points in enumerate(so_far))

    everybody = range(size)
    against = {seat: max if seat in mine else min for seat in everybody}
    return {
        "forced": course(against, points),
        "least": course(dict.fromkeys(everybody, min), points),
        "most": course(dict.fromkeys(everybody, max), points),
        "row": int(course(against, row)),
        "contract": course(against, made, contract.so_far, contract.is_met),
    }


def make_endings(
    rules: JackNineRuleset, count: int, least: int
) -> Iterator[tuple[Hands, int, str, int, ClaimedContract]]:
    """Endings at random: hands, who leads, trumps, whose claim it is, and a contract."""
    random, ring = Random(7), rules.ring
    for number in range(count):
        trump = random.choice(list_trumps(rules))
        hands = deal_hands(rules, random, least + number % 2, trump)
        side, declarer = (random.randrange(len(ring.sides)) for _ in range(2))
        so_far = tuple(random.randrange(40) for _ in ring.sides)
        together = len(ring.sides) > 2 and random.random() < 0.5
        contract = ClaimedContract(
            declarer, so_far, side == declarer, random.random() < 0.5, together=together
        )
        yield hands, random.randrange(ring.size), trump, side, contract


@each_game
def test_a_search_finds_what_trying_every_play_finds(rules: JackNineRuleset) -> None:
    """Forced points, what may come, tricks in a row, contracts, in endings of two to five cards a hand."""
    for hands, leader, trump, side, contract in make_endings(
        rules, 20 if is_nightly() else 3, 4 if rules.ring.size == 2 else 2
    ):
        ending, names = encode(rules, hands, (), leader, trump)
        side_of, everybody = rules.ring.sides[side], frozenset(range(rules.ring.size))
        ours, effort = ending.seats(names.sides.index(side_of)), Effort(MAX_PLAYS)
        race = PointRace(ending, ours, effort)
        making = ContractRace(race, translate_contract(rules, names, contract), effort)
        found = {
            "forced": PointRace(ending, ours, effort).most,
            "least": ending.total - MaxRace(ending, everybody - ours, effort).most,
            "most": MaxRace(ending, ours, effort).most,
            "row": TrickRace(ending, ours, effort).most,
            "contract": making.can_end(),
        }
        mine = {n for n, seat in enumerate(rules.ring.seats) if rules.ring.side(seat) == side_of}
        expected = try_every_play(rules, hands, leader, trump, mine, contract)
        assert found == expected, (hands, leader, trump, side)


@each_game
def test_a_trick_on_the_table_is_a_lead_that_was_made(rules: JackNineRuleset) -> None:
    """What can be forced before a lead is the best, or the worst, of what can be forced after each lead."""
    for hands, leader, trump, side, _contract in make_endings(rules, 10 if is_nightly() else 3, 4):

        def force(
            table: Sequence[Card],
            hands: Hands = hands,
            leader: int = leader,
            trump: str = trump,
            side: int = side,
        ) -> tuple[int, int]:
            held = [[card for card in hand if card not in table] for hand in hands]
            ending, names = encode(rules, held, table, leader, trump)
            ours = ending.seats(names.sides.index(rules.ring.sides[side]))
            assert ending.tricks == len(hands[0])
            return PointRace(ending, ours, Effort(MAX_PLAYS)).most, ending.total

        after = [force([card]) for card in hands[leader]]
        best = max if rules.ring.side(rules.ring.seats[leader]) == rules.ring.sides[side] else min
        assert best(after) == force([])


@each_game
def test_a_line_is_played_by_the_rules_and_breaks_the_claim(rules: JackNineRuleset) -> None:
    """Whole tricks from the cards held, each card a legal one; only the last trick of it is lost."""
    for hands, leader, trump, side, contract in make_endings(
        rules, 20 if is_nightly() else 3, 4 if rules.ring.size == 2 else 3
    ):
        ending, names = encode(rules, hands, (), leader, trump)
        claimer = names.sides.index(rules.ring.sides[side])
        for goal in (None, ending.total // 2, translate_contract(rules, names, contract)):
            claim = judge_claim(ending, claimer, goal)
            line = claim.line or ()
            assert claim.good == (claim.line is None)
            at, left = 0, [list(hand) for hand in (*hands[leader:], *hands[:leader])]
            for trick in line:
                down: list[Card] = []
                for place, card in enumerate(names.cards[card] for card in trick.cards):
                    seat = (at + place) % len(hands)
                    assert card in play.find_duty(rules, left[seat], down, trump).legal
                    left[seat].remove(card)
                    down.append(card)
                at = (at + play.find_winning_place(rules, down, trump)) % len(hands)
                assert at == trick.taker
                if goal is None:
                    assert (at in ending.seats(claimer)) == (trick is not line[-1])
            if goal == ending.total // 2 and line:
                lost = sum(trick.worth for trick in line if trick.taker not in ending.seats(claimer))
                rest = line[-1].worth
                assert ending.total - lost < goal <= ending.total - lost + rest


def test_a_search_gives_up_when_it_grows_too_long() -> None:
    rules = open_jacknine("klaberjass-4").ruleset
    pack = list(rules.pack)
    Random(7).shuffle(pack)
    ending, _names = encode(rules, [pack[n : n + 8] for n in range(0, 32, 8)], (), 0, "H")
    for kind in (PointRace, MaxRace):
        with pytest.raises(SearchLimit):
            assert kind(ending, frozenset({0, 2}), Effort(20)).most < 0


def test_a_procedure_that_nobody_knows_is_said() -> None:
    rules = open_jacknine("derda").ruleset
    ending, _names = encode(rules, [[Card("A", Suit.HEARTS)], [Card("K", Suit.HEARTS)]], (), 0, "H")
    with pytest.raises(KeyError):
        build_duty_finder(replace(ending, over_ruff="as-you-like"))


def test_what_is_too_long_to_search_is_refused_or_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a verdict the hands are refused; without what may come the verdict stands by itself."""
    pack = [str(card) for card in open_jacknine("derda").ruleset.pack]
    Random(5).shuffle(pack)
    hands = {"A": pack[:9], "B": pack[9:18]}
    facts = {"question": "claim", "trump": "H", "leader": "A", "claimer": "A", "hands": hands}
    asked = {"game": "derda", **facts}
    forced = library.rule(asked).answer["forced"]["A"]
    for limit in ("MAX_FORCED_PLAYS", "MAX_SPAN_PLAYS"):
        monkeypatch.setattr(claims, limit, 5)
    judge_claim.cache_clear()
    for wants, verdict, can in ((forced, "good", "can"), (forced + 1, "bad", "cannot")):
        ruling = library.rule({**asked, "wants": wants})
        assert (ruling.verdict, ruling.answer["forced"], ruling.answer["range"]) == (verdict, None, None)
        assert str(ruling.why).startswith(f"A {can} force {wants} of the ")
    monkeypatch.setattr(claims, "MAX_PLAYS", 400)
    judge_claim.cache_clear()
    assert library.rule(asked).verdict == "bad"
    with pytest.raises(Unreadable, match="hands: must be fewer cards"):
        library.rule({**asked, "wants": forced + 1})
    judge_claim.cache_clear()
