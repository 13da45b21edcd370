"""The games as pages list them: a few first, the others by family and table, with their search texts."""

from collections.abc import Iterable
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from companion import library
from companion.i18n import LANGUAGES, translator
from companion.rules.rulebook import Rulebook

from .game_ui import game_ui
from .language import current_language
from .text import render_message, translate

_FIRST = 6


@dataclass(frozen=True)
class ListedGame:
    """A game as a list shows it."""

    name: str

    @property
    def book(self) -> Rulebook:
        """Its rulebook."""
        return library.read_rulebook(self.name)

    @property
    def family(self) -> str:
        """The name of its family."""
        return render_message(game_ui(library.open_game(self.name)).family_title)

    @property
    def sizes(self) -> str:
        """The number of its players: "2", "2–6"."""
        sizes = library.sizes(self.name)
        return "–".join(str(size) for size in dict.fromkeys((min(sizes), max(sizes))))

    @property
    def is_for_teams(self) -> bool:
        """True if it is played in teams only."""
        return all(seating.partnerships for seating in library.seatings(self.name))

    @property
    def table(self) -> str:
        """The players at its table: "3 players", "2 against 2", "2–6 players"."""
        most = max(library.sizes(self.name))
        if self.is_for_teams:
            return str(_("%(some)s against %(others)s", some=most // 2, others=most // 2))
        return ngettext("%(num)s player", "%(num)s players", most).replace(str(most), self.sizes)

    @property
    def titles(self) -> str:
        """Its titles in all languages, its other names, and its varieties."""
        titles = [*(translator(language)(self.book.title) for language in LANGUAGES), *self.book.also]
        labels = [variety.label for variety in self.book.varieties]
        return " ".join(dict.fromkeys([*titles, *labels, *map(translate, labels)]))

    @property
    def words(self) -> str:
        """Its own words, in its file's language and the page's."""
        words = self.book.words.values()
        return " ".join(dict.fromkeys([*words, *map(translate, words)]))


@dataclass(frozen=True)
class GameList:
    """A few games that stand first, and the others, by table and family."""

    first: list[ListedGame]
    groups: dict[tuple[str, str], list[ListedGame]]
    all: list[ListedGame]
    """All games in one order."""


def list_games(played: Iterable[str] = ()) -> GameList:
    """List all games: those `played`, those played where the language is spoken, then as in the catalogue.

    Families keep the order of the catalogue.
    """
    language, shelf = current_language(), [ListedGame(name) for name in library.names()]
    shelf.sort(key=lambda game: language not in game.book.at_home)
    there = [game for game in map(ListedGame, played) if game in shelf]  # a host's may be gone
    games = list(dict.fromkeys([*there, *shelf]))
    families = [game.family for game in shelf]
    groups: dict[tuple[str, str], list[ListedGame]] = {}
    for game in sorted(
        (game for game in shelf if game in games[_FIRST:]),
        key=lambda game: (families.index(game.family), library.sizes(game.name), game.is_for_teams),
    ):
        groups.setdefault((game.table, game.family), []).append(game)
    return GameList(games[:_FIRST], groups, games)
