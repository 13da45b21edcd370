"""The cases of games: sentences with given facts and expected results, and their outcomes.

`given` is a ruling request, or a record (its `entries` and whatever of its head is unusual; `players` may be
their number), or the cards `drawn` for the first deal. `expect` names a part of the ruling or of the state (a
record must have no problems unless it names some); `error` the path at which the input is refused. TOML has
no null: "null" represents it.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion import library
from companion.library import Game
from companion.library.files import parse_toml
from companion.record import record as records
from companion.rules.cards import parse_card
from companion.rules.errors import Unreadable

OpenGame = Callable[..., Game]


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
    """Replace every "null" by null."""
    match value:
        case "null":
            return None
        case dict():
            return {key: nulls(item) for key, item in value.items()}
        case list():
            return [nulls(item) for item in value]
    return value


def list_cases(document: Mapping[str, Any], game: str, file: str) -> Iterator[Case]:
    """List the cases of a file. :raises LookupError, TypeError, AttributeError: if there are none."""
    for item in nulls(document)["case"]:
        rules, shows = (tuple(item.pop(key, ())) for key in ("rules", "shows"))
        yield Case(game, file, rules=rules, shows=shows, **item)


@dataclass(frozen=True)
class Result:
    """The outcome of a case, as JSON, and the rules that were cited for it."""

    facts: Mapping[str, Any]
    rules: frozenset[str]


def result(case: Case, open_game: OpenGame) -> Result:
    """Run a case."""
    try:
        if "question" in case.given:
            return _ruled(case, open_game)
        if "drawn" in case.given:
            return _drawn(case, open_game)
        if "rule" in case.given:
            return _said(case, open_game)
        return _folded(case, open_game)
    except Unreadable as error:
        return Result({"error": error.path, "expected": str(error)}, frozenset())


def _ruled(case: Case, open_game: OpenGame) -> Result:
    separate = ("game", "preset", "conventions")
    players = case.given.get("players") if type(case.given.get("players")) is int else None
    game = open_game(case.game, case.given.get("preset"), case.given.get("conventions", {}), players)
    ruling = game.family.rule({key: value for key, value in case.given.items() if key not in separate})
    facts = json.loads(json.dumps(ruling.plain()))
    return Result(facts, frozenset(rule["id"] for rule in facts["rules"]))


def _said(case: Case, open_game: OpenGame) -> Result:
    """The text of one rule at a table; empty if it does not apply there."""
    game = open_game(
        case.game, case.given.get("preset"), case.given.get("conventions", {}), case.given.get("players")
    )
    rules = {rule.id: rule for rule in game.book.rules_for(game.conventions, game.players)}
    rule = rules.get(case.given["rule"])
    return Result({"text": str(rule.text) if rule else ""}, frozenset({rule.id} if rule else ()))


def _drawn(case: Case, open_game: OpenGame) -> Result:
    game = open_game(case.game, None, case.given.get("conventions"))
    drawn = {seat: parse_card(card) for seat, card in case.given["drawn"].items()}
    (rule,) = game.family.ruleset.cite("deal.first")
    return Result({"dealer": game.family.first_dealer(drawn)}, frozenset({rule.id}))


def document(case: Case, open_game: OpenGame) -> dict[str, Any]:
    """The record given by a case, with the usual head."""
    players = case.given.get("players", _seats(case, open_game))
    usual = {"format": "companion-match", "version": 1, "game": case.game, "first_dealer": "A"}
    head = usual | dict(case.given)
    if type(players) is int:
        head["players"] = [f"Player {n}" for n in range(1, players + 1)]
    return {key: value for key, value in head.items() if value is not None}


def _seats(case: Case, open_game: OpenGame) -> int:
    """The usual number of players by these conventions; by the defaults if these cannot be read."""
    chosen = case.given.get("conventions")
    for conventions in (chosen, None):
        try:
            return int(open_game(case.game, None, conventions).family.ruleset.ring.size)
        except Unreadable:
            continue
    raise LookupError(case.game)


def _folded(case: Case, open_game: OpenGame) -> Result:
    record, game = records.read_record(document(case, open_game), open_game)
    state = records.fold_record(record, game.family)
    facts = json.loads(json.dumps(game.family.show(state)))
    facts["problems"] = [problem.plain() for problem in state.problems]
    facts["why"] = str(state.rows[-1].why) if state.rows else ""
    cited = {rule for row in state.rows for rule in row.rules} | {
        problem.rule for problem in state.problems if problem.rule
    }
    return Result(facts, frozenset(cited))


def differences(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    """List the differences from the expected value; objects may have more keys, lists no more items."""
    match expected, found:
        case dict(), dict():
            for key, value in expected.items():
                if key in found:
                    yield from differences(value, found[key], f"{path}.{key}")
                else:
                    yield f"{path}.{key}: nothing there"
        case list(), list() if len(expected) == len(found):
            for i, (item, other) in enumerate(zip(expected, found, strict=True)):
                yield from differences(item, other, f"{path}[{i}]")
        case _ if expected != found or type(expected) is not type(found):
            yield f"{path}: expected {json.dumps(expected)}, found {json.dumps(found)}"


def find_wrong(case: Case, found: Result) -> list[str]:
    """List the deviations from a case."""
    if "error" in found.facts and "error" not in case.expect:
        return [found.facts["expected"]]
    usual: dict[str, Any] = {"problems": []} if "problems" in found.facts else {}
    wrong = list(differences(usual | dict(case.expect), found.facts))
    uncited = sorted(set(case.rules) - found.rules)
    return wrong + ([f"cites {sorted(found.rules)}, not {uncited}"] if uncited else [])


_STRANGE = (LookupError, TypeError, ValueError, AttributeError)
"""The errors that a file in another form than that of cases can cause."""


def run_cases(game: str, text: str) -> tuple[list[library.GameFileError], int]:
    """Run the cases of a game one by one; return the faults, and the number of cases."""
    file, errors = f"cases/{game}", list[library.GameFileError]()
    if not text:
        return [], 0
    try:
        cases = list(list_cases(parse_toml(text, file), game, file))
    except library.GameFileError as error:
        return [error], 0
    except _STRANGE:
        return [library.GameFileError(file, "case", "must be tables with name, given and expect")], 0
    for n, case in enumerate(cases):
        try:
            wrong = find_wrong(case, result(case, library.open_game))
        except _STRANGE as fault:
            wrong = [f"cannot be run: {fault}"]
        if wrong:
            said = "; ".join(line.removeprefix(".") for line in wrong)
            errors.append(library.GameFileError(file, f"case[{n}]", f"{case.name} {said}"))
    return errors, len(cases)
