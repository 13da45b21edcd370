"""The scoreboard: what the entries have come to, the last of them; undo, rematch, a second phone."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as Answer

from companion.rules.ruling import Problem
from companion.web.rulings import attached_rulings
from companion.web.support import game_uis, matches
from companion.web.support.activity import kind_name, numbers
from companion.web.support.codes import code as drawn
from companion.web.support.forms import WritingForm
from companion.web.support.matches import Match

bp = Blueprint("scoreboard", __name__)

_LAST = 6


@dataclass(frozen=True)
class BoardLine:
    """One line of the board: an entry that counts, and what it came to."""

    id: int
    number: int | None
    row: Any
    title: str
    note: str
    corrected: bool
    problems: tuple[Problem, ...]


@bp.get("/m/<id>")
def scoreboard(id: str) -> str:
    """The board of a match; anyone who knows the address may look."""
    match = matches.get(id)
    lines = entries(match)
    face = game_uis.of(match)
    return render_template(
        face.board_page,
        match=match,
        lines=lines[-_LAST:][::-1],
        earlier=lines[:-_LAST][::-1],
        flagged=[one for one in lines if one.problems],
        fresh=session.pop("written", None) == match.id,
        form=WritingForm(),
        rulings=attached_rulings(match),
        **face.board(match),
    )


@bp.post("/m/<id>/undo")
def undo(id: str) -> Answer:
    """Take back the last change."""
    match, form = matches.get_own(id), WritingForm()
    after = matches.undo(match, form.seen(match.seq), form.key)
    if after.seq == match.seq:
        flash(_("There is nothing left to undo."))
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


@bp.post("/m/<id>/rematch")
def rematch(id: str) -> Answer:
    """A new match of the same players by the same rules; who deals follows from this one."""
    match, form = matches.get_own(id), WritingForm()
    head = {key: one for key, one in match.head.items() if key not in ("id", "follows", "started")}
    head |= {
        "first_dealer": match.state.next_dealer or match.head.get("first_dealer"),
        "follows": match.id,
        "started": matches.local_time(),
    }
    return redirect(url_for("scoreboard.scoreboard", id=matches.start(head, form.key)), 303)


@bp.get("/m/<id>/code.svg")
def code(id: str) -> Response:
    """The match's address as a code for another phone's camera."""
    match = matches.get(id)
    return drawn(url_for("bare.match", id=match.id, _external=True))


def entries(match: Match) -> list[BoardLine]:
    """A line for each entry that counts, in table order."""
    found: list[BoardLine] = []
    counted = numbers(match)
    for n, kept in enumerate(match.standing, 1):
        row = match.row(n)
        kind = kept.payload.get("type", "")
        found.append(
            BoardLine(
                id=kept.id,
                number=counted.get(kept.id),
                row=row,
                title="" if kept.id in counted else kind_name(match, kind),
                note=str(kept.payload.get("reason") or kept.payload.get("note") or ""),
                corrected=kept.corrected,
                problems=match.problems(n),
            )
        )
    return found
