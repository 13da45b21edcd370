"""The shelf of games: reads games/*.toml. The one place that knows every game and every family.

A file may say `extends = ["another", "parts/some"]`. Its parents are joined from left to right and the
file itself last: tables key by key, everything else replaced; rules, conventions and presets one by one,
the same id in the parent's place. `omit_rules`, `omit_conventions`, `omit_presets` and `omit_words` drop
what came before. A key that a file's own rule names is taken from every inherited rule.

`[when."convention=value".table]` overlays a table once that value is chosen (`a=x,b=y`: both).
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from companion.beating import ruleset as beating
from companion.beating.match import Beating
from companion.jacknine import ruleset as jacknine
from companion.jacknine.match import JackNine
from companion.rules.game import Family
from companion.rules.message import Message
from companion.rules.rulebook import Convention, Preset, Rule, Rulebook, Value, holds, json_word
from companion.rules.ruling import Ruling
from companion.rules.schema import Unreadable
from companion.rules.seats import Ring

LISTS = {"rules": "id", "conventions": "name", "presets": "name"}
OMITS = {
    "omit_rules": "rules",
    "omit_conventions": "conventions",
    "omit_presets": "presets",
    "omit_words": "words",
}

FAMILIES: Mapping[str, Callable[[Rulebook, Mapping[str, Any], int | None], Family]] = {
    "jacknine": lambda book, told, players: JackNine(jacknine.read_ruleset(book, told)),
    "beating": lambda book, told, players: Beating(beating.read_ruleset(book, told, players)),
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
    players: int | None = None

    def deviations(self) -> list[tuple[Convention, Value]]:
        """The conventions that differ from the preset, with their values."""
        return [
            (self.book.conventions[name], value)
            for name, value in self.conventions.items()
            if value != self.book.usual(name, self.preset, self.conventions, self.players)
        ]


@lru_cache
def names() -> tuple[str, ...]:
    """The ids of all games, in the order in which they stand on the shelf."""
    found = (one.name.removesuffix(".toml") for one in _folder().iterdir() if one.name.endswith(".toml"))
    return tuple(sorted(found, key=lambda name: (_told(name)["shelf"], name)))


@lru_cache
def sizes(game: str) -> tuple[int, ...]:
    """The numbers of players a game can be played by, whatever else is agreed."""
    players = _told(game)["table"]["players"]
    return tuple(players) if isinstance(players, list) else (players,)


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
        dated=told["dated"],
        rules={one["id"]: _rule(one, told) for one in told["rules"]},
        conventions={one["name"]: _convention(one) for one in told["conventions"]},
        presets={one["name"]: Preset(**one) for one in told["presets"]},
        words=told["words"],
        writing=told.get("sheet", {}).get("writing", "table"),
    )


def _rule(one: Mapping[str, Any], told: Mapping[str, Any]) -> Rule:
    """A rule of a game; of the conditions of one it inherits, those count whose conventions it has."""
    known = {convention["name"] for convention in told["conventions"]}
    conditions = (
        ",".join(part for part in condition.split(",") if part.partition("=")[0] in known)
        for condition in one.get("only_when", ())
    )
    return Rule(
        one["id"],
        one["text"],
        one["chapter"],
        one.get("source", told["source"]),
        tuple(one["keys"]),
        tuple(condition for condition in conditions if condition),
    )


def _convention(told: Mapping[str, Any]) -> Convention:
    values = {one["value"]: one["text"] for one in told.get("values", ())}
    sizes = {one["value"]: tuple(one["players"]) for one in told.get("values", ()) if "players" in one}
    only_when = tuple(told.get("only_when", ()))
    return Convention(**{**told, "values": values, "sizes": sizes, "only_when": only_when})


@dataclass(frozen=True)
class Seating:
    """One way to sit down to a game: how many, alone or in teams, and the conventions that say so."""

    players: int
    partnerships: bool
    conventions: Mapping[str, Value]

    @property
    def ring(self) -> Ring:
        """Its seats."""
        return Ring(self.players, self.partnerships)

    @property
    def name(self) -> str:
        """What tells it from the game's other seatings: `5`, or `teams-4`."""
        words = "-".join(map(json_word, self.conventions.values()))
        return words if self.partnerships and words else str(self.players)


