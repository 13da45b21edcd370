"""Laws of the games of beating; hands are played at random by a second, naive reading of the rules."""

import json
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulator import FULL_HAND, SEATS, PlayedBout, PlayedHand, TableRules, random_rules

from companion import library
from companion.beating import course, turn
from companion.beating.entries import Bout as BoutEntry
from companion.record import record as records
from companion.rules.seats import Ring

seeds = st.integers(0, 2**32)
few = settings(max_examples=40)
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
]


def opened(rules: TableRules) -> Any:
    """The game at such a table."""
    return library.open_game("durak", None, rules.conventions, rules.players)


def ask(rules: TableRules, question: str, **facts: Any) -> Any:
    """What the arbiter says at such a table, as JSON."""
    head = {"game": "durak", "conventions": rules.conventions, "players": rules.players}
    return json.loads(json.dumps(library.rule({**head, "question": question, **facts}).plain()))


def names(seats: Any) -> list[str]:
    """Seats by their letters."""
    return [SEATS[seat] for seat in seats]


def facts_of(hand: PlayedHand, bout: PlayedBout) -> dict[str, Any]:
    """The facts of a question about a bout."""
    return {
        "attacker": SEATS[bout.attacker],
        "defender": SEATS[bout.defender],
        "trump": hand.trump,
        "out": names(bout.out),
        "first_bout": bout.first,
    }


def bout_entry(bout: PlayedBout) -> BoutEntry:
    """A bout as the record's entries tell it."""
    entry = bout.to_entry()
    return BoutEntry(**{**entry, "out": tuple(entry.get("out", ()))})


def rule_on_steps(rules: TableRules, hand: PlayedHand, bout: PlayedBout, steps: list[dict[str, Any]]) -> Any:
    """What the arbiter says of these steps of a bout."""
    cards = {SEATS[seat]: cards for seat, cards in enumerate(bout.hands)}
    return ask(rules, "bout", **facts_of(hand, bout), cards=cards, talon=bout.talon, steps=steps)


# --- a hand played twice -------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PLAYED, ids=str)
@settings(max_examples=12)
@given(seed=seeds)
def test_every_bout_of_a_hand_is_ruled_as_it_was_played(rules: TableRules, seed: int) -> None:
    """How each bout ends, who draws how many, who is out and who plays next: as in the naive hand."""
    random = Random(seed)
    hand = PlayedHand(rules, random, random.randrange(rules.players), random.random() < 0.5)
    for n, bout in enumerate(hand.bouts):
        found = rule_on_steps(rules, hand, bout, bout.steps)
        draws = [{"seat": SEATS[seat], "cards": cards} for seat, cards in bout.draws]
        roles = {"attacker": SEATS[bout.attacker], "defender": SEATS[bout.defender]}
        expected: dict[str, Any] = {"step": None, "remedy": None, "draws": draws, "talon": bout.left, **roles}
        assert (found["verdict"], found["answer"]) == (bout.result, expected | {"out": names(bout.gone)})
        facts = {"attacker": SEATS[bout.attacker], "defender": SEATS[bout.defender], "result": bout.result}
        then = ask(rules, "turn", **facts, out=names(bout.gone))
        if n + 1 < len(hand.bouts):
            more = hand.bouts[n + 1]
            expected = {"attacker": SEATS[more.attacker], "defender": SEATS[more.defender], "loser": None}
            assert (then["verdict"], then["answer"]) == ("next", expected)
        elif hand.ended:
            assert then["verdict"] == ("loser" if hand.loser else "draw")
            assert then["answer"]["loser"] == hand.loser


@pytest.mark.parametrize("rules", PLAYED, ids=str)
@settings(max_examples=12)
@given(seed=seeds)
def test_what_may_be_thrown_in_is_what_the_naive_hand_allowed(rules: TableRules, seed: int) -> None:
    """Every card that somebody thought of throwing in is allowed exactly where it was; the limit too."""
    random = Random(seed)
    hand = PlayedHand(rules, random, 0, random.random() < 0.5)
    for bout in hand.bouts:
        for one in bout.tries:
            table = {"table": one.table, "picking_up": one.picking_up}
            attack = {"by": SEATS[one.by], "card": one.card, "defender_cards": len(bout.hands[bout.defender])}
            found = ask(rules, "throw-in", **facts_of(hand, bout), **table, **attack)
            assert found["answer"] == {"limit": bout.limit, "more": bout.limit - len(one.table)}
            assert found["verdict"] == ("allowed" if one.allowed else "not-allowed")


