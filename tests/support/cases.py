"""The cases of games: what they give and expect, what they come to, and which of a parent's hold for a child.

A game that extends another, or the same as another, has the cases of that parent too. A case is the child's
as well when everything that it asks for, run for the parent, is the same there: numbers and orders, options
as the table has chosen them, and the rules it cites with their texts. Nobody has to write that down: the rule
set is watched while it answers.
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from companion import library
from companion.cli.cases import Case, Result, find_wrong, list_cases, result
from companion.library import Game, GameFolder
from companion.rules.cards import parse_card, parse_suit
from companion.rules.errors import Unreadable
from companion.rules.rulebook import Rule, Rulebook
from companion.rules.schema import Table
from companion.rules.seats import Ring


def read_cases(folder: Path) -> Iterator[Case]:
    """Every case in the folders of games that stand here."""
    paths = sorted(folder.glob("*/*.toml"))
    assert paths, f"no cases in {folder}"
    for path in paths:
        yield from list_cases(tomllib.loads(path.read_text("utf-8")), path.parent.name, path.stem)


def complaint(case: Case, found: Result) -> str:
    """What is not as the case says, and all that was found; empty where it comes to what it says."""
    wrong = find_wrong(case, found)
    lines = [str(case), *wrong, json.dumps(found.facts, indent=1)]
    return "\n".join(lines) if wrong else ""


# --- what a case asks for ------------------------------------------------------------------------


@dataclass
class Inquiry:
    """What was asked of a rule set: its numbers and orders, options, words, conventions, and rules by key."""

    numbers: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)
    conventions: dict[str, bool] = field(default_factory=dict)
    rules: dict[str, Rule | None] = field(default_factory=dict)

    def same(self, ruleset: Any, *, wording: bool) -> bool:
        """Whether another rule set would have answered the same, with `wording` also in the same words."""
        book: Rulebook = ruleset.book
        held = {key: book.cite(key)[0] if book.knows(key) else None for key in self.rules}
        return (
            all(getattr(ruleset, name, ...) == value for name, value in self.numbers.items())
            and all(ruleset.options.get(name) == value for name, value in self.options.items())
            and all((name in book.conventions) == known for name, known in self.conventions.items())
            and all((name in book.words) == (word is not None) for name, word in self.words.items())
            and (not wording or all(book.words.get(name) == word for name, word in self.words.items()))
            and all(_text(value) == _text(self.rules[key]) for key, value in held.items())
        )


def _text(rule: Rule | None) -> tuple[str, str] | None:
    return None if rule is None else (rule.id, str(rule.text))


class WatchedMapping(dict[str, Any]):
    """A mapping that tells what it was asked for."""

    def __init__(self, values: Mapping[str, Any], report: Callable[[str, Any], None]) -> None:
        super().__init__(values)
        self.tell = report

    def __contains__(self, key: object) -> bool:
        self.tell(str(key), super().get(str(key)))
        return super().__contains__(key)

    def __getitem__(self, key: str) -> Any:
        self.tell(key, super().get(key))
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.tell(key, super().get(key))
        return super().get(key, default)


class WatchedRing(Ring):
    """A ring of seats that tells when anybody looks who sits there."""

    note: Callable[[str], None]

    def __getattribute__(self, name: str) -> Any:
        if name in ("size", "partnerships"):
            object.__getattribute__(self, "note")("ring")
        return object.__getattribute__(self, name)


class WatchedTable(Table):
    """A table that tells what of it is looked at."""

    note: Callable[[str], None]
    seats: WatchedRing

    def __getattribute__(self, name: str) -> Any:
        if name == "ring":
            return object.__getattribute__(self, "seats")
        if name in ("pack", "no_trumps"):
            object.__getattribute__(self, "note")(name)
        return object.__getattribute__(self, name)


def watch(game: Game, inquiry: Inquiry) -> Game:
    """The same game, which writes down what its rule set is asked for."""
    family: Any = game.family  # every family is a dataclass around its rule set, which is one too
    ruleset = family.ruleset
    kind = type(ruleset)
    numbers = {item.name for item in fields(kind)} - {"book", "options"}

    class WatchedBook(Rulebook):
        def knows(self, key: str) -> bool:
            known = super().knows(key)
            inquiry.rules.setdefault(key, super().cite(key)[0] if known else None)
            return known

        def cite(self, *keys: str) -> tuple[Rule, ...]:
            for key in keys:
                self.knows(key)
            return super().cite(*keys)

    def note(name: str) -> None:
        inquiry.numbers[name] = getattr(ruleset, name)

    table = WatchedTable(ruleset.table.ring, ruleset.table.pack, ruleset.table.no_trumps)
    ring = WatchedRing(ruleset.ring.size, ruleset.ring.partnerships)
    object.__setattr__(table, "note", note)
    object.__setattr__(table, "seats", ring)
    object.__setattr__(ring, "note", note)

    def get(self: Any, name: str) -> Any:
        if name in ("table", "ring"):
            return table if name == "table" else ring
        if name in numbers:
            note(name)
        return object.__getattribute__(self, name)

    values = {item.name: getattr(ruleset, item.name) for item in fields(kind)}
    book = {item.name: getattr(ruleset.book, item.name) for item in fields(Rulebook)}
    book["words"] = WatchedMapping(book["words"], lambda name, word: inquiry.words.update({name: word}))
    book["conventions"] = WatchedMapping(
        book["conventions"], lambda name, one: inquiry.conventions.update({name: one is not None})
    )
    values["book"] = WatchedBook(**book)
    values["options"] = WatchedMapping(
        values["options"], lambda name, value: inquiry.options.update({name: value})
    )
    watched = type("WatchedRuleset", (kind,), {"__getattribute__": get})
    return replace(game, family=replace(family, ruleset=watched(**values)))


def inquire(case: Case, games: GameFolder) -> Inquiry | None:
    """What a case asks its game for; None where it is about opening the game, or about its name."""
    inquiry, opened = Inquiry(), list[Game]()

    def open_game(*arguments: Any, **more: Any) -> Game:
        opened.append(watch(games.open_game(*arguments, **more), inquiry))
        return opened[-1]

    found = result(case, open_game)
    if "error" in found.facts and found.facts["error"].split(".")[0] in ("conventions", "preset", "game"):
        return None
    return inquiry if opened else None


def _is_worded(expected: Any) -> bool:
    """Whether sentences are among what is expected."""
    match expected:
        case dict():
            return "why" in expected or "reason" in expected or any(map(_is_worded, expected.values()))
        case list():
            return any(map(_is_worded, expected))
    return False


class CaseCatalogue:
    def __init__(self, games: GameFolder, folder: Path) -> None:
        self.games = games
        self.cases = tuple(read_cases(folder))
        self._inherited: dict[str, tuple[Case, ...]] = {}
        self._inquiries: dict[str, Inquiry | None] = {}

    def of_game(self, game: str) -> tuple[Case, ...]:
        """All cases of a game: its own, and those of its parents that hold for it."""
        return (*(case for case in self.cases if case.game == game), *self.inherited(game))

    def inherited(self, game: str) -> tuple[Case, ...]:
        """The cases of a game's parents that hold for the game, with the game in the parent's place."""
        if game not in self._inherited:
            found = {
                case.name: replace(case, game=game)
                for parent in self.list_parents(game)
                for case in self.of_game(parent)
                if self.holds(case, game)
            }
            self._inherited[game] = tuple(found.values())
        return self._inherited[game]

    def list_parents(self, game: str) -> list[str]:
        """The games that it extends, and those before it that extend the same files."""
        extends = self.games.entry(game).file.own.get("extends", [])
        twins = [
            name
            for name in self.games.names()
            if extends and name < game and self.games.entry(name).file.own.get("extends") == extends
        ]
        return [*(item for item in extends if "/" not in item), *twins]

    def holds(self, case: Case, child: str) -> bool:
        """Whether a case of the parent is one of the child too: all that it asks for is the same there."""
        inquiry = self.inquiry(case)
        rules = self.games.entry(child).book.rules
        shown = {*case.rules, *case.shows}
        if inquiry is None or not rules.keys() >= shown:
            return False
        players = case.given.get("players")
        size = players if type(players) is int else None
        agreed = case.given.get("preset"), case.given.get("conventions", {}), size
        try:
            game, parent = (self.games.open_game(name, *agreed) for name in (child, case.game))
        except Unreadable:
            return False
        if any(str(game.book.rules[item].text) != str(parent.book.rules[item].text) for item in shown):
            return False
        return inquiry.same(game.family.ruleset, wording=_is_worded(case.expect))

    def inquiry(self, case: Case) -> Inquiry | None:
        """What a case asks its game for; None where it is about opening the game."""
        if str(case) not in self._inquiries:
            self._inquiries[str(case)] = inquire(case, self.games)
        return self._inquiries[str(case)]

    def shown_rules(self, game: str) -> set[str]:
        return {rule for case in self.of_game(game) for rule in (*case.rules, *case.shows)}

    def asked_questions(self, game: str) -> set[str]:
        return {case.given["question"] for case in self.of_game(game) if "question" in case.given}

    def values_without_case(self, game: str) -> list[tuple[str, str]]:
        """The values of conventions that no case citing their rule runs; of a number, any but the usual."""
        book = self.games.entry(game).book
        run = {
            (name, str(value))
            for case in self.of_game(game)
            for name, value in self._conventions(case).items()
            if book.conventions[name].rule in (*case.rules, *case.shows)
        }
        wanted = {
            (name, str(value)) for name, convention in book.conventions.items() for value in convention.values
        }
        numbers = {
            name: str(convention.default)
            for name, convention in book.conventions.items()
            if not convention.values
        }
        untried = [(n, v) for n, v in numbers.items() if not any(m == n and other != v for m, other in run)]
        return [*sorted(wanted - run), *untried]

    def _conventions(self, case: Case) -> Mapping[str, Any]:
        try:
            chosen = case.given.get("conventions", {})
            return self.games.open_game(case.game, case.given.get("preset"), chosen).conventions
        except Unreadable:
            return {}


@cache
def own_catalogue() -> CaseCatalogue:
    """The cases of the app's own games, read once."""
    return CaseCatalogue(library.GAMES, Path(__file__).parents[1] / "cases")


def write_letters(value: Any) -> Any:
    """The same with every card and suit as schemas offer it: `t♥` and `♥` as `10H` and `H`."""
    if isinstance(value, dict):
        return {key: write_letters(item) for key, item in value.items()}
    if isinstance(value, list):
        return [write_letters(item) for item in value]
    for read in (parse_card, parse_suit) if isinstance(value, str) else ():
        with suppress(ValueError):
            return str(read(value))
    return value
