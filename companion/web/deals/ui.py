"""The face of the family: how deals, and the entries beside them, are shown and put right."""

from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _

from companion.web.support.forms import EntryForm
from companion.web.support.game_ui import GameUI
from companion.web.support.matches import Match

from . import side_entries
from .board import board
from .prefill import known, likely
from .views import edit

_BESIDE = ("finish", "dive", "pencil", "adjust", "concede", "abandon")


def _called(number: int | None) -> str:
    return _("Deal %(number)s", number=number) if number else _("A deal")


def _names() -> dict[str, str]:
    return {
        "opening": _("The opening from paper"),
        "adjust": _("An adjustment"),
        "concede": _("A concession"),
        "abandon": _("The breaking off"),
        "finish": _("A finish call"),
        "dive": _("A dive"),
        "pencil": _("The pencil rule"),
    }


def _noted(kept: bool) -> str:
    return _("A deal in progress was noted.") if kept else _("The deal in progress was dropped.")


def _entry(match: Match, row: Any) -> Mapping[str, Any]:
    """A count's lines gathered by their words, the words before the card points."""
    words: dict[str, list[Any]] = {}
    for line in row.lines if row is not None else ():
        words.setdefault(line.word, []).append(line)
    return {"words": sorted(words.items(), key=lambda one: one[0] == "cards")}


def _others(match: Match) -> tuple[str, ...]:
    """The entries beside deals that the table knows, those of play first."""
    return tuple(kind for kind in _BESIDE if kind in match.game.family.entries)


def _form(match: Match, kind: str) -> type[EntryForm] | None:
    return side_entries.form_for(kind, match.state.ring)


DEALS = GameUI(
    numbered="deal",
    called=_called,
    names=_names,
    noted=_noted,
    board_page="deals/board.html",
    board=board,
    winner=lambda match: match.state.winner,
    entry_page="deals/entry.html",
    entry=_entry,
    edit=edit,
    others_page="deals/others.html",
    others=_others,
    form=_form,
    known=known,
    usual=lambda game, question: {},
    likely=likely,
)
