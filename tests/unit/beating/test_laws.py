"""Laws of the games of beating; hands are played at random by a second, naive reading of the rules."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from played.asking import bout_entry, check_hand, opened, rule_on_steps
from played.hand import PlayedHand
from played.rules import SEATS, TableRules, random_rules
from tiers import few_examples, mostly_at_night

from companion.beating import progress, turn
from companion.rules.seats import Ring

seeds = st.integers(0, 2**32)
RINGS = [Ring(n) for n in range(2, 7)] + [Ring(4, True), Ring(6, True)]
PLAYED = [
    *(TableRules(players, neighbours=players > 4) for players in range(2, 7)),
    TableRules(4, "teams-4"),
    TableRules(6, "teams-6"),
    TableRules(2, deck=24),
    TableRules(5, deck=52),
    TableRules(6, deck=52),
    TableRules(6, "teams-6", deck=52),
    TableRules(6, "teams-6", neighbours=True),
    TableRules(4, first_limit=5, teach=True),
    TableRules(5, older=True),
    *(TableRules(players, transfer=True, neighbours=players > 4) for players in range(2, 7)),
    TableRules(2, deck=24, transfer=True, pass_card=True),
    TableRules(3, deck=24, transfer=True, jokers=True, cap=0, several=True),
    TableRules(4, deck=52, transfer=True, transfer_first=False, pass_card=True),
    TableRules(3, transfer=True, first_limit=5, until=True, closed=True),
    TableRules(6, jokers=True, transfer=True, pass_card=True, lowest_ace=True),
    TableRules(4, "teams-4", deck=52, jokers=True, cap=0),
    TableRules(2, by_spades=True, lowest_ace=True, jokers=True, cap=0, top_joker=True, no_spade=True),
    TableRules(3, cap=4, binds_taker=False, transfer=True, several=True, opens_lowest=True, no_ace=True),
    TableRules(4, deck=52, cap=9, first_limit=5, binds_taker=False, jokers=True, top_joker=True),
]


# --- a hand played twice -------------------------------------------------------------------------


def played(rules: TableRules, seed: int, most: int = 120) -> PlayedHand:
    random = Random(seed)
    return PlayedHand(rules, random, random.randrange(rules.players), random.random() < 0.5, most)


@mostly_at_night("rules", PLAYED, PLAYED[::3])
@few_examples(2, 8)
@given(seed=seeds)
def test_a_hand_is_ruled_as_it_was_played(rules: TableRules, seed: int) -> None:
    """How each bout ends, who draws how many, what may be thrown in and transferred, who plays next."""
    assert check_hand(rules, played(rules, seed)) > 0


@few_examples(8)
@given(seed=seeds)
def test_any_table_plays_as_the_naive_one(seed: int) -> None:
    rules = random_rules(Random(seed))
    assert check_hand(rules, played(rules, seed)) > 0


def cards_of(step: dict[str, Any]) -> list[str]:
    """The cards of a step, one or several."""
    return step["card"] if isinstance(step["card"], list) else [step["card"]]


@pytest.mark.parametrize("rules", PLAYED, ids=str)
@few_examples(2, 8)
@given(seed=seeds)
def test_a_wrong_card_is_found_at_its_step(rules: TableRules, seed: int) -> None:
    """Cut off anywhere and gone on with any card, a bout is illegal there exactly if the card was wrong."""
    random, hand = Random(seed), played(rules, seed, most=10)
    for bout in hand.bouts:
        cut = random.randrange(1, len(bout.steps) + 1)
        steps, defender = bout.steps[:cut], bout.moments[cut].defender
        beaten = {step["beats"] for step in steps if "beats" in step}
        placed = [step for step in steps if "card" in step and "shown" not in step]
        attacks = [card for step in placed if "beats" not in step for card in cards_of(step)]
        waiting = [card for card in attacks if card not in beaten]
        picking = any("pick_up" in step for step in steps)
        gone = {card for step in placed for card in cards_of(step)}
        left = [card for card in bout.hands[defender] if card not in gone]
        before = "picked-up" if picking else "open" if waiting else "beaten-off"
        assert rule_on_steps(rules, hand, bout, steps)["verdict"] == before
        if waiting and left and not picking:
            card, other = random.choice(left), random.choice(waiting)
            step = {"seat": SEATS[defender], "card": card, "beats": other}
            found = rule_on_steps(rules, hand, bout, [*steps, step])
            assert (found["verdict"] == "illegal") == (not hand.beats(card, other))
            assert found["answer"]["step"] == (None if hand.beats(card, other) else cut + 1)
            assert found["answer"]["remedy"] == (None if hand.beats(card, other) else "take-back")


@few_examples(4, 30)
@given(st.sampled_from([TableRules(3, cap=2), TableRules(4, cap=3)]), seeds)
def test_a_card_too_many_that_goes_back_was_never_played(rules: TableRules, seed: int) -> None:
    """Whoever has priority gives any card after any step: gone back as one too many, it leaves no trace."""
    random, hand = Random(seed), played(rules, seed, most=10)
    for bout in hand.bouts:
        cut = random.randrange(1, len(bout.steps) + 1)
        steps, moment = bout.steps[:cut], bout.moments[cut]
        gone = {card for step in steps if "card" in step for card in cards_of(step)}
        before = rule_on_steps(rules, hand, bout, steps)
        for card in {*bout.hands[moment.attacker]} - gone:
            more = [*steps, {"seat": SEATS[moment.attacker], "card": card}]
            if rule_on_steps(rules, hand, bout, more)["answer"]["surplus"] is not None:
                after = [*more, {"seat": SEATS[moment.defender], "returns": [card]}]
                found = rule_on_steps(rules, hand, bout, after)
                assert (found["verdict"], found["answer"]) == (before["verdict"], before["answer"])


# --- turns ---------------------------------------------------------------------------------------


@few_examples(100, 300)
@given(st.sampled_from(RINGS), st.data())
def test_the_turn_names_two_opponents_with_cards(ring: Ring, data: st.DataObject) -> None:
    """Whoever attacks and defends next has cards, and they are of different sides; or nobody is left to."""
    attacker = data.draw(st.sampled_from(ring.seats))
    foes = [seat for seat in ring.seats if ring.side(seat) != ring.side(attacker)]
    defender = data.draw(st.sampled_from(foes))
    result = data.draw(st.sampled_from([turn.BEATEN_OFF, turn.PICKED_UP]))
    out = data.draw(st.sets(st.sampled_from(ring.seats)))
    then = turn.next_turn(ring, attacker, defender, result, out)
    left = {ring.side(seat) for seat in ring.seats if seat not in out}
    if then.attacker is None or then.defender is None:
        assert left == ({then.loser} if then.loser else set())
    else:
        assert then.loser is None
        assert not {then.attacker, then.defender} & out
        assert ring.side(then.attacker) != ring.side(then.defender)


LONG = "BCDEFCBEDCFEBCDEFCBEDCFEBCDEFCBEDCFEBCD"
"""In which order five of two teams of three play once the first seat is out."""


@given(st.lists(st.sampled_from([turn.BEATEN_OFF, turn.PICKED_UP]), max_size=12))
def test_three_against_two_go_round_in_one_order(results: list[str]) -> None:
    """Whatever the bouts bring, the turns go along one order: beaten off by one place, picked up by two."""
    ring, place = Ring(6, True), 0
    for result in results:
        then = turn.next_turn(ring, LONG[place], LONG[place + 1], result, {"A"})
        place += 1 if result == turn.BEATEN_OFF else 2
        assert (then.attacker, then.defender) == (LONG[place], LONG[place + 1])


@few_examples(25)
@given(seeds)
def test_following_in_parts_is_following_all(seed: int) -> None:
    """A hand followed to some bout, and from there on, comes to what it does followed at once."""
    random = Random(seed)
    rules = random_rules(random)
    hand, ruleset = PlayedHand(rules, random, 0, later=True), opened(rules).family.ruleset
    bouts = [bout_entry(rules, bout) for bout in hand.bouts]
    cut = random.randint(0, len(bouts))
    start = progress.start_hand(ruleset, SEATS[hand.first[0]])
    part, problems = progress.follow_hand(ruleset, start, bouts[:cut])
    whole, all_problems = progress.follow_hand(ruleset, start, bouts)
    assert progress.follow_hand(ruleset, part, bouts[cut:])[0] == whole
    assert (problems, all_problems) == ([], [])
