"""A folder of game files: its games with their rulebooks, seatings, and rule sets for chosen conventions.

The games of a host are added to them (`host`). Each match of such a game keeps its flat copy: a game is
opened by its name, or by the copy with which a match was begun.

`[when."convention=value".table]` in a file overlays a table if that value is chosen (`a=x,b=y`: both).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import Any, cast

from companion.beating import game_file as beating_file
from companion.beating import ruleset as beating
from companion.beating import text_facts as beating_facts
from companion.beating.match import Beating
from companion.jacknine import game_file as jacknine_file
from companion.jacknine import ruleset as jacknine
from companion.jacknine import text_facts as jacknine_facts
from companion.jacknine.match import JackNine
from companion.rules.conditions import Value, json_word, split_condition
from companion.rules.errors import Unreadable
from companion.rules.game import AnyFamily
from companion.rules.message import Message
from companion.rules.options import FamilyData
from companion.rules.rulebook import RULES_LIMIT, Convention, Rulebook
from companion.rules.ruling import Ruling
from companion.rules.seats import Ring
from companion.rules.texts import TableChoice, TableFacts, text_at

from .files import FilesBeside, GameFile, GameFileError, choose_tables, read_book, read_game_file
from .flat import flatten
from .glossary import Glossary, read_glossary
from .host import find_games, find_hidden, read_copy, read_host_file
from .statements import Statements
from .validation import check_meaning, check_shape, refuse

MAX_OPEN = 64
"""The most open games with other conventions, and the most cached copies from matches."""


@dataclass(frozen=True)
class FamilyOfGames:
    """A family in the library: its declaration of files, and the function that opens a game of it."""

    data: FamilyData
    open: Callable[[Rulebook, Mapping[str, Any], int | None], AnyFamily]
    find_text_fact: Callable[[Any, str], object]
    """Finds what a text of a game's file names, by its rule set."""


def _open_jacknine(book: Rulebook, tables: Mapping[str, Any], players: int | None) -> AnyFamily:
    return cast(AnyFamily, JackNine(jacknine.read_ruleset(book, tables)))


def _open_beating(book: Rulebook, tables: Mapping[str, Any], players: int | None) -> AnyFamily:
    return cast(AnyFamily, Beating(beating.read_ruleset(book, tables, players)))


FAMILIES: Mapping[str, FamilyOfGames] = {
    "jacknine": FamilyOfGames(jacknine_file.FAMILY_DATA, _open_jacknine, jacknine_facts.find_text_fact),
    "beating": FamilyOfGames(beating_file.FAMILY_DATA, _open_beating, beating_facts.find_text_fact),
}


@dataclass(frozen=True)
class Game:
    """A game for one table: every convention chosen.

    `rules` is the flat copy of a host's game, by which it is opened where it is unknown; otherwise empty.
    """

    name: str
    preset: str
    book: Rulebook
    conventions: Mapping[str, Value]
    family_name: str
    family: AnyFamily
    players: int | None = None
    rules: str = ""

    @property
    def agreed(self) -> tuple[str, str, dict[str, Value], int | None, str]:
        """The arguments with which `reopen_game` opens it, in another process too."""
        return self.name, self.preset, dict(self.conventions), self.players, self.rules

    @property
    def pinned(self) -> dict[str, str]:
        """The keys of a record's head, or of a request, that preserve a host's game; empty for our own."""
        return {"rules": self.rules} if self.rules else {}

    @property
    def variety(self) -> str:
        """The label of its preset; empty if the game has only one."""
        return self.book.presets[self.preset].label if len(self.book.presets) > 1 else ""

    @property
    def groups(self) -> dict[Message, list[str]]:
        """The names of its conventions by what they are about: the heads of its family, by their rules."""
        chapters = {
            name: self.book.rules[convention.rule].keys[0].split(".")[0]
            for name, convention in self.book.conventions.items()
        }
        return {
            head: [name for name, chapter in chapters.items() if chapter in parts]
            for head, parts in FAMILIES[self.family_name].data.groups.items()
        }

    def deviations(self) -> list[tuple[Convention, Value]]:
        """The conventions that differ from the preset, with their values."""
        return [
            (self.book.conventions[name], value)
            for name, value in self.conventions.items()
            if value != self.book.usual(name, self.preset, self.conventions, self.players)
        ]


