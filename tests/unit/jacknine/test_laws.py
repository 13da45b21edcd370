"""Laws that hold for every trick game: of counting, of playing, of folding and amending.

Deals are dealt from a real pack, bid, swapped and played at random but by the rules, and counted a
second time, as simply as can be.
"""

from random import Random
from typing import Any

import pytest
from dealing import TRICK_GAMES, Played, Table, fold, tables
from hypothesis import given
from hypothesis import strategies as st
from naive import allowed, taker
from tiers import few_examples

from companion.jacknine.phases import play
from companion.record import record as records
from companion.rules.cards import NO_TRUMPS, Suit

PENALTIES = {f"deberts.score.{name}" for name in ("bait-penalty", "bait-from", "trickless-penalty")}
"""Rules by which points are taken off that nobody made."""
LOST = {"bela3.score.fall"}
"""Rules by which points that were made are nobody's."""
seeds = st.integers(0, 2**32)
few = few_examples(10, 60)
GAMES = [Table(game) for game in TRICK_GAMES]
every_game = pytest.mark.parametrize("table", GAMES, ids=lambda table: table.name)


# --- counting ------------------------------------------------------------------------------------

PACK = {"derda": (120, 154), "bulka": (117, 151), "darda": (117, 151)}


@every_game
@pytest.mark.parametrize("trump", Suit)
def test_what_the_pack_carries(table: Table, trump: Suit) -> None:
    """All thirty-two cards carry so much, and 34 more as words."""
    cards, all_points = PACK.get(table.name, (118, 152))
    assert sum(table.rules.card_points(card, trump) for card in table.rules.pack) == cards
    assert sum(table.rules.full_points(card, trump) for card in table.rules.pack) == all_points


@few_examples(40, 400)
@given(seeds)
def test_what_was_made_is_what_the_tricks_hold(seed: int) -> None:
    """Each side made the sum of its tricks and words, however the deal is told, and is never doubted."""
    random = Random(seed)
    table = tables(random)
    dealer = random.choice(table.rules.ring.seats)
    found = table.deal(random, dealer)
    entries = [found] if isinstance(found, dict) else [found.stated, found.as_count(), found.as_totals()]
    states = [fold(table, entry, dealer) for entry in entries]
    assert [state.problems for state in states] == [()] * len(entries)
    rows = [state.rows[0] for state in states]
    if isinstance(found, Played):
        assert [dict(row.made) for row in rows] == [found.made] * len(rows)
        known = sum(found.cards.values()) + sum(found.words.values())
        last = found.last - (found.unbid if found.trickless else 0)
        way = found.way
        honours = way.top * bool(found.has["jass"]) + way.nine_points * bool(found.has["nine"])
        assert sum(found.made.values()) == known + last + honours
    results = [(row.result, dict(row.scored), dict(row.totals), row.held) for row in rows]
    assert results == results[:1] * len(results)
    assert len({(state.status, state.winner, state.next_dealer) for state in states}) == 1


@every_game
@few_examples(4, 15)
@given(seed=seeds)
def test_one_sides_cards_give_the_others(table: Table, seed: int) -> None:
    """Where all cards are dealt, a count without one side's cards comes to the same as with them."""
    if not table.rules.all_dealt:
        return
    found = table.deal(Random(seed), "A")
    if isinstance(found, Played):
        whole = found.as_count()
        cards = {side: points for side, points in found.cards.items() if side != "A"}
        part = whole | {"count": whole["count"] | {"cards": cards}}
        assert fold(table, part).rows[0].made == fold(table, whole).rows[0].made == found.made


@few_examples(10)
@given(seeds)
def test_nothing_is_written_that_was_not_made(seed: int) -> None:
    """What is written and what is held afterwards is what was made and what was held before, at most."""
    random = Random(seed)
    table = tables(random)
    state = records.fold_record(table.match(random), table.family)
    held = 0
    for row in state.rows:
        written, made = sum(row.scored.values()) + sum(row.held), sum((row.made or {}).values()) + held
        rounded = 10 if "belote.score.rounding" in row.rules else 0  # five for each side
        if row.points is not None:
            pass  # what was bid is written too: the second count checks it
        elif LOST & {*row.rules}:
            assert written <= made
        elif row.result in ("made", "bait"):
            assert abs(written - made) <= rounded or PENALTIES & {*row.rules}
        elif row.result in ("tie", "penalty"):
            assert written <= made + (162 if row.made is None else rounded)  # 162 for a wrong deal
        elif row.result in ("thrown-in", "void", "belot"):
            points = table.rules["four_sevens_points"] if "deberts.four-sevens.points" in row.rules else 0
            assert (sum(row.scored.values()), sum(row.held)) == (points, held)
        held = sum(row.held)
    assert sum(state.stakes.values()) == 0
    assert (state.winner is None) == (state.status != "finished")


# --- playing -------------------------------------------------------------------------------------


@every_game
@few_examples(40, 400)
@given(seed=seeds)
def test_what_may_be_played_is_what_each_card_by_itself_may(table: Table, seed: int) -> None:
    """The legal cards are those that a second, simple reading of the rules allows."""
    random = Random(seed)
    bare = random.random() < 0.5 and "bare_jass" in table.game.book.conventions
    rules = Table(table.name, None, (("bare_jass", "on"),)).rules if bare else table.rules
    size, lying = random.randint(1, rules.hand), random.randint(0, rules.ring.size - 1)
    cards = random.sample(rules.pack, size + lying)
    hand, trick = cards[:size], cards[size:]
    for trump in (*Suit, NO_TRUMPS) if rules.no_trumps else Suit:
        due = list(play.find_duty(rules, hand, trick, trump).legal)
        assert due == allowed(table.way, hand, trick, trump, bare=bare)
        if trick:
            assert play.find_winning_place(rules, trick, trump) == taker(table.way, trick, trump)


@every_game
@few_examples(10, 40)
@given(seed=seeds, trump=st.sampled_from(Suit))
def test_every_wrong_card_of_a_whole_deal_is_found(table: Table, seed: int, trump: Suit) -> None:
    """Played without any rule, every card that was not allowed is found, and no other."""
    random, rules, way = Random(seed), table.rules, table.way
    cards = random.sample(rules.pack, rules.in_play)
    hands = {seat: cards[n * rules.hand : (n + 1) * rules.hand] for n, seat in enumerate(rules.ring.seats)}
    leader, stated, wrong = "B", [], []
    for number in range(rules.hand):
        trick: list[Any] = []
        around = rules.ring.around(leader)
        for seat in around:
            card = random.choice(hands[seat])
            if card not in allowed(way, hands[seat], trick, trump, bare=False):
                wrong.append((number, seat, card))
            hands[seat].remove(card)
            trick.append(card)
        stated.append(trick)
        leader = around[taker(way, trick, trump)]
    course = table.family.follow_play("B", trump, stated)
    assert [(wrong_card.trick, wrong_card.seat, wrong_card.card) for wrong_card in course.wrong] == wrong
    assert course.taken[-1].taker == leader
    assert course.next is None


# --- folding -------------------------------------------------------------------------------------
