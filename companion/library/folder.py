"""A folder of game files: its games with their rulebooks, seatings, and rule sets for chosen conventions.

`[when."convention=value".table]` in a file overlays a table once that value is chosen (`a=x,b=y`: both).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any, cast

from companion.beating import game_file as beating_file
from companion.beating import ruleset as beating
from companion.beating.match import Beating
from companion.jacknine import game_file as jacknine_file
from companion.jacknine import ruleset as jacknine
from companion.jacknine.match import JackNine
from companion.rules.errors import Unreadable
from companion.rules.game import AnyFamily
from companion.rules.message import Message
from companion.rules.options import FamilyData
from companion.rules.rulebook import Convention, Rulebook, Value, json_word, split_condition
from companion.rules.ruling import Ruling
from companion.rules.seats import Ring

from .files import GameFile, GameFileError, choose_tables, read_book, read_game_file
from .flat import flatten
from .glossary import Glossary, read_glossary
from .validation import check_meaning, check_shape

MAX_OPEN = 64
"""How many games with other conventions are kept open."""


@dataclass(frozen=True)
class FamilyOfGames:
    """A family as the library knows it: what it says of its files, and how a game of it is opened."""

    data: FamilyData
    open: Callable[[Rulebook, Mapping[str, Any], int | None], AnyFamily]


def _open_jacknine(book: Rulebook, tables: Mapping[str, Any], players: int | None) -> AnyFamily:
    return cast(AnyFamily, JackNine(jacknine.read_ruleset(book, tables)))


def _open_beating(book: Rulebook, tables: Mapping[str, Any], players: int | None) -> AnyFamily:
    return cast(AnyFamily, Beating(beating.read_ruleset(book, tables, players)))


FAMILIES: Mapping[str, FamilyOfGames] = {
    "jacknine": FamilyOfGames(jacknine_file.FAMILY_DATA, _open_jacknine),
    "beating": FamilyOfGames(beating_file.FAMILY_DATA, _open_beating),
}


@dataclass(frozen=True)
class Game:
    """A game as it is played at one table: every convention chosen."""

    name: str
    preset: str
    book: Rulebook
    conventions: Mapping[str, Value]
    family_name: str
    family: AnyFamily
    players: int | None = None

    @property
    def variety(self) -> str:
        """The label of its preset; empty where the game has no other."""
        return self.book.presets[self.preset].label if len(self.book.presets) > 1 else ""

    def deviations(self) -> list[tuple[Convention, Value]]:
        """The conventions that differ from the preset, with their values."""
        return [
            (self.book.conventions[name], value)
            for name, value in self.conventions.items()
            if value != self.book.usual(name, self.preset, self.conventions, self.players)
        ]


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


@dataclass(frozen=True)
class ShelvedGame:
    """A game of the catalogue: its file, validated, the rulebook read from it, and its ways to sit down."""

    file: GameFile
    book: Rulebook
    sizes: tuple[int, ...]
    seatings: tuple[Seating, ...]


@dataclass
class GameFolder:
    """The games of a folder. A file is read and validated once, when its game is first asked for."""

    folder: Traversable
    _entries: dict[str, ShelvedGame] = field(default_factory=dict)
    _glossaries: dict[str, Glossary] = field(default_factory=dict)
    _open: dict[Any, Game] = field(default_factory=dict)
    _names: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """The ids of all games, in the order in which they stand on the shelf.

        :raises GameFileError: for a file that cannot be used.
        """
        if not self._names:
            files = (path.name for path in self.folder.iterdir())
            games = [name.removesuffix(".toml") for name in files if name.endswith(".toml")]
            self._names = tuple(
                sorted(games, key=lambda name: (self._entry(name).file.document["shelf"], name))
            )
        return self._names

    def glossary(self, game: str) -> Glossary:
        """The words of a game, which stand in the folder `words`.

        :raises Unreadable: for an unknown game, naming the known ones.
        :raises GameFileError: for a file of words that cannot be used.
        """
        if game not in self._glossaries:
            self._glossaries[game] = read_glossary(self.folder / "words", game, self.entry(game).book.rules)
        return self._glossaries[game]

    def sizes(self, game: str) -> tuple[int, ...]:
        """The numbers of players a game can be played by, whatever else is agreed."""
        return self.entry(game).sizes

    def read_rulebook(self, game: str) -> Rulebook:
        """The rulebook of a game. :raises Unreadable: for an unknown game, naming the known ones."""
        return self.entry(game).book

    def flat(self, game: str) -> str:
        """A game's whole file, everything it inherits in its place, with where each value comes from.

        :raises Unreadable: for an unknown game, naming the known ones.
        """
        return flatten(self.entry(game).file)

    def seatings(self, game: str) -> tuple[Seating, ...]:
        """The ways to sit down to a game, each player for himself first; most games have one."""
        return self.entry(game).seatings

    def seating(self, game: str, conventions: Mapping[str, Value], players: int) -> Seating:
        """The way in which so many sit, who have agreed on these conventions and left the others as usual."""
        usual = {name: convention.default for name, convention in self.entry(game).book.conventions.items()}
        agreed = (usual | dict(conventions)).items()
        fitting = (seating for seating in self.seatings(game) if seating.conventions.items() <= agreed)
        return next(seating for seating in fitting if seating.players == players)

    def is_for(self, game: str, preset: str, seating: Seating) -> bool:
        """Whether a preset can be played by those who sit so: some set what not every table has."""
        try:
            self.open_game(game, preset, seating.conventions, seating.players)
        except Unreadable:
            return False
        return True

    def entry(self, game: str) -> ShelvedGame:
        """A game with its file.

        :raises Unreadable: for an unknown game, naming the known ones.
        """
        if game not in self.names():
            raise Unreadable("game", Message("one of {values}", values=list(self.names())), game)
        return self._entries[game]

    def _entry(self, game: str) -> ShelvedGame:
        if game not in self._entries:
            self._entries[game] = read_entry(read_game_file(self.folder, game))
        return self._entries[game]

    def open_game(
        self,
        game: str,
        preset: str | None = None,
        conventions: Mapping[str, Any] | None = None,
        players: int | None = None,
        *,
        strict: bool = True,
    ) -> Game:
        """A game with its conventions resolved, for so many players where that is known.

        :raises Unreadable: for an unknown game, preset, convention or value, naming the known ones; for a
            convention that changes nothing at such a table, unless it says what is usual (and `strict`).
        """
        entry = self.entry(game)
        players = players if len(entry.sizes) > 1 else None  # one game for every table that plays it so
        chosen = entry.book.resolve(preset, conventions or {}, "", players, strict=strict)
        preset = preset or next(iter(entry.book.presets))
        key = (game, preset, tuple(chosen.items()), players)
        if key not in self._open:
            while len(self._open) >= MAX_OPEN:
                self._open.pop(next(iter(self._open)), None)
            self._open[key] = open_entry(entry, preset, chosen, players)
        return self._open[key]

    def reopen_game(
        self,
        game: str,
        preset: str | None = None,
        conventions: Mapping[str, Any] | None = None,
        players: int | None = None,
    ) -> Game:
        """A game as a table has kept it: a convention may have a value that changes nothing there.

        :raises Unreadable: like `open_game`.
        """
        return self.open_game(game, preset, conventions, players, strict=False)

    def open_request(self, request: Any) -> tuple[Game, dict[str, Any]]:
        """The game that a ruling request names, and what it asks: its question and the facts.

        :raises Unreadable: with the path and what must stand there.
        """
        if not isinstance(request, dict):
            raise Unreadable("", Message("a ruling request, which is an object"), request)
        game, preset, chosen = request.get("game"), request.get("preset"), request.get("conventions", {})
        if not isinstance(game, str):
            raise Unreadable("game", Message("one of {values}", values=list(self.names())), game)
        if "preset" in request and not isinstance(preset, str):
            raise Unreadable(
                "preset", Message("one of {values}", values=list(self.entry(game).book.presets)), preset
            )
        if not isinstance(chosen, dict):
            raise Unreadable("conventions", Message("an object"), chosen)
        facts = {key: value for key, value in request.items() if key not in ("game", "preset", "conventions")}
        players = request.get("players") if type(request.get("players")) is int else None
        return self.open_game(game, preset, chosen, players), facts

    def rule(self, request: Any) -> Ruling:
        """The answer to a ruling request, which names its game and its question.

        :raises Unreadable: with the path and what must stand there.
        """
        game, asked = self.open_request(request)
        return game.family.rule(asked)


def read_entry(file: GameFile) -> ShelvedGame:
    """A game's entry in the catalogue, once its file has been judged.

    :raises GameFileError: for a file that cannot be used.
    """
    check_shape(file, {name: family.data for name, family in FAMILIES.items()})
    book = read_book(file.document)
    check_meaning(file, book, FAMILIES[file.document["family"]].data)
    players = file.document["table"]["players"]
    sizes = tuple(players) if isinstance(players, list) else (players,)
    entry = ShelvedGame(file, book, sizes, _seatings(file.document, book))
    _check_seatings(entry)
    return entry


def open_entry(entry: ShelvedGame, preset: str, chosen: Mapping[str, Value], players: int | None) -> Game:
    """The game of an entry with all its conventions, as `Rulebook.resolve` brings them.

    :raises Unreadable: where so many cannot play it so.
    """
    document, book = entry.file.document, entry.book
    family = FAMILIES[document["family"]].open(book, choose_tables(document, chosen), players)
    return Game(book.game, preset, book, dict(chosen), document["family"], family, players)


def _seatings(document: Mapping[str, Any], book: Rulebook) -> tuple[Seating, ...]:
    """The ways to sit down to a game, each player for himself first; most games have one."""
    overlaid = {
        when: change["table"] for when, change in document.get("when", {}).items() if "table" in change
    }
    decides = dict.fromkeys(name for when in overlaid for name, _ in split_condition(when))
    ways = []
    for when, changes in {"": {}, **overlaid}.items():
        table = {**document["table"], **changes}
        chosen = {name: book.conventions[name].default for name in decides}
        for name, value in split_condition(when):
            chosen[name] = next(
                allowed for allowed in book.conventions[name].values if json_word(allowed) == value
            )
        sizes = table["players"] if isinstance(table["players"], list) else [table["players"]]
        ways += [Seating(size, table["partnerships"], chosen) for size in sizes]
    return tuple(ways)


def _check_seatings(entry: ShelvedGame) -> None:
    """Every seating has the usual conventions of its own, and can be opened with them.

    :raises GameFileError: where one cannot.
    """
    for seating in entry.seatings:
        players = seating.players if len(entry.sizes) > 1 else None
        try:
            chosen = entry.book.resolve(None, seating.conventions, "", players)
            open_entry(entry, next(iter(entry.book.presets)), chosen, players)
        except Unreadable as fault:
            raise GameFileError(
                entry.file.name, "table.players", f"{seating.players} cannot play: {fault}"
            ) from None
