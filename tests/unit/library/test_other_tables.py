"""What another table would rule is what it rules when it is asked from the beginning."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from requests_of_cases import RequestKey, find_requests
from tiers import FOUR_GAMES, mostly_in_release

from companion import library
from companion.library.other_tables import JudgedQuestion, judge_question
from companion.rules.errors import Unreadable
from companion.rules.ruling import Ruling
from companion.rules.schema import parse

PINNED = ("game", "preset", "conventions", "players", "question")
LONG = ("klaberjass", "count", "possible")
"""What is searched for twenty seconds, once for each table."""


def choose_one_for_each_question() -> list[RequestKey]:
    """A verdict of each question in one game that has it, of all games in turn."""
    chosen: list[RequestKey] = []
    used = Counter[str]()
    for question in dict.fromkeys(key[1] for key in find_requests()):
        keys = [key for key in find_requests() if key[1] == question and key != LONG]
        chosen.append(min(keys, key=lambda key: used[key[0]]))
        used[chosen[-1][0]] += 1
    return chosen


def judge(name: str, request: Mapping[str, Any]) -> JudgedQuestion:
    game = library.open_game(name, request.get("preset"), request.get("conventions"), request.get("players"))
    facts = {key: fact for key, fact in request.items() if key not in PINNED}
    shape = game.family.questions[request["question"]].shape
    parsed: object = parse(shape, facts, "", game.family.ruleset.table)
    return judge_question(game, request["question"], parsed, facts)


def outcome_of(ask: Callable[[], Ruling]) -> object:
    try:
        return ask().plain()
    except Unreadable as error:
        return type(error), str(error)


@pytest.mark.slow
def test_other_tables_rule_as_if_they_had_been_asked_themselves() -> None:
    """Each question in one game."""
    for key in choose_one_for_each_question():
        check_other_tables(key)


@pytest.mark.nightly
@mostly_in_release("game", library.names(), FOUR_GAMES)
def test_every_other_table_rules_as_if_it_had_been_asked_itself(game: str) -> None:
    """Each verdict in every game."""
    for key in find_requests():
        if key[0] == game:
            check_other_tables(key)


def check_other_tables(key: RequestKey) -> None:
    """For each value of each convention: the same ruling, or the same refusal, as by a request of its own."""
    name, given = key[0], find_requests()[key]
    judged = judge(name, given)
    assert judged.ruling.plain() == library.rule({"game": name, **given}).plain()
    game = judged.game
    for convention in game.book.conventions.values():
        for value in convention.values_for(game.players):
            chosen = {**game.conventions, convention.name: value}
            irrelevant = game.book.irrelevant_facts(chosen, game.players)
            chosen = {name: option for name, option in chosen.items() if name not in irrelevant}
            request = {**given, "game": name, "preset": game.preset, "conventions": chosen}
            there = outcome_of(partial(judged.rule_otherwise, convention.name, value))
            assert there == outcome_of(partial(library.rule, request)), (key, convention.name, value)


@pytest.mark.slow
def test_a_convention_that_nobody_asked_for_is_not_judged_again() -> None:
    """The answer about a card is the very same where only the cost of a revoke differs."""
    judged = judge("derda", find_requests()["derda", "play", "legal"])
    assert "penalty" not in judged.options_read
    assert judged.rule_otherwise("penalty", "replay").answer is judged.ruling.answer
    cost = judge("derda", find_requests()["derda", "penalty", "bait-on-cards"])
    assert "penalty" in cost.options_read
    assert cost.rule_otherwise("penalty", "replay").answer is not cost.ruling.answer


@pytest.mark.slow
def test_no_answer_rests_on_everything() -> None:
    """Nothing reads all conventions at once; else each of them would be judged again, a search each time."""
    for key, given in find_requests().items():
        judged = judge(key[0], given)
        assert not judged.options_read.issuperset(judged.game.book.conventions), key


@pytest.mark.slow
def test_what_was_read_is_known_again_the_second_time() -> None:
    """A family remembers what it has worked out, and what that rested on is not forgotten with it."""
    given = find_requests()["derda", "count", "possible"]
    assert judge("derda", given).options_read == judge("derda", given).options_read != frozenset()
