"""The picture of a match, to show around: as a drawing, and as an image that every phone can share."""

from collections.abc import Callable

from flask import Blueprint, Response, current_app
from flask_babel import gettext as _

from companion.i18n import translator
from companion.jobs import Job, compute_key
from companion.matches import Match
from companion.sheets import LOCAL, PlayedPart
from companion.sheets.common import format_day
from companion.sheets.evening import say_score
from companion.sheets.model import MatchPage, SessionPage
from companion.sheets.picture import draw_match, draw_running_match, paint_png
from companion.sheets.printer import SheetOrder
from companion.web.shell import jobs
from companion.web.shell.game_ui import game_ui
from companion.web.shell.language import current_language
from companion.web.shell.matches import matches, open_match
from companion.web.shell.zone import phone_zone

bp = Blueprint("picture", __name__)

_LAST = 24
"""The entries that a picture is composed of: half of them may have no line among the running totals."""
_MAX_DRAWN = 4
"""Drawings of a match that are kept: in the languages and by the clocks of those who look."""


@bp.get("/m/<id>/picture.svg")
def drawing(id: str) -> Response:
    """Send the picture as a drawing."""
    return answer(draw_picture(open_match(id)).encode(), "image/svg+xml")


@bp.get("/m/<id>/picture.png")
def image_png(id: str) -> Response:
    """Send the picture painted by a worker, for programs that take no drawings."""
    return paint(draw_picture(open_match(id)))


def paint(svg: str) -> Response:
    """Send a picture painted by a worker."""
    job = Job(compute_key("picture", jobs.edition(), svg), paint_png, (svg,))
    return answer(jobs.ask(job, _("The picture is being painted")), "image/png")


def draw_picture(match: Match, joined: bool = True) -> str:
    """Draw the picture of a match, in the language of the page and by the clock of the phone.

    `joined` as in `draw_match`; the picture within a page is drawn once for all who look at it.
    """
    zone = phone_zone()
    started, clock = match.head.get("started"), zone.key if zone is not None else LOCAL
    day = format_day(started, current_language(), clock, with_time=False)
    evening = _describe_evening(match)

    def draw() -> str:
        page = _compose_page(match)
        return draw_match(page, day, evening or page.result.headline, joined)

    return draw() if joined else _draw_once(match, (current_language(), day, evening), draw)


def draw_page(match: Match) -> str:
    """Draw the state of a match: its page alone, drawn once for all who look at it."""
    return _draw_once(match, (current_language(),), lambda: draw_running_match(_compose_page(match)))


def _draw_once(match: Match, key: tuple[str, ...], draw: Callable[[], str]) -> str:
    if key not in match.drawn:
        if len(match.drawn) >= _MAX_DRAWN:
            match.drawn.clear()
        match.drawn[key] = draw()
    return match.drawn[key]


def _compose_page(match: Match) -> MatchPage | SessionPage:
    """Compose the sheet with only the last lines, without address, corrections and rulings."""
    order = SheetOrder("match", match.game, match.record, language=current_language())
    page = order.compose(PlayedPart(match.states, max(0, len(match.standing_entries) - _LAST)))
    assert isinstance(page, MatchPage | SessionPage)
    return page


def _describe_evening(match: Match) -> str:
    """The score of this evening and its longest streak; of a single match its length.

    Empty without a winner.
    """
    if match.state.winner is None:
        return ""
    winners = [winner for game in matches().evening(match) if (winner := game.state.winner) is not None]
    if len(winners) == 1:
        counted = match.game.family.counted_entry
        return game_ui(match.game).count_deals(sum(row.type == counted for row in match.state.rows))
    return say_score(winners, match.state.ring.sides, translator(current_language()))


def answer(content: bytes, kind: str) -> Response:
    """Send an image with names in it, which nobody keeps."""
    return current_app.response_class(content, mimetype=kind, headers={"Cache-Control": "private, no-store"})
