"""Other views of a board: large, for a whole room, and upside down, for the player opposite."""

from typing import Any

from flask import Blueprint, render_template

from companion.matches import Match
from companion.rules.game import GameRow
from companion.web.shell.game_ui import game_ui, name_entry
from companion.web.shell.matches import open_match
from companion.web.shell.text import say

bp = Blueprint("views", __name__)


@bp.get("/m/<id>/big")
def big(id: str) -> str:
    """Show the board for a tablet or a television: to be read from afar, and not to be touched."""
    match = open_match(id)
    ui = game_ui(match.game)
    return render_template(ui.big_template, match=match, latest=_find_latest(match), **ui.big_context(match))


@bp.get("/m/<id>/turned")
def turned(id: str) -> str:
    """Show the board to the player opposite, without handing over the phone."""
    match = open_match(id)
    figures = game_ui(match.game).figures(match)
    return render_template("sharing/turned.html", match=match, figures=figures, latest=_find_latest(match))


def _find_latest(match: Match) -> dict[str, Any] | None:
    """The last entry that counts: its name, its row, and its result in short and in full."""
    standing = match.standing_entries
    row: GameRow | None = match.row(len(standing)) if standing else None
    if row is None:
        return None
    result, why = game_ui(match.game).describe_row(match, row), say(match, row.why)
    short = "" if why.startswith(result) else result
    return {"name": name_entry(match, standing[-1].id), "row": row, "result": short, "why": why}
