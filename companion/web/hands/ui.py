"""The face of the family: how hands, and the entries beside them, are shown and put right."""

from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _

from companion.web.support.game_ui import GameUI
from companion.web.support.matches import Match

from .board import board
from .form import BESIDE
from .prefill import known, likely, usual
from .views import edit


def _called(number: int | None) -> str:
    return _("Hand %(number)s", number=number) if number else _("A hand")


def _names() -> dict[str, str]:
    return {"touch": _("Touched cards"), "close": _("The close")}


def _noted(kept: bool) -> str:
    return _("The hand was followed further.") if kept else _("The hand is followed no longer.")


def _entry(match: Match, row: Any) -> Mapping[str, Any]:
    return {}


HANDS = GameUI(
    numbered="hand",
    called=_called,
    names=_names,
    noted=_noted,
    board_page="hands/board.html",
    board=board,
    winner=lambda match: None,
    entry_page="hands/entry.html",
    entry=_entry,
    edit=edit,
    others_page="hands/others.html",
    others=lambda match: tuple(BESIDE),
    form=lambda match, kind: BESIDE.get(kind),
    known=known,
    usual=usual,
    likely=likely,
)
