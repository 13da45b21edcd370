"""The scoreboard: totals and tallies, who deals, the last entries; undo, rematch, a second phone."""

import io
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import segno
from flask import Blueprint, Response, flash, redirect, render_template, session, url_for
from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.wrappers import Response as Answer

from companion.notation import svg, tally
from companion.rules.message import Message
from companion.rules.ruling import Problem

from . import matches
from .deals.recording import can_call
from .evening import evening
from .forms import WritingForm
from .matches import Match
from .telling import kind_name

bp = Blueprint("scoreboard", __name__)

_LAST = 6
_PER_ROW = 4


@dataclass(frozen=True)
class Column:
    """One side of the board."""

    side: str
    seats: tuple[str, ...]
    total: int
    before: int
    needs: int | None
    deals: bool
    elder: bool
    tally: Markup | None


@dataclass(frozen=True)
class Entry:
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
    return render_template(
        "scoreboard.html",
        match=match,
        columns=columns(match),
        lines=lines[-_LAST:][::-1],
        earlier=lines[:-_LAST][::-1],
        flagged=[one for one in lines if one.problems],
        fresh=session.pop("written", None) == match.id,
        form=WritingForm(),
        evening=evening(match),
        calls=can_call(match),
        may_dive=match.game.family.may_dive(match.state) if match.playing else (),
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
    drawn = io.BytesIO()
    address = url_for("bare.match", id=match.id, _external=True)
    segno.make(address, error="m").save(drawn, kind="svg", scale=4, border=4, light="#fff", dark="#000")
    return Response(
        drawn.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"}
    )


def columns(match: Match) -> list[Column]:
    """The sides of the board, in table order."""
    state = match.state
    playing, found = match.playing, []
    for side in state.ring.sides:
        seats = tuple(seat for seat in state.ring.seats if state.ring.side(seat) == side)
        amounts = tuple(row.scored.get(side, 0) for row in state.rows)
        found.append(
            Column(
                side=side,
                seats=seats,
                total=state.totals[side],
                before=state.totals[side] - (amounts[-1] if amounts else 0),
                needs=state.needs(side) if playing and hasattr(state, "needs") else None,
                deals=playing and state.next_dealer in seats,
                elder=playing and getattr(state, "next_elder", None) in seats,
                tally=_drawn(amounts, f"{match.id} {side}", f"tally-{side}") if any(amounts) else None,
            )
        )
    return found


@lru_cache(maxsize=256)
def _drawn(amounts: tuple[int, ...], seed: str, prefix: str) -> Markup:
    """The tally of one side; kept, for every look at the board draws the same one."""
    page = tally.write(amounts)
    text = svg.draw_tally(page.tally, seed=seed, before=page.before, per_row=_PER_ROW, prefix=prefix)
    # In squares of the paper instead of units of the drawing: the style sheet says how large a square is.
    sized = re.sub(
        r' (width|height)="([0-9.]+)"', lambda m: f' {m[1]}="{float(m[2]) / svg.SQUARE:g}em"', text, count=2
    )
    return Markup(sized)  # numbers and a match's own id, made by us


def entries(match: Match) -> list[Entry]:
    """A line for each entry that counts, in table order."""
    found: list[Entry] = []
    deals = 0
    for n, kept in enumerate(match.standing, 1):
        row = match.row(n)
        kind = kept.payload.get("type", "")
        deals += kind == "deal"
        found.append(
            Entry(
                id=kept.id,
                number=deals if kind == "deal" else None,
                row=row,
                title="" if kind == "deal" else kind_name(kind),
                note=str(kept.payload.get("reason") or kept.payload.get("note") or ""),
                corrected=kept.corrected,
                problems=match.problems(n),
            )
        )
    return found


def result_word(match: Match, row: Any) -> str:
    """What stands behind a deal that was not simply made: the game's own word, or a plain one."""
    words = match.game.book.words
    own = {"bait": "bait", "tie": "tie", "offer": "offer", "finished": "call"}
    plain = {
        "thrown-in": Message("thrown in"),
        "void": Message("does not count"),
        "penalty": Message("penalty"),
        "false-finish": Message("not enough"),
        "bait": Message("bait"),
        "tie": Message("tie"),
        "offer": Message("offer"),
        "finished": Message("enough"),
    }
    if row.result in own and own[row.result] in words:
        return match.say(words[own[row.result]])
    return match.say(plain[row.result]) if row.result in plain else ""


@bp.app_context_processor
def _words() -> dict[str, Any]:
    return {"result_word": result_word}
