"""What cannot matter: a convention that is idle at a table is refused, a true fact of the moment never."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from anything import without_irrelevant
from cases import own_catalogue
from hypothesis import given
from hypothesis import strategies as st
from tiers import few_examples, is_nightly

from companion import library
from companion.cli.cases import Case, result
from companion.jacknine.entries import Trickless
from companion.rules.conditions import Value
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.rulebook import Convention
from companion.rules.schema import Boolean, Integer, Kind, ListOf, Nullable, SeatOf, SideOf, Table, fields_of

CASES = own_catalogue().cases
LONG = ("count", "audit", "claim")
"""Questions that are searched for long; nothing is left out of them that the table decides."""
QUICK = [case for case in CASES if case.given.get("question") not in LONG]
ASKED = [case for case in QUICK if "question" in case.given and "error" not in case.expect]
seeds = st.integers(0, 2**32)


def conventions_of(game: str) -> list[Convention]:
    return list(library.read_rulebook(game).conventions.values())


def other_values(convention: Convention) -> list[Value]:
    """All values but the usual one; of numbers two."""
    values = list(convention.values) or [convention.least, convention.least + 1]
    return [] if convention.is_text else [value for value in values if value != convention.default]


def count_players(case: Case) -> int | None:
    players = case.given.get("players")
    return len(players) if isinstance(players, list) else players if type(players) is int else None


def random_table(random: Random, case: Case) -> dict[str, Value]:
    """The conventions of a case, and two more at random as far as they change anything beside them."""
    chosen = dict(case.given.get("conventions", {}))
    for convention in random.sample(conventions_of(case.game), 2):
        chosen |= {convention.name: random.choice([convention.default, *other_values(convention)])}
    book = library.read_rulebook(case.game)
    return without_irrelevant(book, chosen, case.given.get("preset"), count_players(case))


def come_to(case: Case, **conventions: Value) -> Mapping[str, Any]:
    """What a case comes to at a table with these conventions, which are taken even if they are idle."""

    def open_game(name: str, preset: Any, chosen: Any = None, players: Any = None) -> library.Game:
        return library.reopen_game(name, preset, {**(chosen or {}), **conventions}, players)

    return result(case, open_game).facts


def refusal(case: Case, conventions: Mapping[str, Value]) -> Unreadable | None:
    """Why such a table cannot be opened for a case."""
    try:
        library.open_game(case.game, case.given.get("preset"), conventions, count_players(case))
    except Unreadable as refused:
        return refused
    return None


@pytest.mark.slow
@few_examples(200, 4000)
@given(seeds)
def test_what_is_refused_as_idle_changes_nothing(seed: int) -> None:
    """It is refused with where it matters, unless it is usual, and the case comes to the same with it."""
    random = Random(seed)
    case = random.choice(QUICK)
    table = random_table(random, case)
    conventions = [item for item in conventions_of(case.game) if item.needs or item.only_when]
    if refusal(case, table):
        return
    for convention in conventions:
        value = random.choice(other_values(convention))
        odd, usual = ({**table, convention.name: chosen} for chosen in (value, convention.default))
        refused = refusal(case, odd)
        if refused and refused.path == f"conventions.{convention.name}" and "matters only" in str(refused):
            assert refusal(case, usual) is None
            found = [come_to(case, **chosen) for chosen in (odd, usual)]
            if any(convention.name in way for way in convention.ways(None)):  # the usual value is not idle
                found = [without_choices(facts) for facts in found]
            assert found[0] == found[1], (str(case), odd)


def without_choices(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts without the choices on which the cited rules rest."""
    rules = [
        {key: fact for key, fact in rule.items() if key != "table"} if isinstance(rule, dict) else rule
        for rule in facts.get("rules", ())
    ]
    return {**facts, "rules": rules}


def cases_for(game: str, convention: Convention) -> list[Case]:
    """The cases of a game and those it extends, without their conventions; first those about a convention."""
    games = [game]
    for other in games:
        games += [item for item in own_catalogue().list_parents(other) if item not in games]
    cases = [case for case in QUICK if case.game in games]
    cases.sort(key=lambda case: convention.name not in case.given.get("conventions", {}))
    bare = [{**case.given, "conventions": {}, "preset": None} for case in cases]
    return [replace(case, game=game, given=given) for case, given in zip(cases, bare, strict=True)]


