"""Laws of sessions of the games of beating; hands are played at random by a naive reading of the rules."""

from collections import Counter
from random import Random
from typing import Any

from amending import add_entry
from hypothesis import given
from hypothesis import strategies as st
from played.asking import ask, head, names
from played.hand import PlayedHand
from played.rules import SEATS, PlayedBout, TableRules, random_rules
from tiers import few_examples

from companion import library
from companion.record import record as records

seeds = st.integers(0, 2**32)
few = few_examples(10, 40)


def session(random: Random, most: int = 8) -> tuple[TableRules, records.Record, Any]:
    """A session of naive hands, some of them followed, with touches between; the core says who deals."""
    rules = random_rules(random)
    chosen: dict[str, Any] = {
        "touch_counts": random.choice([False, True]),
        "session_losses": random.choice([0, 0, 2]),
        "cut": random.choice(["trap", "free", "required"]),
        "five_of_a_suit": random.choice(["play", "redeal"]),
        "six_of_a_colour": random.choice(["play", "redeal"]),
        "walk_out": random.choice(["fool", "void"] + ["plays-on"] * (not rules.teams and rules.players > 2)),
        "epaulettes": random.choice([False, True]),
    }
    if chosen["walk_out"] == "plays-on":
        chosen |= {"walk_out_bout": random.choice(["finished", "cancelled"])}
    record, game = records.read_record(head(rules, **chosen), library.open_game)
    for _ in range(random.randint(0, most)):
        state = records.fold_record(record, game.family)
        if state.status != "playing":
            break
        entry = _entry(random, rules, state)
        record = add_entry(record, game.family, entry)
    return rules, record, game.family


def _entry(random: Random, rules: TableRules, state: Any) -> dict[str, Any]:
    hands = state.hands
    dealer = SEATS.index(state.next_dealer)
    if random.random() < 0.2:
        others = [seat for seat in range(rules.players) if seat != dealer]
        return {"type": "touch", "by": SEATS[random.choice(others)], "cards": "touched"}
    if random.random() < 0.05:
        return {"type": "close"}
    hand = PlayedHand(rules, random, dealer, later=hands > 0)
    started = (state.start.attacker, state.start.defender)
    assert started == ((None, None) if not hands and not rules.older else tuple(names(hand.first)))
    if random.random() < 0.1 and state.ruleset.misdeals:
        return {"type": "hand", "misdeal": random.choice(state.ruleset.misdeals), "by": SEATS[0]}
    if random.random() < 0.2:
        return _left(random, rules, state, hand)
    entry: dict[str, Any] = {"type": "hand", "loser": hand.loser, "dealer": SEATS[dealer]}
    if random.random() < 0.3 and hand.loser and state.ruleset["epaulettes"]:
        entry["sixes"] = random.randrange(5)
    if not hand.ended:
        entry["loser"] = state.ring.sides[0]
    elif random.random() < 0.5:
        entry |= {"bouts": [bout.to_entry() for bout in hand.bouts], "first_attacker": SEATS[hand.first[0]]}
    if rules.teams and entry["loser"]:
        team = [seat for seat in range(rules.players) if rules.side(seat) == entry["loser"]]
        entry["deals"] = SEATS[random.choice(team)]
    return entry


def _left(random: Random, rules: TableRules, state: Any, hand: PlayedHand) -> dict[str, Any]:
    """A hand that somebody with cards left after some of its bouts."""
    played = random.randrange(len(hand.bouts))
    out = hand.bouts[played].out
    present = [seat for seat in range(rules.players) if seat not in out]
    gone = random.choice(present)
    entry: dict[str, Any] = {"type": "hand", "first_attacker": SEATS[hand.first[0]]}
    entry["bouts"] = [bout.to_entry() for bout in hand.bouts[:played]]
    if state.ruleset["walk_out_bout"] == "cancelled" and random.random() < 0.5:
        entry["bouts"] += _broken_off(hand.bouts[played], gone, present, rules.players)
    else:
        entry["walked_out"] = SEATS[gone]
    if rules.teams and state.ruleset["walk_out"] == "fool":
        entry["deals"] = SEATS[gone]
    if state.ruleset["walk_out"] == "plays-on" and len(present) > 2:
        entry["loser"] = SEATS[random.choice([seat for seat in present if seat != gone])]
    return entry


def _broken_off(bout: PlayedBout, gone: int, present: list[int], players: int) -> list[dict[str, Any]]:
    """A bout that is cancelled, for somebody left in it, and the one that begins in its place."""
    cancelled = bout.to_entry() | {"result": "cancelled", "out": [SEATS[gone]]}
    left = sorted({*present} - {gone}, key=lambda seat: (seat - bout.attacker) % players)
    if len(left) < 2:
        return [cancelled]
    return [cancelled, {"attacker": SEATS[left[0]], "defender": SEATS[left[1]], "result": "picked-up"}]


@few
@given(seeds)
def test_the_matchsticks_are_the_losses(seed: int) -> None:
    """Each side has as many matchsticks as rows that it lost, and who has most of them pays."""
    rules, record, family = session(Random(seed))
    state = records.fold_record(record, family)
    lost = Counter(row.loser for row in state.rows if row.result in ("loss", "touch") and row.loser)
    assert state.totals == {side: lost[side] for side in state.ring.sides}
    most = max(state.totals.values())
    assert state.losers == tuple(side for side, n in state.totals.items() if n == most and most)
    assert state.problems == ()
    assert set(state.totals) == {rules.side(seat) for seat in range(rules.players)}


@few
@given(seeds)
def test_who_deals_is_who_lost_or_touched_last(seed: int) -> None:
    """The dealer of each hand lost or touched last before it; after draws alone it is the first."""
    rules, record, family = session(Random(seed))
    due, state = "A", records.fold_record(record, family)
    for row, entry in zip(state.rows, record.entries, strict=True):
        assert row.dealer == due or row.type == "close"
        if row.type == "touch":
            due = str(entry["by"])
        elif row.result == "loss":
            due = str(entry["deals"] if rules.teams else row.loser)
    assert state.next_dealer == due


@few
@given(seeds)
def test_marks_are_no_losses_and_void_hands_are_nothing(seed: int) -> None:
    """The epaulettes of a side are the sixes of its losses; a hand void or dealt again adds nothing."""
    _rules, record, family = session(Random(seed))
    state = records.fold_record(record, family)
    marks = Counter[str]()
    for row in state.rows:
        marks[str(row.loser)] += row.sixes or 0
        assert row.result not in ("void", "misdeal") or not any(row.scored.values())
    shown = family.show(state)["epaulettes"]
    assert shown == (
        {side: marks[side] for side in state.ring.sides} if family.ruleset["epaulettes"] else None
    )
    assert state.hands == sum(row.result in ("loss", "draw") and row.type == "hand" for row in state.rows)


@few
@given(seeds)
def test_who_starts_is_ruled_as_the_session_has_it(seed: int) -> None:
    """The next hand as a session shows it is what the arbiter says of the hand before."""
    rules, record, family = session(Random(seed))
    state = records.fold_record(record, family)
    last = state.rows[-1] if state.rows else None
    if last is None or last.result not in ("loss", "draw") or state.status != "playing":
        return
    facts: dict[str, Any] = {"result": last.result, "dealer": last.dealer}
    if last.result == "loss":
        facts |= {"loser": last.loser} | ({"deals": state.next_dealer} if rules.teams else {})
    answer = ask(rules, "next-hand", **facts)["answer"]
    start = state.start
    assert answer == {"dealer": start.dealer, "attacker": start.attacker, "defender": start.defender}
