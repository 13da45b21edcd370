"""The cases: sentences about the games in tests/cases/<game>/*.toml, with what is given and expected.

`given` is a ruling request, or a record (its `entries` and whatever of its head is not the usual; `players`
may be their number), or the cards `drawn` for the first deal. `expect` names a part of the ruling or of the
state (a record of which it names no problems has none); `error` the path at which the input is refused. TOML
has no null: "null" stands for it.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion import library
from companion.record import record as records
from companion.rules.cards import parse_card
from companion.rules.ruling import RuleViolation
from companion.rules.schema import Unreadable

FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One sentence about a game. `shows` are rules that it is about though no ruling can cite them."""

    game: str
    file: str
    name: str
    given: Mapping[str, Any]
    expect: Mapping[str, Any]
    rules: tuple[str, ...]
    shows: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.game}/{self.file}: {self.name}"


def nulls(value: Any) -> Any:
    """The value with null wherever "null" stands."""
    match value:
        case "null":
            return None
        case dict():
            return {key: nulls(one) for key, one in value.items()}
        case list():
            return [nulls(one) for one in value]
    return value


def cases() -> Iterator[Case]:
    """Every case there is."""
    for path in sorted(FOLDER.glob("*/*.toml")):
        for told in nulls(tomllib.loads(path.read_text("utf-8")))["case"]:
            rules, shows = (tuple(told.pop(key, ())) for key in ("rules", "shows"))
            yield Case(path.parent.name, path.stem, rules=rules, shows=shows, **told)


CASES = tuple(cases())
OF_GAME = {game: [case for case in CASES if case.game == game] for game in library.names()}


@dataclass(frozen=True)
class Result:
    """What a case came to, as JSON, and the rules that were cited for it."""

    facts: Mapping[str, Any]
    rules: frozenset[str]


def result(case: Case) -> Result:
    """What the case comes to."""
    try:
        if "question" in case.given:
            return _ruled(case)
        if "drawn" in case.given:
            return _drawn(case)
        return _folded(case)
    except Unreadable as error:
        return Result({"error": error.path, "expected": str(error)}, frozenset())


def _ruled(case: Case) -> Result:
    ruling = library.rule({"game": case.game, **case.given})
    facts = json.loads(json.dumps(ruling.plain()))
    return Result(facts, frozenset(rule["id"] for rule in facts["rules"]))


def _drawn(case: Case) -> Result:
    game = library.open_game(case.game, conventions=case.given.get("conventions"))
    drawn = {seat: parse_card(card) for seat, card in case.given["drawn"].items()}
    (rule,) = game.family.ruleset.cite("deal.first")
    return Result({"dealer": game.family.first_dealer(drawn)}, frozenset({rule.id}))


def document(case: Case) -> dict[str, Any]:
    """The record that a case gives, with the usual head."""
    players = case.given.get("players", _seats(case))
    usual = {"format": "companion-match", "version": 1, "game": case.game, "first_dealer": "A"}
    told = usual | dict(case.given)
    if type(players) is int:
        told["players"] = [f"Player {n}" for n in range(1, players + 1)]
    return {key: value for key, value in told.items() if value is not None}


def _seats(case: Case) -> int:
    """How many usually play by these conventions; by the plain ones, where these cannot be read."""
    chosen = case.given.get("conventions")
    for conventions in (chosen, None):
        try:
            return int(library.open_game(case.game, conventions=conventions).family.ruleset.ring.size)
        except Unreadable:
            continue
    raise LookupError(case.game)


def _folded(case: Case) -> Result:
    record, game = records.read_record(document(case), library.open_game)
    state = records.fold_record(record, game.family)
    facts = json.loads(json.dumps(game.family.show(state)))
    facts["problems"] = [problem.plain() for problem in state.problems]
    facts["why"] = str(state.rows[-1].why)
    _strict_in_front(record, game)
    cited = {rule for row in state.rows for rule in row.rules} | {one.rule for one in state.problems}
    return Result(facts, frozenset(cited))


def _strict_in_front(record: records.Record, game: Any) -> None:
    """A new entry is refused exactly where the fold would flag it."""
    so_far = records.Record(record.head)
    for entry in record.entries:
        tried = records.Record(record.head, (*so_far.entries, entry))
        wrong = records.problems_of(records.fold_record(tried, game.family), len(tried.entries))
        try:
            records.add_entry(so_far, game.family, entry)
        except RuleViolation as refused:
            assert refused.problems == wrong
        else:
            assert wrong == ()
        so_far = tried


def differences(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    """Where the found value is not what was expected; objects may hold more, lists may not."""
    match expected, found:
        case dict(), dict():
            for key, one in expected.items():
                if key in found:
                    yield from differences(one, found[key], f"{path}.{key}")
                else:
                    yield f"{path}.{key}: nothing there"
        case list(), list() if len(expected) == len(found):
            for i, (one, other) in enumerate(zip(expected, found, strict=True)):
                yield from differences(one, other, f"{path}[{i}]")
        case _ if expected != found or type(expected) is not type(found):
            yield f"{path}: expected {json.dumps(expected)}, found {json.dumps(found)}"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    """Each case comes to what it says, and cites the rules that it shows."""
    found = result(case)
    usual = {"problems": []} if "problems" in found.facts else {}
    wrong = list(differences(usual | dict(case.expect), found.facts))
    uncited = sorted(set(case.rules) - found.rules)
    told = [f"cites {sorted(found.rules)}, not {uncited}"] if uncited else []
    assert not wrong + told, (
        f"{case.name}\n" + "\n".join(wrong + told) + f"\n{json.dumps(found.facts, indent=1)}"
    )


def test_names_are_sentences_of_their_own() -> None:
    """No two cases bear the same name, and each ends like a sentence."""
    names = [(case.game, case.name) for case in CASES]
    assert sorted(set(names)) == sorted(names)
    assert [name for _, name in names if not name.endswith(".")] == []


@pytest.mark.parametrize("game", library.names())
def test_every_rule_has_a_case(game: str) -> None:
    """Every rule of a game is shown by a case, and no case names a rule that the game has not."""
    shown = {rule for case in OF_GAME[game] for rule in (*case.rules, *case.shows)}
    assert shown == set(library.shelf(game).rules)


@pytest.mark.parametrize("game", library.names())
def test_every_value_of_every_convention_has_a_case(game: str) -> None:
    """Every value of a convention is run by a case that cites its rule; of a number, one not the usual."""
    book = library.shelf(game)
    run = {
        (name, str(value))
        for case in OF_GAME[game]
        for name, value in _conventions(case).items()
        if book.conventions[name].rule in (*case.rules, *case.shows)
    }
    wanted = {(name, str(value)) for name, one in book.conventions.items() for value in one.values}
    assert sorted(wanted - run) == []
    numbers = {name: one.default for name, one in book.conventions.items() if not one.values}
    assert [n for n, usual in numbers.items() if not any(m == n and v != str(usual) for m, v in run)] == []


def _conventions(case: Case) -> Mapping[str, Any]:
    try:
        chosen = case.given.get("conventions", {})
        return library.open_game(case.game, case.given.get("preset"), chosen).conventions
    except Unreadable:
        return {}


@pytest.mark.parametrize("game", library.names())
def test_every_question_has_a_case(game: str) -> None:
    """Every question that a game knows is asked by a case."""
    asked = {case.given["question"] for case in OF_GAME[game] if "question" in case.given}
    assert set(library.open_game(game).family.questions) <= asked
