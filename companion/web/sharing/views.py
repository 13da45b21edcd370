"""Other ways to look at a board: large, for a whole room, and upside down, for whoever sits opposite."""

from flask import Blueprint, render_template

from companion.matches import Match
from companion.rules.game import GameRow
from companion.web.shell.game_ui import game_ui, name_entry
from companion.web.shell.matches import open_match
from companion.web.shell.text import say

bp = Blueprint("views", __name__)


@bp.get("/m/<id>/big")
def big(id: str) -> str:
    """The board for a tablet or a television: to be read from afar, and not to be touched."""
    return _show("sharing/big.html", open_match(id))


@bp.get("/m/<id>/turned")
def turned(id: str) -> str:
    """The board for the player opposite, without handing over the phone."""
    return _show("sharing/turned.html", open_match(id))


def _show(template: str, match: Match) -> str:
    figures = game_ui(match.game).figures(match)
    return render_template(template, match=match, figures=figures, latest=_find_latest(match))


def _find_latest(match: Match) -> dict[str, str] | None:
    """The last entry that counts: its name, and its result in short and in full."""
    standing = match.standing_entries
    row: GameRow | None = match.row(len(standing)) if standing else None
    if row is None:
        return None
    result, why = game_ui(match.game).describe_row(match, row), say(match, row.why)
    short = "" if why.startswith(result) else result
    return {"name": name_entry(match, standing[-1].id), "result": short, "why": why}