@pytest.mark.parametrize("rules", PLAYED, ids=str)
@settings(max_examples=12)
@given(seed=seeds)
def test_a_wrong_card_is_found_at_its_step(rules: TableRules, seed: int) -> None:
    """Cut off anywhere and gone on with any card, a bout is illegal there exactly if the card was wrong."""
    random = Random(seed)
    hand = PlayedHand(rules, random, 0, True, most=10)
    for bout in hand.bouts:
        cut = random.randrange(1, len(bout.steps) + 1)
        steps = bout.steps[:cut]
        beaten = {step["beats"] for step in steps if "beats" in step}
        attacks = [step["card"] for step in steps if "card" in step and "beats" not in step]
        waiting = [card for card in attacks if card not in beaten]
        picking = any("pick_up" in step for step in steps)
        gone = {step.get("card") for step in steps}
        left = [card for card in bout.hands[bout.defender] if card not in gone]
        before = "picked-up" if picking else "open" if waiting else "beaten-off"
        assert rule_on_steps(rules, hand, bout, steps)["verdict"] == before
        if waiting and left and not picking:
            card, other = random.choice(left), random.choice(waiting)
            step = {"seat": SEATS[bout.defender], "card": card, "beats": other}
            found = rule_on_steps(rules, hand, bout, [*steps, step])
            assert (found["verdict"] == "illegal") == (not hand.beats(card, other))
            assert found["answer"]["step"] == (None if hand.beats(card, other) else cut + 1)
            assert found["answer"]["remedy"] == (None if hand.beats(card, other) else "take-back")


@pytest.mark.parametrize("rules", PLAYED, ids=str)
@settings(max_examples=12)
@given(seed=seeds)
def test_a_followed_hand_comes_to_its_loser(rules: TableRules, seed: int) -> None:
    """Bout by bout the guide names who plays, who may throw in and how many; the record has no problems."""
    random = Random(seed)
    dealer = random.randrange(rules.players)
    hand = PlayedHand(rules, random, dealer, later=False)
    family = opened(rules).family
    followed: list[BoutEntry] = []
    for bout in hand.bouts:
        course = family.course(SEATS[hand.first[0]], followed)
        guide = family.guide(course)
        assert (guide.attacker, guide.defender) == (SEATS[bout.attacker], SEATS[bout.defender])
        assert list(guide.throwers) == names(bout.throwers)
        assert min(guide.limit, len(bout.hands[bout.defender])) == bout.limit
        drawing = [seat for seat, _cards in bout.draws]
        assert [seat for seat in guide.drawing if seat in names(drawing)] == names(drawing)
        assert sorted(course.out) == names(bout.out)
        followed.append(bout_entry(bout))
    assert family.course(SEATS[hand.first[0]], followed).over == hand.ended
    entry = {"type": "hand", "loser": hand.loser, "first_attacker": SEATS[hand.first[0]]}
    state = folded(rules, [entry | {"bouts": [bout.to_entry() for bout in hand.bouts]}], SEATS[dealer])
    assert hand.ended is False or state.problems == ()


@pytest.mark.parametrize("rules", PLAYED, ids=str)
@settings(max_examples=12)
@given(seed=seeds)
def test_nobody_is_left_short_while_the_talon_has_cards(rules: TableRules, seed: int) -> None:
    """While the talon has cards, everybody holds six at least after drawing, as the arbiter tells it."""
    hand = PlayedHand(rules, Random(seed), 0, later=True)
    for bout in hand.bouts:
        answer = rule_on_steps(rules, hand, bout, bout.steps)["answer"]
        held = Counter({SEATS[seat]: len(cards) for seat, cards in enumerate(bout.hands)})
        table = [step["card"] for step in bout.steps if "card" in step]
        held.subtract(step["seat"] for step in bout.steps if "card" in step)
        held[SEATS[bout.defender]] += len(table) if bout.result == "picked-up" else 0
        for draw in answer["draws"]:
            held[draw["seat"]] += draw["cards"]
        assert sum(draw["cards"] for draw in answer["draws"]) == bout.talon - answer["talon"]
        if answer["talon"]:
            assert min(held.values()) >= FULL_HAND
            assert answer["out"] == []


# --- turns ---------------------------------------------------------------------------------------


@settings(max_examples=300)
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


@given(seeds)
def test_following_in_parts_is_following_all(seed: int) -> None:
    """A hand followed to some bout, and from there on, comes to what it does followed at once."""
    random = Random(seed)
    rules = random_rules(random)
    hand, ruleset = PlayedHand(rules, random, 0, later=True), opened(rules).family.ruleset
    bouts = [bout_entry(bout) for bout in hand.bouts]
    cut = random.randint(0, len(bouts))
    start = course.start_course(ruleset, SEATS[hand.first[0]])
    part, faults = course.follow_bouts(ruleset, start, bouts[:cut])
    whole, all_faults = course.follow_bouts(ruleset, start, bouts)
    assert course.follow_bouts(ruleset, part, bouts[cut:])[0] == whole
    assert (faults, all_faults) == ([], [])


# --- sessions ------------------------------------------------------------------------------------


def head(rules: TableRules, dealer: str = "A", **conventions: Any) -> dict[str, Any]:
    """A record without an entry."""
    return {
        "format": "companion-match",
        "version": 1,
        "game": "durak",
        "conventions": rules.conventions | conventions,
        "players": [f"Player {seat}" for seat in SEATS[: rules.players]],
        "first_dealer": dealer,
        "entries": [],
    }