@dataclass(frozen=True)
class Seating:
    """One seating for a game: the number of players, alone or in teams, and the conventions that say so."""

    players: int
    partnerships: bool
    conventions: Mapping[str, Value]

    @property
    def ring(self) -> Ring:
        """Its seats."""
        return Ring(self.players, self.partnerships)

    @property
    def name(self) -> str:
        """The name that distinguishes it from the game's other seatings: `5`, or `teams-4`."""
        words = "-".join(map(json_word, self.conventions.values()))
        return words if self.partnerships and words else str(self.players)


@dataclass(frozen=True)
class ShelvedGame:
    """A game of the catalogue: its validated file, its rulebook, and its seatings."""

    file: GameFile
    book: Rulebook
    sizes: tuple[int, ...]
    seatings: tuple[Seating, ...]
    rules: str = ""


@dataclass
class GameFolder:
    """The games of a folder. A file is read and validated once, at first use of its game.

    `host` are the files of a host, by path.
    """

    folder: Traversable
    host: Mapping[str, str] = field(default_factory=dict)
    _entries: dict[str, ShelvedGame] = field(default_factory=dict)
    _glossaries: dict[str, Glossary] = field(default_factory=dict)
    _open: dict[Any, Game] = field(default_factory=dict)
    _copies: dict[tuple[str, str], ShelvedGame] = field(default_factory=dict)
    _taken: tuple[Mapping[str, str], str] | None = None
    _host_faults: list[GameFileError] = field(default_factory=list)
    _names: tuple[str, ...] = ()
    _own_names: frozenset[str] = frozenset()

    @property
    def _files(self) -> FilesBeside:
        return FilesBeside(self.folder, self.host)

    def names(self) -> tuple[str, ...]:
        """The ids of all games, in the order of the catalogue.

        :raises GameFileError: for a file of ours that cannot be used.
        """
        if not self._names:
            hosted = [name for name, entry in self._entries.items() if entry.rules]
            self._names = tuple(
                sorted(
                    [*self.own_names(), *hosted],
                    key=lambda name: (self._entry(name).file.document["shelf"], name),
                )
            )
        return self._names

    def own_names(self) -> frozenset[str]:
        """The ids of the games of this folder, without those of a host."""
        if not self._own_names:
            files = (path.name for path in self.folder.iterdir())
            self._own_names = frozenset(name[: -len(".toml")] for name in files if name.endswith(".toml"))
        return self._own_names

    def take_host(self, host: Mapping[str, str], only: str = "") -> list[GameFileError]:
        """Replace the host's games, all or `only` one, by those in these files, by path.

        :returns: the faults; a game at fault is left out, and so are words at fault.
        """
        host = {path: text for path, text in host.items() if not path.startswith("cases/")}
        if self._taken != (host, only):  # nothing to do for the same files
            self._host_faults, self._taken = self._take_host(host, only), (host, only)
        return list(self._host_faults)

    def _take_host(self, host: Mapping[str, str], only: str) -> list[GameFileError]:
        for name in [name for name, entry in self._entries.items() if entry.rules]:
            del self._entries[name]
        self.host, self._glossaries, self._names = host, {}, ()
        faults = find_hidden(self._files)
        for name in [only] if only else find_games(host):
            try:
                self._entries[name] = self._copy(name, self._flatten(name))
            except GameFileError as error:
                faults += [error, *error.others]
                continue
            self._names = ()
            try:
                self.glossary(name)
            except GameFileError as error:
                faults.append(error)
                self._glossaries[name] = Glossary(name)
        return faults

    def _flatten(self, name: str) -> str:
        """The flat copy of a host's game. :raises GameFileError: for a file that cannot be used."""
        known = {rule for game in self.own_names() for rule in self._entry(game).book.rules}
        entry = _read_foreign(name, lambda: read_host_file(self._files, name, known))
        check_statements(entry)
        copy = flatten(entry.file)
        if len(copy) > RULES_LIMIT:
            raise GameFileError(name, "", f"must have at most {RULES_LIMIT} characters, with all it inherits")
        return copy

    def _copy(self, game: str, rules: str) -> ShelvedGame:
        """Read the game in a flat copy. :raises GameFileError: if it cannot be used."""
        current = self._entries.get(game)
        if current is not None and current.rules == rules:
            return current
        if (game, rules) not in self._copies:
            while len(self._copies) >= MAX_OPEN:
                self._copies.pop(next(iter(self._copies)), None)
            entry = _read_foreign(game, lambda: complete_copy(read_copy(rules, game)))
            digest = sha256(rules.encode()).hexdigest()[:8]
            book = replace(
                entry.book,
                version=f"{entry.book.version[:7]}-{digest}",
                of_host=entry.file.document["source"],
            )
            self._copies[game, rules] = replace(entry, book=book, rules=rules)
        return self._copies[game, rules]

    def rules(self, game: str) -> str:
        """The flat copy of a host's game as its file is now; empty for our own and for unknown games."""
        return self.entry(game).rules if game in self.names() else ""

    def glossary(self, game: str) -> Glossary:
        """The words of a game, from the folder `words`; empty for a game that no longer exists.

        :raises GameFileError: for a file of words that cannot be used.
        """
        if game not in self.names():
            return Glossary(game)
        if game not in self._glossaries:
            words = self._files / "words"
            self._glossaries[game] = read_glossary(words, game, self.entry(game).book.rules)
        return self._glossaries[game]

    def sizes(self, game: str, rules: str | None = None) -> tuple[int, ...]:
        """The numbers of players that can play a game, whatever the conventions."""
        return self.entry(game, rules).sizes

    def read_rulebook(self, game: str) -> Rulebook:
        """The rulebook of a game. :raises Unreadable: for an unknown game, naming the known ones."""
        return self.entry(game).book

    def flat(self, game: str) -> str:
        """A game's whole file, including everything it inherits, with the origin of each value.

        :raises Unreadable: for an unknown game, naming the known ones.
        """
        entry = self.entry(game)
        return entry.rules or flatten(entry.file)

    def seatings(self, game: str, rules: str | None = None) -> tuple[Seating, ...]:
        """The seatings of a game, each player for himself first; most games have one."""
        return self.entry(game, rules).seatings

    def seating(
        self, game: str, conventions: Mapping[str, Value], players: int, rules: str | None = None
    ) -> Seating:
        """The seating for so many players who choose these conventions and leave the others at defaults."""
        entry = self.entry(game, rules)
        usual = {name: convention.default for name, convention in entry.book.conventions.items()}
        agreed = (usual | dict(conventions)).items()
        fitting = (seating for seating in entry.seatings if seating.conventions.items() <= agreed)
        return next(seating for seating in fitting if seating.players == players)

    def is_for(self, game: str, preset: str, seating: Seating, rules: str | None = None) -> bool:
        """True if a preset can be played at this seating: some set conventions that not every table has."""
        try:
            self._open_entry(self.entry(game, rules), preset, seating.conventions, seating.players)
        except Unreadable:
            return False
        return True

    def entry(self, game: str, rules: str | None = None) -> ShelvedGame:
        """A game with its file; with `rules`, as in this flat copy, whatever the host's file is now.

        :raises Unreadable: for an unknown game, naming the known ones, and for a copy that cannot be used.
        """
        if rules:
            try:
                return self._copy(game, rules)
            except GameFileError as error:
                raise Unreadable(
                    "rules", Message("the flat copy of a game; {fault}", fault=error.said)
                ) from None
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
        rules: str | None = None,
        *,
        strict: bool = True,
    ) -> Game:
        """Open a game with its conventions resolved, for so many players if that is known.

        `rules` is the flat copy of a host's game, by which it is opened.

        :raises Unreadable: for an unknown game, preset, convention or value, naming the known ones; and if
            `strict`, for a convention that changes nothing at such a table, unless it has its default, and
            for a copy that has the name of one of our games.
        """
        if rules and strict and game in self.own_names():
            raise Unreadable("rules", Message("left out, as {game} is a game of Companion", game=game))
        return self._open_entry(self.entry(game, rules), preset, conventions, players, strict=strict)

    def _open_entry(
        self,
        entry: ShelvedGame,
        preset: str | None,
        conventions: Mapping[str, Any] | None,
        players: int | None,
        *,
        strict: bool = True,
    ) -> Game:
        players = players if len(entry.sizes) > 1 else None  # one game for every table with the same choices
        chosen = entry.book.resolve(preset, conventions or {}, "", players, strict=strict)
        preset = preset or next(iter(entry.book.presets))
        key = (entry.book.game, preset, tuple(chosen.items()), players, entry.rules)
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
        rules: str | None = None,
    ) -> Game:
        """Open a stored table's game: a convention may have a value that changes nothing there.

        It may be a host's game with the name of a later one of ours.

        :raises Unreadable: like `open_game`.
        """
        return self.open_game(game, preset, conventions, players, rules, strict=False)

    def open_request(self, request: Any) -> tuple[Game, dict[str, Any]]:
        """The game that a ruling request names, and its question and facts.

        :raises Unreadable: with the path and what the value must be.
        """
        if not isinstance(request, dict):
            raise Unreadable("", Message("a ruling request, which is an object"), request)
        game, preset, chosen = request.get("game"), request.get("preset"), request.get("conventions", {})
        rules = request.get("rules")
        if not isinstance(game, str):
            raise Unreadable("game", Message("one of {values}", values=list(self.names())), game)
        if rules is not None and not isinstance(rules, str):
            raise Unreadable("rules", Message("the flat copy of a game"), rules)
        if "preset" in request and not isinstance(preset, str):
            presets = list(self.entry(game, rules).book.presets)
            raise Unreadable("preset", Message("one of {values}", values=presets), preset)
        if not isinstance(chosen, dict):
            raise Unreadable("conventions", Message("an object"), chosen)
        about = ("game", "preset", "conventions", "rules")
        facts = {key: value for key, value in request.items() if key not in about}
        players = request.get("players") if type(request.get("players")) is int else None
        return self.open_game(game, preset, chosen, players, rules), facts

    def rule(self, request: Any) -> Ruling:
        """Answer a ruling request, which names its game and its question.

        :raises Unreadable: with the path and what the value must be.
        """
        game, asked = self.open_request(request)
        return game.family.rule(asked)


