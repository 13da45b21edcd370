"""The scoreboard: the state after the entries, the last of them; undo, rematch, a second phone."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from flask import Blueprint, Response, flash, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.wrappers import Response as Answer

from companion.matches import Match, PutBack, Undo
from companion.rules.game import GameRow
from companion.rules.ruling import Problem
from companion.web.rulings import attached_rulings
from companion.web.shell.codes import draw_qr_code
from companion.web.shell.forms import WritingForm
from companion.web.shell.game_ui import game_ui, name_entry_type
from companion.web.shell.matches import is_written, matches, open_match, open_written_match, write
from companion.web.shell.paging import turn_to_page
from companion.web.shell.security.headers import is_background
from companion.web.shell.zone import phone_zone

from .activity import describe_events
from .picture import draw_picture

bp = Blueprint("scoreboard", __name__)

_SHOWN_LINES = 6
_SHOWN_FLAGS = 6
"""The most misfitting entries named above the board; others may follow from the first of them."""
_SHOWN_RULINGS = 6
_MAX_ANNOUNCED = 20
"""The number of matches whose announced change of a host's game a browser remembers."""


@dataclass(frozen=True)
class BoardLine:
    """One line of the board: an entry that counts, and its result."""

    id: int
    number: int | None
    row: GameRow | None
    title: str
    note: str
    corrected: bool
    problems: tuple[Problem, ...]


@bp.get("/m/<id>")
def scoreboard(id: str) -> str:
    """Show the board of a match to anyone with its address; `all` lists every entry."""
    match = open_match(id)
    entries, flagged = len(match.standing_entries), _find_flagged(match)
    is_whole = bool(request.args.get("all"))
    page = turn_to_page(entries) if is_whole else None
    numbers = page.numbers if page else range(entries, max(entries - _SHOWN_LINES, 0), -1)
    ui = game_ui(match.game)
    is_decided = not match.playing and (match.state.winner is not None or bool(match.state.losers))
    return render_template(
        ui.board_template,
        match=match,
        picture=Markup(draw_picture(match, joined=False))
        if is_decided
        else None,  # escaped where it is drawn
        lines=board_lines(match, numbers),
        page=page,
        more=0 if is_whole else entries - len(numbers),
        flagged=flagged[:_SHOWN_FLAGS],
        flags_more=len(flagged) > _SHOWN_FLAGS,
        last_row=_find_last_row(match),
        fresh=_take_mark("written", match),
        settling=_take_mark("settling", match),
        undone=describe_events(match, [match.last_undo])[0] if match.last_undo else "",
        form=WritingForm(),
        rulings=attached_rulings(match, most=_SHOWN_RULINGS),
        rulings_more=len(match.log.rulings) > _SHOWN_RULINGS,
        successor=matches().successor(match),
        host_says=_take_host_news(match),
        **ui.board_context(match),
    )


def _take_mark(name: str, match: Match) -> bool:
    """True, once, if this was just done in the match."""
    return not is_background() and session.pop(name, None) == match.id


def _take_host_news(match: Match) -> str:
    """The change of a host's game, `changed` or `gone`, if this browser has not announced it yet."""
    announced: list[str] = session.get("host_told", [])
    mark = f"{match.id[:8]} {match.game_now}"
    if match.game_now == "same" or mark in announced or is_background():
        return ""
    session["host_told"] = [*announced, mark][-_MAX_ANNOUNCED:]
    return match.game_now


@bp.post("/m/<id>/undo")
def undo(id: str) -> Answer:
    """Take back the last change."""
    return _take_back(id, Undo(), _("There is nothing left to undo."))


@bp.post("/m/<id>/put-back")
def put_back(id: str) -> Answer:
    """Put back the last undone change."""
    return _take_back(id, PutBack(), _("There is nothing to put back."))


def _take_back(id: str, change: Undo | PutBack, nothing: str) -> Answer:
    """Write the change; if `nothing` can be changed, say so.

    The next board ignores taps on these buttons for a moment: an impatient thumb's second tap is not another
    change.
    """
    match, form = open_written_match(id), WritingForm()
    if not is_written(match, form) and write(match, change, form).seq == match.seq:
        flash(nothing)
    session["settling"] = match.id
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


@bp.post("/m/<id>/rematch")
def rematch(id: str) -> Answer:
    """Begin a match with the same players and rules; the dealer follows from this one."""
    match = open_written_match(id)
    if match.playing:  # it went on after the page was built
        return redirect(url_for("scoreboard.scoreboard", id=id), 303)
    if match.game_now != "same" and matches().successor(match) is None:
        return redirect(url_for("new.new", like=id), 303)
    return redirect(url_for("scoreboard.scoreboard", id=matches().start_again(match, phone_zone())), 303)


@bp.get("/m/<id>/code.svg")
def code(id: str) -> Response:
    """Draw the match's address as a code for another phone's camera."""
    match = open_match(id)
    return draw_qr_code(url_for("short_addresses.match", id=match.id, _external=True))


def _find_flagged(match: Match) -> list[int]:
    """The ids of the first entries that do not fit, one more than are named."""
    found: list[int] = []
    for problem in match.state.problems:
        id = match.standing_entries[problem.entry - 1].id if problem.entry else None
        if id is not None and id not in found[-1:]:
            found.append(id)
        if len(found) > _SHOWN_FLAGS:
            break
    return found


def _find_last_row(match: Match) -> GameRow | None:
    """The row of the last entry that fits, which ended the match; the very last one if no entry fits."""
    # Once a match is over nothing fits any more, so not all of it is searched.
    behind = bisect_left(match.states, True, key=lambda state: state.status != "playing")
    fitting = (n for n in range(min(behind, len(match.standing_entries)), 0, -1) if not match.problems(n))
    return match.row(next(fitting, len(match.standing_entries)))


def board_lines(match: Match, numbers: Iterable[int]) -> list[BoardLine]:
    """The lines of the board for these entries, numbered from 1 among those that count."""
    lines: list[BoardLine] = []
    for n in numbers:
        logged = match.standing_entries[n - 1]
        row, number = match.row(n), match.counted_number(logged.id)
        kind = logged.payload.get("type", "")
        lines.append(
            BoardLine(
                id=logged.id,
                number=number,
                row=row,
                title="" if number else name_entry_type(match, kind),
                note=str(logged.payload.get("reason") or logged.payload.get("note") or ""),
                corrected=logged.is_corrected(match.game.family.later_facts),
                problems=match.problems(n),
            )
        )
    return lines