def folded(rules: TableRules, entries: list[dict[str, Any]], dealer: str = "A") -> Any:
    """What these entries come to."""
    record, game = records.read_record(head(rules, dealer) | {"entries": entries}, library.open_game)
    return records.fold_record(record, game.family)


def session(random: Random, most: int = 8) -> tuple[TableRules, records.Record, Any]:
    """A session of naive hands, some of them followed, with touches between; the core says who deals."""
    rules = random_rules(random)
    chosen: Mapping[str, Any] = {
        "touch_counts": random.choice([False, True]),
        "session_losses": random.choice([0, 0, 2]),
        "cut": random.choice(["trap", "free", "required"]),
    }
    record, game = records.read_record(head(rules, **chosen), library.open_game)
    hands = 0
    for _ in range(random.randint(0, most)):
        state = records.fold_record(record, game.family)
        if state.status != "playing":
            break
        entry = _entry(random, rules, state, hands)
        hands += entry["type"] == "hand"
        record = records.add_entry(record, game.family, entry)
    return rules, record, game.family


def _entry(random: Random, rules: TableRules, state: Any, hands: int) -> dict[str, Any]:
    dealer = SEATS.index(state.next_dealer)
    if random.random() < 0.2:
        others = [seat for seat in range(rules.players) if seat != dealer]
        return {"type": "touch", "by": SEATS[random.choice(others)], "cards": "touched"}
    if random.random() < 0.05:
        return {"type": "close"}
    hand = PlayedHand(rules, random, dealer, later=hands > 0)
    started = (state.start.attacker, state.start.defender)
    assert started == ((None, None) if not hands and not rules.older else tuple(names(hand.first)))
    entry: dict[str, Any] = {"type": "hand", "loser": hand.loser, "dealer": SEATS[dealer]}
    if not hand.ended:
        entry["loser"] = state.ring.sides[0]
    elif random.random() < 0.5:
        entry |= {"bouts": [bout.to_entry() for bout in hand.bouts], "first_attacker": SEATS[hand.first[0]]}
    if rules.teams and entry["loser"]:
        team = [seat for seat in range(rules.players) if rules.side(seat) == entry["loser"]]
        entry["deals"] = SEATS[random.choice(team)]
    return entry


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
            due = str(entry["deals"] if rules.teams else entry["loser"])
    assert state.next_dealer == due


@few
@given(seeds, st.data())
def test_folding_a_part_and_then_the_rest_is_folding_all(seed: int, data: st.DataObject) -> None:
    """The fold of a prefix, and then of the rest, equals the fold of all."""
    _way, record, family = session(Random(seed))
    cut = data.draw(st.integers(0, len(record.entries)))
    part = records.fold_record(records.Record(record.head, record.entries[:cut]), family)
    rest = records.fold_record(records.Record(record.head, record.entries[cut:]), family, part)
    assert rest == records.fold_record(record, family)
    assert rest.rows[:cut] == part.rows


@few
@given(seeds)
def test_amending_an_entry_with_itself_changes_nothing(seed: int) -> None:
    """Every entry may be amended with its own content, and the record stays as it was."""
    _way, record, family = session(Random(seed), 5)
    for n, entry in enumerate(record.entries, 1):
        assert records.amend_entry(record, family, n, entry) == record


@few
@given(seeds)
def test_a_record_that_was_written_is_read_back(seed: int) -> None:
    """Writing a record and reading it back gives the same record, and the same document again."""
    _way, record, _family = session(Random(seed))
    document = json.loads(json.dumps(records.write_record(record)))
    again, _ = records.read_record(document, library.open_game)
    assert again == record
    assert records.write_record(again) == document


@few
@given(seeds, st.data())
def test_editing_an_early_hand_flags_and_loses_nothing(seed: int, data: st.DataObject) -> None:
    """After an early entry became a draw or was withdrawn, every later one still has its row."""
    _way, record, family = session(Random(seed))
    if not record.entries:
        return
    n = data.draw(st.integers(1, len(record.entries)))
    other = records.amend_entry(record, family, n, {"type": "hand", "loser": None})
    state = records.fold_record(other, family)
    assert len(state.rows) == len(record.entries)
    assert all(problem.entry > n for problem in state.problems)
    assert len(records.fold_record(records.withdraw_entry(record, n), family).rows) == len(record.entries) - 1


@few
@given(seeds)
def test_who_starts_is_ruled_as_the_session_has_it(seed: int) -> None:
    """The next hand as a session shows it is what the arbiter says of the hand before."""
    rules, record, family = session(Random(seed))
    state = records.fold_record(record, family)
    last = state.rows[-1] if state.rows else None
    if last is None or last.type != "hand" or state.status != "playing":
        return
    facts: dict[str, Any] = {"result": last.result, "dealer": last.dealer}
    if last.result == "loss":
        facts |= {"loser": last.loser} | ({"deals": state.next_dealer} if rules.teams else {})
    answer = ask(rules, "next-hand", **facts)["answer"]
    start = state.start
    assert answer == {"dealer": start.dealer, "attacker": start.attacker, "defender": start.defender}
