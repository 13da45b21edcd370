"""Laws of counts at whole tables: what was played is not refuted, and a proof is a deal rightly played."""

from collections.abc import Mapping
from random import Random
from time import process_time
from typing import Any

import pytest
from counting import (
    KINDS,
    Request,
    ask,
    draw_any_piles,
    draw_count,
    draw_played,
    draw_with_all_taken,
    list_tables,
    play_deal,
)
from dealing import Table, follow_tricks, hands_of
from hypothesis import given
from hypothesis import strategies as st
from naive import allowed, value
from renaming import Renaming
from tiers import few_examples, is_nightly

from companion import library
from companion.jacknine.phases.count import CardCount
from companion.jacknine.phases.melds import Run, read_run, value_meld
from companion.jacknine.solver import construct
from companion.jacknine.solver.facts import DealFacts
from companion.rules.cards import NO_TRUMPS, Card, Suit, parse_card

seeds = st.integers(0, 2**32)
tables = st.sampled_from(list_tables())


def find_played_facts(random: Random, table: Table) -> DealFacts:
    """All that a deal that was played says of its cards."""
    rules, ring = table.rules, table.rules.ring
    played, trump = play_deal(random, table)
    followed = [*follow_tricks(table, played.stated["tricks"], ring.left("A"), trump)]
    hands = {card: seat for by_seat, _taker in followed for seat, card in by_seat.items()}
    takers = [ring.side(taker) for _by_seat, taker in followed]
    made = CardCount(played.cards, played.has["jass"], played.has["nine"]).made(rules)
    lying = [(card, ring.side(taker)) for by_seat, taker in followed for card in by_seat.values()]
    top = set(rules.honours(trump).values())
    out = [card for card in rules.pack if card not in hands]
    return DealFacts(
        str(trump),
        takers[-1],
        tuple(made.values()),
        tuple(map(takers.count, ring.sides)) if random.random() < 0.5 else None,
        frozenset({*random.sample(out, min(len(out), random.randint(0, 3))), *(set(out) & top)}),
        frozenset({*random.sample(lying, random.randint(0, 6)), *(pair for pair in lying if pair[0] in top)}),
        frozenset(random.sample(list(hands.items()), random.randint(0, 8))),
    )


@pytest.mark.parametrize("table", list_tables(), ids=str)
def test_nothing_that_was_played_is_refuted(table: Table) -> None:
    """However much is known of a deal that was played, cards can be shared out so, and trumps can fall so."""
    random = Random(str(table))
    for _ in range(10 if is_nightly() else 2):
        facts = find_played_facts(random, table)
        _, search = construct.start_search(table.rules, facts)
        assert search.fits, facts


@few_examples(8, 25)
@given(seeds, tables)
def test_a_count_that_was_played_is_not_refuted(seed: int, table: Table) -> None:
    request = draw_count(Random(seed), table, "played")
    found = library.rule(request)
    assert found.verdict == "possible", request
    check_proof(table, request, found.answer)


@few_examples(8, 40)
@given(seeds, tables, st.sampled_from(KINDS))
def test_a_proof_is_rightly_played_and_fits_the_facts(seed: int, table: Table, kind: str) -> None:
    """The deal that proves a count is played by the rules and comes to it; without one the answer says so."""
    request = draw_count(Random(seed), table, kind)
    found = library.rule(request)
    check_proof(table, request, found.answer)
    decided = found.verdict == "impossible" or found.answer["proof"] is not None
    assert found.answer["proved"] == decided
    assert ("not decided" in str(found.why)) != decided


PRESETS: list[tuple[str, str | None]] = [
    ("klaberjass", None),
    ("klaberjass-3", None),
    ("klaberjass-4", None),
    ("coinche", "ffb-all"),
    ("contree", "all-contracts"),
]


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_who_gives_the_cards_of_all_tricks_gets_a_proof(game: str, preset: str | None) -> None:
    """In 95 of 100 deals that were played, within two seconds; never are they refuted.

    In games with no-trumps and all trumps half of the deals say less than that.
    """
    table, number, decided = Table(game, preset), 50 if is_nightly() else 4, 0
    for seed in range(number):
        draw = draw_played if preset and seed % 2 else draw_with_all_taken
        request = draw(Random(seed), table)
        before = process_time()
        found = library.rule(request)
        decided += found.verdict == "possible" and process_time() - before < 2
        assert found.verdict != "impossible", request
        check_proof(table, request, found.answer)
    assert decided >= 0.95 * number


def test_counts_with_discards_are_not_refuted() -> None:
    """Prove a count with other cards, or say nothing: the cards laid away are not stated."""
    table = Table("bela-3")
    for seed in range(30 if is_nightly() else 4):
        played, trump = play_deal(Random(seed), table)
        request = ask(table, count={"cards": played.cards, **played.has}, trump=trump)
        found = library.rule(request)
        assert found.verdict != "impossible", request
        assert (found.answer["proof"] is not None) == (found.verdict == "possible")