def complete_copy(file: GameFile) -> GameFile:
    """Complete a flat copy by the options that an earlier version did not have, as it behaved then.

    A copy cannot state options unknown to its family when it was written.
    """
    said = file.document.get("procedures")
    family = file.document.get("family")
    if not isinstance(said, dict) or not isinstance(family, str) or family not in FAMILIES:
        return file  # which is refused
    chosen = {item["name"] for item in file.document["conventions"]}
    added = {
        name: option.if_absent
        for name, option in FAMILIES[family].data.options.items()
        if option.if_absent is not None and name not in chosen
    }
    return replace(file, document={**file.document, "procedures": {**added, **said}})


_STRANGE = (LookupError, TypeError, ValueError, AttributeError, StopIteration, RecursionError)
"""The errors that a game whose parts do not fit together can cause."""


def _read_foreign(name: str, read: Callable[[], GameFile]) -> ShelvedGame:
    """Read the entry of a game that may come from anybody. :raises GameFileError: if it cannot be used."""
    try:
        return read_entry(read())
    except _STRANGE as fault:  # what is inherited is checked less strictly
        reason = f"refers to something that is missing or of another kind ({type(fault).__name__})"
        raise GameFileError(name, "", reason) from None


def read_entry(file: GameFile) -> ShelvedGame:
    """Read a game's entry in the catalogue, once its file has been checked.

    :raises GameFileError: for a file that cannot be used.
    """
    check_shape(file, {name: family.data for name, family in FAMILIES.items()})
    book = read_book(file.document)
    check_meaning(file, book, FAMILIES[file.document["family"]].data)
    players = file.document["table"]["players"]
    sizes = tuple(players) if isinstance(players, list) else (players,)
    entry = ShelvedGame(file, _as_usual(file, book), sizes, _seatings(file.document, book))
    _check_seatings(entry)
    return entry


