"""The views of a family of games, where its pages differ from those of other families."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Flask, current_app
from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion import library
from companion.matches import Match
from companion.rules.game import GameRow
from companion.rules.message import Message
from companion.rules.question import Question

from .forms import EntryForm

PageAnswer = Response | str | tuple[str, int]
"""The answer of a view: a page, a page with a status, or a redirect."""


@dataclass(frozen=True)
class Figure:
    """One side's score on the board: its total, drawn as strokes; `stands_out` if it is the one that matters.

    Points `carried` over from before are no longer drawn.
    """

    side: str
    total: int
    carried: int
    drawing: Markup | None
    stands_out: bool


@dataclass(frozen=True)
class Figures:
    """A board without controls: the score's name, a column for each side, and the next dealer.

    `course` says what is going on meanwhile, `held` which points are held.
    """

    name: str
    columns: tuple[Figure, ...]
    dealer: str | None
    course: str = ""
    held: str = ""


class GameUI(Protocol):
    """The views of one family. Pages that all families share ask this, and nothing else about the family."""

    family_title: Message
    """The name of the family in a list of games."""
    board_template: str
    """The scoreboard, an extension of `matches/scoreboard.html`."""
    big_template: str
    """The board for a whole room, an extension of `sharing/big.html`."""
    entry_template: str
    """One entry, an extension of `matches/entry.html`."""
    more_template: str
    """All that is seldom written, an extension of `matches/more.html`."""

    row_facts: tuple[str, ...]
    """The keys of the facts of an entry that `describe_row` describes."""

    def name_counted(self, number: int | None) -> str:
        """The name of a deal, or a hand, by its number: "Deal 3"; without one, "A deal"."""

    def count_deals(self, number: int) -> str:
        """A number of deals, or hands: "3 deals"."""

    def entry_names(self) -> Mapping[str, str]:
        """The names of the other types of entries."""

    def describe_row(self, match: Match, row: GameRow) -> str:
        """The result of an entry in a few words: "82:65", "Ewa is the fool"."""

    def fact_names(self) -> Mapping[str, str]:
        """The names of an entry's facts, by key, unless the game has words for them."""

    def describe_draft(self, is_saved: bool) -> str:
        """Say in a sentence that an entry in progress was saved, or discarded."""

    def board_context(self, match: Match) -> Mapping[str, Any]:
        """The template context of the scoreboard."""

    def big_context(self, match: Match) -> Mapping[str, Any]:
        """The template context of the board for a whole room."""

    def figures(self, match: Match) -> Figures:
        """The board's figures, without its page."""

    def recording_forms(self, match: Match) -> tuple[str, ...]:
        """The addresses of the forms with which the next deal, or hand, is recorded."""

    def entry_context(self, match: Match, row: GameRow | None) -> Mapping[str, Any]:
        """The template context of an entry, besides the state's row of it."""

    def edit_entry(self, match: Match, id: int) -> PageAnswer:
        """Show the form that corrects a deal, or a hand, or carry out what was sent."""

    def side_entries(self, match: Match) -> tuple[str, ...]:
        """The types of entries beside these that can be written at the match's table."""

    def side_form(self, match: Match, kind: str) -> type[EntryForm] | None:
        """The form of such an entry, or None."""

    def prefill(self, match: Match, question: Question, entry: int | None = None) -> Mapping[str, Any]:
        """The facts of a question that follow from a match, or from one of its entries, as JSON by key."""

    def usual_facts(self, game: library.Game, question: Question) -> Mapping[str, Any]:
        """The facts with which a question about a game begins, asked without a match."""

    def likely_questions(self, match: Match) -> tuple[str, ...]:
        """The questions offered first, by name: what the match has come to decides."""

    def objection_reasons(self, match: Match, entry: int) -> Mapping[str, str]:
        """The reasons to object to an entry, by the keys of `REASONS`, in a few words: "Wrong count"."""

    def objection_words(self, match: Match, entry: int) -> Mapping[str, Message]:
        """The same reasons as parts of a sentence: "wrong count"."""

    def disputed_figures(self, match: Match, entry: int) -> Mapping[str, int] | None:
        """The points of each side by an entry, if an objection may say what would be right; else None."""

    def settling_question(self, match: Match, entry: int, reason: str) -> str | None:
        """The name of the question that settles an objection for this reason, or None."""


def init_app(app: Flask, uis: Mapping[str, GameUI]) -> None:
    """Register the views of each family by its name; templates get `count_deals` and `name_entry`."""
    app.extensions["game_uis"] = uis
    app.add_template_global(count_deals)
    app.add_template_global(name_entry)


def game_ui(game: library.Game) -> GameUI:
    """The views of a game's family."""
    ui: GameUI = current_app.extensions["game_uis"][game.family_name]
    return ui


def count_deals(game: str, number: int) -> str:
    """A number of deals, or hands, of the game with this name; deals if no game has this name any more."""
    game = game if game in library.names() else library.names()[0]
    return game_ui(library.open_game(game)).count_deals(number)


def name_entry(match: Match, id: int | None) -> str:
    """The name of an entry; a withdrawn one has no number."""
    logged = match.entry(id) if id is not None else None
    if logged is None:
        return _("An entry")
    return name_entry_then(match, logged.payload.get("type", ""), match.counted_number(logged.id))


def name_entry_then(match: Match, kind: str, number: int | None) -> str:
    """The name of an entry by its type, with the number it had if entries of this type are counted."""
    if kind == match.game.family.counted_entry:
        return game_ui(match.game).name_counted(number)
    return name_entry_type(match, kind)


def name_entry_type(match: Match, kind: str) -> str:
    """The name of an entry without a number."""
    return game_ui(match.game).entry_names().get(kind) or _("An entry")
