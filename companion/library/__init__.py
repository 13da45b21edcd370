"""The catalogue of games: the one place that knows every game and every family.

The files of games/ are read (`files`), judged (`validation`), and opened for a table (`folder`); `flat`
writes one with everything it inherits.

A game file has the numbers and orders of its family (`[table]`, `[cards]`, `[points]`), each with the rule
that states it (`[stated_in.cards]`), the ways in which things are done (`[procedures]`, and `[[conventions]]`
where tables choose), what a choice changes besides (`[when."convention=value".cards]`), its own `[words]`,
its `[[presets]]` and its `[[rules]]`. What a family asks for stands in its `game_file.py` and `options.py`.
"""

from collections.abc import Mapping
from importlib.resources import files as package_files
from typing import Any

from companion.rules.errors import Unreadable
from companion.rules.rulebook import Rulebook, Value
from companion.rules.ruling import Ruling

from .files import GameFileError
from .flat import flatten
from .folder import Game, GameFolder, Seating
from .glossary import Glossary, GlossaryWord, Saying

__all__ = [
    "GAMES",
    "Game",
    "GameFileError",
    "GameFolder",
    "Glossary",
    "GlossaryWord",
    "Saying",
    "Seating",
    "flat",
    "glossary",
    "is_for",
    "names",
    "open_game",
    "open_request",
    "read_rulebook",
    "reopen_game",
    "rule",
    "seating",
    "seatings",
    "sizes",
]

GAMES = GameFolder(package_files("companion") / "games")
"""The games of the house."""


def names() -> tuple[str, ...]:
    """The ids of all games, in the order in which they are listed."""
    return GAMES.names()


def sizes(game: str) -> tuple[int, ...]:
    """The numbers of players a game can be played by, whatever else is agreed."""
    return GAMES.entry(game).sizes


def read_rulebook(game: str) -> Rulebook:
    """The rulebook of a game.

    :raises Unreadable: for an unknown game, naming the known ones.
    """
    return GAMES.entry(game).book


def glossary(game: str) -> Glossary:
    """The words of a game, with their meaning in every language.

    :raises Unreadable: for an unknown game, naming the known ones.
    """
    return GAMES.glossary(game)


def seatings(game: str) -> tuple[Seating, ...]:
    """The ways to sit down to a game, each player for himself first; most games have one."""
    return GAMES.entry(game).seatings


def is_for(game: str, preset: str, seating: Seating) -> bool:
    """Whether a preset can be played by those who sit so: some set what not every table has."""
    try:
        GAMES.open_game(game, preset, seating.conventions, seating.players)
    except Unreadable:
        return False
    return True


def seating(game: str, conventions: Mapping[str, Value], players: int) -> Seating:
    """The way in which so many sit, who have agreed on these conventions and left the others as usual."""
    agreed = {
        name: convention.default for name, convention in read_rulebook(game).conventions.items()
    } | dict(conventions)
    fitting = (seating for seating in seatings(game) if seating.conventions.items() <= agreed.items())
    return next(seating for seating in fitting if seating.players == players)


def open_game(
    game: str,
    preset: str | None = None,
    conventions: Mapping[str, Any] | None = None,
    players: int | None = None,
) -> Game:
    """A game with its conventions resolved, for so many players where that is known.

    :raises Unreadable: for an unknown game, preset, convention or value, naming the known ones; for a
        convention that changes nothing at such a table, unless it says what is usual.
    """
    return GAMES.open_game(game, preset, conventions, players)


def reopen_game(
    game: str,
    preset: str | None = None,
    conventions: Mapping[str, Any] | None = None,
    players: int | None = None,
) -> Game:
    """A game as a table has kept it: a convention may have a value that changes nothing there.

    :raises Unreadable: like `open_game`.
    """
    return GAMES.open_game(game, preset, conventions, players, strict=False)


def flat(game: str) -> str:
    """A game's whole file, everything it inherits in its place, with where each value comes from.

    :raises Unreadable: for an unknown game, naming the known ones.
    """
    return flatten(GAMES.entry(game).file)


def open_request(request: Any) -> tuple[Game, dict[str, Any]]:
    """The game that a ruling request names, and what it asks: its question and the facts.

    :raises Unreadable: with the path and what must stand there.
    """
    return GAMES.open_request(request)


def rule(request: Any) -> Ruling:
    """The answer to a ruling request, which names its game and its question.

    :raises Unreadable: with the path and what must stand there.
    """
    game, asked = GAMES.open_request(request)
    ruling: Ruling = game.family.rule(asked)
    return ruling