def check_statements(entry: ShelvedGame) -> None:
    """Check that the texts of a game say what its tables play.

    A flat copy is not held to it: it keeps the texts with which its match began.

    :raises GameFileError: with every fault.
    """

    def facts_at(document: Mapping[str, Any], chosen: Mapping[str, Value]) -> TableFacts:
        return _table_facts(replace(entry.file, document=document), entry.book, chosen, None)

    refuse(entry.file, Statements(entry.file, entry.book, facts_at).find_faults())


def open_entry(entry: ShelvedGame, preset: str, chosen: Mapping[str, Value], players: int | None) -> Game:
    """Open the game of an entry with all its conventions, resolved by `Rulebook.resolve`.

    :raises Unreadable: if so many cannot play it with these conventions.
    """
    document, book = entry.file.document, entry.book.at(_table_facts(entry.file, entry.book, chosen, players))
    family = FAMILIES[document["family"]].open(book, choose_tables(document, chosen), players)
    return Game(book.game, preset, book, dict(chosen), document["family"], family, players, entry.rules)


def _table_facts(
    file: GameFile, book: Rulebook, chosen: Mapping[str, Value], players: int | None
) -> TableFacts:
    """The values that texts of a game may name at a table; a rule set is opened once one of them needs it.

    A convention that changes nothing beside the others has its default there.
    """
    family = FAMILIES[file.document["family"]]

    def open_facts(chosen: Mapping[str, Value]) -> Callable[[str], object]:
        opened = family.open(book, choose_tables(file.document, chosen), players)
        return partial(family.find_text_fact, opened.ruleset)

    choices = {
        name: TableChoice(convention.label, tuple(convention.listed()))
        for name, convention in book.conventions.items()
        if len(convention.values) != 1 and convention.matters(chosen, players)
    }
    idle = {name: convention.default for name, convention in book.conventions.items() if name not in choices}
    return TableFacts({**chosen, **idle}, players, choices, book.words, open_facts)


def _as_usual(file: GameFile, book: Rulebook) -> Rulebook:
    """The rulebook with its texts as they stand at the usual table, those of a preset at a table of it."""

    def facts(preset: str) -> TableFacts:
        return _table_facts(file, book, book.resolve(preset, {}, "", strict=False), None)

    usual = facts(next(iter(book.presets)))
    presets = {
        name: replace(preset, text=text_at(preset.text, facts(name))) for name, preset in book.presets.items()
    }
    return replace(book.at(usual), presets=presets, summary=text_at(book.summary, usual))


def _seatings(document: Mapping[str, Any], book: Rulebook) -> tuple[Seating, ...]:
    """The seatings of a game, each player for himself first; most games have one."""
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
    """Check that every seating has default conventions of its own, and can be opened with them.

    :raises GameFileError: if one cannot.
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
