"""The scoreboard: what the entries have come to, the last of them; undo, rematch, a second phone."""

from dataclasses import dataclass

from flask import Blueprint, Response, flash, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as Answer

from companion.matches import Match, Undo
from companion.rules.game import GameRow
from companion.rules.ruling import Problem
from companion.web.rulings import attached_rulings
from companion.web.security.caching import is_background
from companion.web.support.codes import draw_qr_code
from companion.web.support.entry_names import name_entry_type
from companion.web.support.forms import WritingForm
from companion.web.support.game_ui import game_ui
from companion.web.support.matches import matches, open_match, open_own_match, write

bp = Blueprint("scoreboard", __name__)

_SHOWN_LINES = 6


@dataclass(frozen=True)
class BoardLine:
    """One line of the board: an entry that counts, and what it came to."""

    id: int
    number: int | None
    row: GameRow | None
    title: str
    note: str
    corrected: bool
    problems: tuple[Problem, ...]


@bp.get("/m/<id>")
def scoreboard(id: str) -> str:
    """The board of a match; anyone who knows the address may look. `all` lists every entry."""
    match = open_match(id)
    lines = board_lines(match)
    shown = lines if request.args.get("all") else lines[-_SHOWN_LINES:]
    ui = game_ui(match.game)
    return render_template(
        ui.board_template,
        match=match,
        lines=shown[::-1],
        more=len(lines) - len(shown),
        flagged=[one for one in lines if one.problems],
        fresh=not is_background() and session.pop("written", None) == match.id,
        form=WritingForm(),
        rulings=attached_rulings(match),
        successor=matches().successor(match),
        **ui.board_context(match),
    )


@bp.post("/m/<id>/undo")
def undo(id: str) -> Answer:
    """Take back the last change."""
    match = open_own_match(id)
    if write(match, Undo(), WritingForm()).seq == match.seq:
        flash(_("There is nothing left to undo."))
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


@bp.post("/m/<id>/rematch")
def rematch(id: str) -> Answer:
    """A new match of the same players by the same rules; who deals follows from this one."""
    match = open_own_match(id)
    if match.playing:  # taken up again since the page was made
        return redirect(url_for("scoreboard.scoreboard", id=id), 303)
    return redirect(url_for("scoreboard.scoreboard", id=matches().start_again(match)), 303)


@bp.get("/m/<id>/code.svg")
def code(id: str) -> Response:
    """The match's address as a code for another phone's camera."""
    match = open_match(id)
    return draw_qr_code(url_for("short_addresses.match", id=match.id, _external=True))


def board_lines(match: Match) -> list[BoardLine]:
    """A line for each entry that counts, in table order."""
    lines: list[BoardLine] = []
    counted = match.counted_numbers
    for n, logged in enumerate(match.standing_entries, 1):
        row = match.row(n)
        kind = logged.payload.get("type", "")
        lines.append(
            BoardLine(
                id=logged.id,
                number=counted.get(logged.id),
                row=row,
                title="" if logged.id in counted else name_entry_type(match, kind),
                note=str(logged.payload.get("reason") or logged.payload.get("note") or ""),
                corrected=logged.is_corrected(match.game.family.later_facts),
                problems=match.problems(n),
            )
        )
    return lines
