"""Counts told in part: what is open is asked for by name, what follows is filled in, nothing is guessed."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from dealing import TRICK_GAMES, open_jacknine
from hypothesis import given
from hypothesis import strategies as st
from tiers import few_examples

from companion import library
from companion.jacknine.ruleset import JackNineRuleset
from companion.record import record as records
from companion.rules.cards import Card
from companion.rules.errors import Missing

Facts = dict[str, Any]
TRUMP = "H"


def share_out(rules: JackNineRuleset, random: Random) -> dict[str, list[Card]]:
    """The cards in each side's tricks, the last trick last; now and then one side has them all."""
    pack, size = random.sample(rules.pack, rules.in_play), rules.ring.size
    takers = random.choice([list(rules.ring.sides), *([side] for side in rules.ring.sides)])
    piles: dict[str, list[Card]] = {side: [] for side in rules.ring.sides}
    for at in range(0, rules.in_play, size):
        side = random.choice(takers)
        piles[side] = piles.pop(side) + pack[at : at + size]  # the side of the last trick stands last
    return piles


def describe_whole(rules: JackNineRuleset, random: Random, way: str, piles: dict[str, list[Card]]) -> Facts:
    """All facts of a deal without melds, counted in a way; a sweep of all also as who counts cards would."""
    last, without = [*piles][-1], [side for side, pile in piles.items() if not pile]
    swept = rules.has_capot and len(without) == len(piles) - 1
    every = swept and (random.random() < 0.5 or not rules.all_dealt)
    honours = {
        word: next((s for s in piles if c in piles[s]), None) for word, c in rules.honours(TRUMP).items()
    }
    cards = {side: sum(rules.card_points(card, TRUMP) for card in piles[side]) for side in rules.ring.sides}
    full = {side: sum(rules.full_points(card, TRUMP) for card in piles[side]) for side in rules.ring.sides}
    full[last] += rules.last_trick(every)
    facts: Facts = {}
    if rules.asks_trickless:
        facts["trickless"] = None
    if without:
        facts["trickless"] = without[0] if len(without) == 1 else without
    match way:
        case "cards":
            return {"count": {"cards": cards, **honours, "last": last}} | facts
        case "points":
            return {"count": {"points": full}} | facts
    return {"totals": full, "last": last} | facts


def leave_out(rules: JackNineRuleset, random: Random, whole: Facts) -> Facts:
    """The same with some facts left out; an honour that nobody has was out of play, where cards are."""
    stated, means_out = deepcopy(whole), () if rules.all_dealt else ("jass", "nine")
    for inner in [stated["count"], *stated["count"].values()] if "count" in stated else [stated["totals"]]:
        for key in [*inner] if isinstance(inner, dict) else ():
            if random.random() < 0.4 and not isinstance(inner[key], dict) and key not in means_out:
                del inner[key]
    if random.random() < 0.5:
        stated.pop("trickless", None)
    return stated


def find(facts: Any, path: str) -> Any:
    for key in path.split("."):
        facts = facts[key]
    return facts


def put(stated: Facts, whole: Facts, path: str) -> None:
    """Tell a fact that was asked for: one that was left out, and of those none that was told."""
    *above, key = path.split(".")
    inner: Any = stated
    for step in above:
        inner = inner.setdefault(step, {})
    assert not inner.get(key), f"{path} is told already: {stated}"
    inner[key] = deepcopy(find(whole, path))


def complete(stated: Facts, whole: Facts, ask: Callable[[Facts], list[str]]) -> Facts:
    """The facts with all that was asked for by name."""
    for _ in range(20):
        asked = ask(stated)
        if not asked:
            return stated
        for path in asked:
            put(stated, whole, path)
    raise AssertionError(f"it is asked on and on: {stated}")


def list_open(rules: JackNineRuleset, facts: Facts) -> list[str]:
    """The fields of a deal that are asked for."""
    try:
        state = fold(rules, facts)
    except Missing as missing:
        return [missing.path.removeprefix("entries[0].")]
    return [problem.field.removeprefix("entries[0].") for problem in state.problems]


def fold(rules: JackNineRuleset, facts: Facts) -> Any:
    bid = {"points": 80} if rules.bids_points else {}
    entry = {"type": "deal", "contract": {"declarer": rules.ring.left("A"), "trump": TRUMP, **bid}, **facts}
    head = {"format": "companion-match", "version": 1, "game": rules.book.game, "first_dealer": "A"}
    head["players"] = ["Ewa", "Jan", "Ola", "Piotr"][: rules.ring.size]
    record, game = records.read_record(head | {"entries": [entry]}, library.open_game)
    return records.fold_record(record, game.family)


def describe(state: Any) -> Mapping[str, Any]:
    (row,) = state.rows
    return {"made": row.made, "scored": row.scored, "result": row.result, "capot": row.capot}


@few_examples(5, 200)
@pytest.mark.parametrize("game", TRICK_GAMES)
@given(seed=st.integers(0, 2**32))
def test_a_count_told_in_part_and_completed_is_as_one_told_whole(game: str, seed: int) -> None:
    rules, random = open_jacknine(game).ruleset, Random(seed)
    way = random.choice(["cards", "totals", *["points"] * rules.all_dealt])
    whole = describe_whole(rules, random, way, share_out(rules, random))
    state = fold(rules, whole)
    assert not state.problems, (whole, state.problems[0])
    stated = complete(leave_out(rules, random, whole), whole, lambda facts: list_open(rules, facts))
    assert describe(fold(rules, stated)) == describe(state), (whole, stated)


@few_examples(1, 30)
@pytest.mark.parametrize("game", TRICK_GAMES)
@given(seed=st.integers(0, 2**32))
def test_so_is_one_that_is_asked_about(game: str, seed: int) -> None:
    """The question whether a count can be right asks alike, whatever is known of some sides' cards."""
    rules, random = open_jacknine(game).ruleset, Random(seed)
    piles = share_out(rules, random)
    whole = describe_whole(rules, random, random.choice(["cards", *["points"] * rules.all_dealt]), piles)
    known = random.sample([*piles], random.randrange(len(piles)))
    whole["taken"] = {side: list(map(str, piles[side][: random.randint(0, 12)])) for side in known}

    def ask(facts: Facts) -> list[str]:
        try:
            rule(facts)
        except Missing as missing:
            return [missing.path]
        return []

    def rule(facts: Facts) -> Any:
        return library.rule({"game": game, "question": "count", "trump": TRUMP, **facts}).plain()

    stated = complete(leave_out(rules, random, whole), whole, ask)
    assert {"verdict": rule(stated)["verdict"]} == {"verdict": rule(whole)["verdict"]}