@lru_cache
def seatings(game: str) -> tuple[Seating, ...]:
    """The ways to sit down to a game, each player for himself first; most games have one."""
    told, book = _told(game), shelf(game)
    overlaid = {when: one["table"] for when, one in told.get("when", {}).items() if "table" in one}
    decides = dict.fromkeys(name for when in overlaid for name, _, _ in _parts(when))
    found = []
    for when, changes in {"": {}, **overlaid}.items():
        table = {**told["table"], **changes}
        chosen = {name: book.conventions[name].default for name in decides}
        for name, _, value in _parts(when):
            chosen[name] = next(one for one in book.conventions[name].values if json_word(one) == value)
        sizes = table["players"] if isinstance(table["players"], list) else [table["players"]]
        found += [Seating(size, table["partnerships"], chosen) for size in sizes]
    return tuple(found)


def seating(game: str, conventions: Mapping[str, Value], players: int) -> Seating:
    """The way in which so many sit, who have agreed on these conventions and left the others as usual."""
    agreed = {name: one.default for name, one in shelf(game).conventions.items()} | dict(conventions)
    fitting = (one for one in seatings(game) if one.conventions.items() <= agreed.items())
    return next(one for one in fitting if one.players == players)


def _parts(condition: str) -> list[tuple[str, str, str]]:
    return [one.partition("=") for one in condition.split(",") if one]


def open_game(
    game: str,
    preset: str | None = None,
    conventions: Mapping[str, Any] | None = None,
    players: int | None = None,
) -> Game:
    """A game with its conventions resolved, for so many players where that is known.

    :raises Unreadable: for an unknown game, preset, convention or value, naming the known ones.
    """
    book = shelf(game)
    players = players if len(sizes(game)) > 1 else None  # one game for every table that plays it so
    chosen = book.resolve(preset, conventions or {}, "", players)
    return _open(game, preset or next(iter(book.presets)), tuple(chosen.items()), players)


@lru_cache(maxsize=64)
def _open(game: str, preset: str, chosen: tuple[tuple[str, Value], ...], players: int | None) -> Game:
    told, book = _chosen(_told(game), dict(chosen)), shelf(game)
    family = FAMILIES[told["family"]](book, told, players)
    return Game(game, preset, book, dict(chosen), told["family"], family, players)


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
    players = request.get("players") if type(request.get("players")) is int else None
    family: Family = open_game(game, preset, chosen, players).family
    return family.rule(facts)


# --- game files ----------------------------------------------------------------------------------


@lru_cache
def _told(name: str) -> dict[str, Any]:
    """Everything a game's file tells, its parents' telling included."""
    own = tomllib.loads(_folder().joinpath(f"{name}.toml").read_text("utf-8"))
    joined: dict[str, Any] = {}
    for parent in own.get("extends", ()):
        joined = _join(joined, _told(parent))
    return _join(joined, own)


def _chosen(telling: Mapping[str, Any], conventions: Mapping[str, Value]) -> dict[str, Any]:
    """The tables as they stand with these conventions.

    `options` holds every way of doing things: the game's procedures, the conventions, and what these
    bring with them.
    """
    tables, brought = dict(telling), dict[str, Any]()
    for condition, changes in telling.get("when", {}).items():
        if holds(condition, conventions):
            brought |= changes.get("procedures", {})
            tables = _overlay(tables, {key: one for key, one in changes.items() if key != "procedures"})
    return tables | {"options": {**telling["procedures"], **conventions, **brought}}


def _folder() -> Any:
    return files("companion") / "games"


def _overlay(base: Mapping[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    """Tables key by key; everything else, lists too, is replaced."""
    result = dict(base)
    for key, value in top.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = _overlay(result[key], value) if both else value
    return result


def _join(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    kept = {
        table: _without(base[table], own.get(omit, ()), table)
        for omit, table in OMITS.items()
        if table in base
    }
    plain = {key: value for key, value in own.items() if key not in (*LISTS, *OMITS, "extends")}
    joined = _overlay({**base, **kept}, plain)
    for table, name in LISTS.items():
        mine = {one[name]: one for one in own.get(table, ())}
        taken = {key for one in mine.values() for key in one.get("keys", ())}
        inherited = [_released(one, taken) for one in joined.get(table, ()) if one[name] not in mine]
        places = {one[name]: one for one in inherited} | mine
        order = dict.fromkeys([*(one[name] for one in joined.get(table, ())), *mine])
        joined[table] = [places[which] for which in order]
    # A part leaves out what the parents beside it bring, so its omissions go on with it.
    return joined | {omit: own.get(omit, []) for omit in OMITS}


def _without(table: Any, gone: Any, name: str) -> Any:
    if isinstance(table, dict):
        return {key: value for key, value in table.items() if key not in gone}
    return [one for one in table if one[LISTS[name]] not in gone]


def _released(one: Mapping[str, Any], taken: set[str]) -> dict[str, Any]:
    if "keys" not in one:
        return dict(one)
    return {**one, "keys": [key for key in one["keys"] if key not in taken]}