def tables_beside(game: str) -> Iterator[tuple[dict[str, Value], Convention]]:
    """Tables with one unusual choice or none, and what else they may choose; not by whom they are played."""
    conventions = [item for item in conventions_of(game) if item.name not in ("format", "deck", "target")]
    choices = [{}, *({item.name: value} for item in conventions for value in item.values)]
    yield from ((choice, item) for choice in choices for item in conventions if item.name not in choice)


@pytest.mark.parametrize("game", library.names())
def test_what_a_table_takes_changes_something(game: str) -> None:
    """Each value of a convention that a table takes changes what some case comes to there."""
    pairs = list(tables_beside(game))
    plain = [(table, convention) for table, convention in pairs if not table]
    for table, convention in pairs if is_nightly() else [*plain, *Random(game).sample(pairs, 3)]:
        cases = cases_for(game, convention)
        for value in other_values(convention):
            chosen = {**table, convention.name: value}
            if refusal(Case(game, "", "", {}, {}, ()), chosen) is None:
                usual = {**table, convention.name: convention.default}
                assert any(come_to(case, **chosen) != come_to(case, **usual) for case in cases), chosen


# --- facts ---------------------------------------------------------------------------------------

Request = Mapping[str, Any]
NOT_SO: Mapping[tuple[str, str], Callable[[Request], bool]] = {
    ("throw-in", "picking_up"): lambda facts: not facts["table"],
    ("transfer", "picking_up"): lambda facts: not facts["table"],
    ("six", "exhausting_round"): lambda facts: facts["talon"] > 0,
    ("seven", "turned"): lambda facts: "turn_up" in facts and facts["turn_up"][-1] != facts["trump"],
    ("outcome", "trickless"): lambda facts: True,  # both have points that only tricks bring
    ("outcome", "alone"): lambda facts: "trickless" not in facts,  # nobody took every trick
    # All card points and nothing else: the twenty of a belote would be among them.
    ("outcome", "bela"): lambda facts: "trickless" in facts and sum(facts["made"].values()) == 162,
    ("next-hand", "loser"): lambda facts: facts["result"] != "loss",
    ("next-hand", "deals"): lambda facts: facts["result"] != "loss",
    ("next-hand", "lot"): lambda facts: True,  # many a table casts none
}
"""Where a fact contradicts the others, or how the table does things."""
LEFT_OUT = ("out", "held")
"""Whoever is told of has cards; and held points have a law of their own."""


def list_values(kind: Kind, table: Table) -> list[Any]:
    """Values one of which is true of every moment; none for a kind of which that is not known."""
    match kind:
        case Boolean():
            return [True]
        case Integer():
            return [kind.least, kind.most]
        case SeatOf():
            return list(table.ring.seats)
        case SideOf() | Trickless():
            return list(table.ring.sides)
        case Nullable():
            return [None, *list_values(kind.kind, table)]
        case ListOf(SeatOf()):
            return [[seat] for seat in table.ring.seats]
    return []


def is_refused(game: library.Game, request: Request) -> bool:
    """Whether a request is refused for a fact that it has."""
    try:
        game.family.rule(request)
    except Unreadable as refused:
        return not isinstance(refused, MissingFact)
    return False


@few_examples(200, 4000)
@given(seeds)
def test_a_true_fact_is_never_refused(seed: int) -> None:
    """Whatever else is told of a moment, some value of each further fact is taken at every table."""
    random = Random(seed)
    case = random.choice(ASKED)
    table = random_table(random, case)
    if refusal(case, table):
        return
    game = library.open_game(case.game, case.given.get("preset"), table, count_players(case))
    facts = {key: fact for key, fact in case.given.items() if key not in ("game", "preset", "conventions")}
    question = game.family.questions[case.given["question"]]

    if is_refused(game, facts):
        return  # such a table cannot be asked this
    for fact in fields_of(question.shape):
        contradicts = NOT_SO.get((question.name, fact.key))
        if fact.key in (*facts, *LEFT_OUT) or (contradicts and contradicts(facts)):
            continue
        values = list_values(fact.kind, game.family.ruleset.table)
        refused = [value for value in values if is_refused(game, {**facts, fact.key: value})]
        assert not values or refused != values, (str(case), fact.key, table)
