"""The shelf of games: reads games/*.toml. The one place that knows every game and every family."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from . import gamefiles
from .jacknine.match import JackNine
from .jacknine.ruleset import read_ruleset
from .rules.family import Family
from .rules.message import Message
from .rules.rulebook import Convention, Preset, Rule, Rulebook, Value
from .rules.ruling import Ruling
from .rules.shapes import Unreadable

FAMILIES: Mapping[str, Callable[[Rulebook, Mapping[str, Any]], Family]] = {
    "jacknine": lambda book, told: JackNine(read_ruleset(book, told)),
}


@dataclass(frozen=True)
class Game:
    """A game as it is played at one table: every convention chosen."""

    name: str
    preset: str
    book: Rulebook
    conventions: Mapping[str, Value]
    family_name: str
    family: Any

    def deviations(self) -> list[tuple[Convention, Value]]:
        """The conventions that differ from the preset, with their values."""
        usual = self.book.resolve(self.preset, {}, "")
        return [
            (self.book.conventions[name], value)
            for name, value in self.conventions.items()
            if value != usual[name]
        ]


@lru_cache
def names() -> tuple[str, ...]:
    """The ids of all games."""
    return gamefiles.names()


@lru_cache
def _told(game: str) -> Mapping[str, Any]:
    return gamefiles.told(game)


@lru_cache
def shelf(game: str) -> Rulebook:
    """The rulebook of a game.

    :raises Unreadable: for an unknown game, naming the known ones.
    """
    if game not in names():
        raise Unreadable("game", Message("one of {values}", values=list(names())), game)
    told = _told(game)
    return Rulebook(
        game=game,
        title=told["title"],
        summary=told["summary"],
        version=told["version"],
        rules={one["id"]: _rule(one, told["source"]) for one in told["rules"]},
        conventions={one["name"]: _convention(one) for one in told["conventions"]},
        presets={one["name"]: Preset(**one) for one in told["presets"]},
        words=told["words"],
    )


def _rule(told: Mapping[str, Any], source: str) -> Rule:
    return Rule(told["id"], told["text"], told["chapter"], told.get("source", source), tuple(told["keys"]))


def _convention(told: Mapping[str, Any]) -> Convention:
    values = {one["value"]: one["text"] for one in told.get("values", ())}
    return Convention(**{**told, "values": values})


def open_game(game: str, preset: str | None = None, conventions: Mapping[str, Any] | None = None) -> Game:
    """A game with its conventions resolved.

    :raises Unreadable: for an unknown game, preset, convention or value, naming the known ones.
    """
    book = shelf(game)
    chosen = book.resolve(preset, conventions or {}, "")
    return _open(game, preset or next(iter(book.presets)), tuple(chosen.items()))


@lru_cache(maxsize=64)
def _open(game: str, preset: str, chosen: tuple[tuple[str, Value], ...]) -> Game:
    told, book = gamefiles.chosen(_told(game), dict(chosen)), shelf(game)
    family = FAMILIES[told["family"]](book, told)
    return Game(game, preset, book, dict(chosen), told["family"], family)


def rule(request: Any) -> Ruling:
    """The answer to a ruling request, which names its game and its question.

    :raises Unreadable: with the path and what was expected.
    """
    if not isinstance(request, dict):
        raise Unreadable("", Message("a ruling request, which is an object"), request)
    game, preset, chosen = request.get("game"), request.get("preset"), request.get("conventions", {})
    if not isinstance(game, str):
        raise Unreadable("game", Message("one of {values}", values=list(names())), game)
    if "preset" in request and not isinstance(preset, str):
        raise Unreadable("preset", Message("one of {values}", values=list(shelf(game).presets)), preset)
    if not isinstance(chosen, dict):
        raise Unreadable("conventions", Message("an object"), chosen)
    facts = {key: value for key, value in request.items() if key not in ("game", "preset", "conventions")}
    family: Family = open_game(game, preset, chosen).family
    return family.rule(facts)
