"""The face of a family: what its pages differ in from those of the others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from werkzeug.wrappers import Response

from companion.rules.seats import Side

from .forms import EntryForm
from .matches import Match

Answer = Response | str | tuple[str, int]


@dataclass(frozen=True)
class GameUI:
    """How one family is shown and written to; `faces` says which family has which.

    Everything that pages of all families share asks its match's face, and nothing else about the family.
    """

    numbered: str
    """The type of the entries that the table counts: deals, hands."""
    called: Callable[[int | None], str]
    """Such an entry by its number: "Deal 3"; without one, "A deal"."""
    names: Callable[[], Mapping[str, str]]
    """What the other types of entries are called."""
    noted: Callable[[bool], str]
    """Said of an entry in progress: that it was kept, or dropped."""

    board_page: str
    """The template of the scoreboard, an extension of `scoreboard.html`."""
    board: Callable[[Match], Mapping[str, Any]]
    """What that template needs."""
    winner: Callable[[Match], Side | None]
    """The side that has won, which lists of matches set off."""

    entry_page: str
    """The template of one entry, an extension of `entry/look.html`."""
    entry: Callable[[Match, Any], Mapping[str, Any]]
    """What that template needs, besides the state's row of the entry."""
    edit: Callable[[Match, int], Answer]
    """The form that puts a numbered entry right: shown, or sent."""

    others_page: str
    """The template of all that is seldom written, an extension of `entry/others.html`."""
    others: Callable[[Match], tuple[str, ...]]
    """The types of entries that can be written there."""
    form: Callable[[Match, str], type[EntryForm] | None]
    """The form of such an entry, or None where there is none."""

    known: Callable[[Match, Any], Mapping[str, Any]]
    """The facts that a match tells for a question."""
    usual: Callable[[Any, Any], Mapping[str, Any]]
    """The facts with which a question about a game begins, asked without a match."""
    likely: Callable[[Match], tuple[str, ...]]
    """The questions that come up first where a match stands, by name."""