@few_examples(6, 60)
@given(seeds, tables)
def test_piles_that_are_proved_can_be_played(seed: int, table: Table) -> None:
    """Whatever cards are given as a side's tricks, the proof is a deal that leaves just these."""
    request = draw_any_piles(Random(seed), table)
    check_proof(table, request, library.rule(request).answer)


@few_examples(3, 15)
@given(seeds, tables, st.sampled_from(KINDS))
def test_names_do_not_matter(seed: int, table: Table, kind: str) -> None:
    random = Random(seed)
    request = draw_count(random, table, kind)
    other = Renaming(table.rules.ring, "".join(random.sample([*Suit], 4)), random.randrange(4))
    verdicts = {library.rule(asked).verdict for asked in (request, other.rename(request))}
    assert len(verdicts) == 1


def check_proof(table: Table, request: Request, answer: Mapping[str, Any]) -> None:
    """The deal of an answer, played once more by the simple rules of the tests, comes to what was asked."""
    proof = answer["proof"]
    if proof is None:
        return
    ring, trump = table.rules.ring, proof["trump"]
    elder = proof["leaders"][0]
    followed = [*follow_tricks(table, proof["tricks"], elder, trump)]
    assert proof["leaders"] == [elder, *(taker for _by_seat, taker in followed[:-1])]
    hands = hands_of(table, proof, elder, trump)
    dealt = {seat: set(hand) for seat, hand in hands.items()}
    assert all(len(hand) == table.rules.hand for hand in dealt.values())
    assert len(set().union(*dealt.values())) == table.rules.in_play
    piles: dict[str, list[Card]] = {side: [] for side in ring.sides}
    bare = table.rules["bare_jass"] == "on"
    for by_seat, taker in followed:
        lying: list[Card] = []
        for seat, card in by_seat.items():
            assert card in allowed(table.way, hands[seat], lying, trump, bare=bare)
            hands[seat].remove(card)
            lying.append(card)
        piles[ring.side(taker)] += lying
    last = ring.side(taker)
    if request.get("trump"):
        assert trump == request["trump"]
    check_counts(table, request, piles, last, trump)
    check_facts(table, request, piles, dealt, last, trump)


def check_counts(
    table: Table, request: Request, piles: Mapping[str, list[Card]], last: str, trump: str
) -> None:
    """Piles come to the count of the question; whole counts hold so much at least."""
    rules = table.rules
    cards = {side: sum(value(table.way, card, trump) for card in pile) for side, pile in piles.items()}
    owner = {card: side for side, pile in piles.items() for card in pile}
    has = {word: owner.get(card) for word, card in rules.honours(trump).items()}
    if "count" in request:
        stated = request["count"]
        assert (cards, last) == (stated["cards"], stated["last"])
        assert has == {word: stated[word] for word in has}
        return
    points = {"jass": rules.jass_points, "nine": rules.nine_points}
    for side, made in request["made"].items():
        own = cards[side] + sum(points[word] for word, holder in has.items() if holder == side)
        words = made - own - rules.last_points * (side == last)
        belas = [ring_side(table, seat) for seat in request.get("bela") or ()]
        bela = rules.bela_points * belas.count(side)
        assert words >= 0
        if "runs" in request and "bela" in request and not rules.fours and piles[side]:
            melds = [
                points_of(table, run) for run in request["runs"] if ring_side(table, run["seat"]) == side
            ]
            assert words in (bela, bela + sum(melds), *(bela + best // 2 for best in melds))


def ring_side(table: Table, seat: str) -> str:
    return table.rules.ring.side(seat)


def points_of(table: Table, stated: Mapping[str, Any]) -> int:
    run = read_run(table.rules, stated["seat"], [parse_card(card) for card in stated["cards"]])
    assert isinstance(run, Run)
    return value_meld(table.rules, run)


def check_facts(
    table: Table,
    request: Request,
    piles: Mapping[str, list[Card]],
    dealt: Mapping[str, set[Card]],
    last: str,
    trump: str,
) -> None:
    rules = table.rules
    played = {card for pile in piles.values() for card in pile}
    for side, number in request.get("tricks", {}).items():
        assert len(piles[side]) == number * rules.ring.size
    for side, cards in request.get("taken", {}).items():
        assert {parse_card(card) for card in cards} <= set(piles[side])
    for run in request.get("runs", ()):
        assert {parse_card(card) for card in run["cards"]} <= dealt[run["seat"]]
    if request.get("bela"):
        assert trump != NO_TRUMPS
        stated = [*request["bela"]]
        for seat in stated:
            held = sum(set(pair) <= dealt[seat] for pair in rules.pairs(trump))
            assert held >= stated.count(seat)
    assert last == request.get("last", last)
    outside = [*request.get("out", ()), *([request["shown"]] if "shown" in request else [])]
    seat = request.get("exchanged", "unknown")
    if "turn_up" in request and rules.turned_card == "out" and seat is None:
        outside.append(request["turn_up"])
    assert not played & {parse_card(card) for card in outside}
    if seat not in (None, "unknown"):
        assert Card("7", Suit(trump)) not in played
        if "turn_up" in request:
            assert parse_card(request["turn_up"]) in dealt[seat]
