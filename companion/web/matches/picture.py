"""The picture of a match, to show around: as a drawing, and as an image that every phone can share."""

from itertools import groupby

from flask import Blueprint, Response, current_app
from flask_babel import gettext as _

from companion.jobs import Job, compute_key
from companion.matches import Match
from companion.sheets import PlayedPart
from companion.sheets.common import format_day
from companion.sheets.model import MatchPage, SessionPage
from companion.sheets.picture import draw_match, draw_running_match, paint_png
from companion.sheets.printer import SheetOrder
from companion.web.shell import jobs
from companion.web.shell.game_ui import game_ui
from companion.web.shell.matches import matches, open_match

from .sheets import order_sheet

bp = Blueprint("picture", __name__)


@bp.get("/m/<id>/picture.svg")
def drawing(id: str) -> Response:
    """The picture as it is drawn."""
    return _answer(draw_picture(open_match(id)).encode(), "image/svg+xml")


@bp.get("/m/<id>/picture.png")
def image_png(id: str) -> Response:
    """The picture painted by a worker, for whatever takes no drawings."""
    svg = draw_picture(open_match(id))
    job = Job(compute_key("picture", jobs.edition(), svg), paint_png, (svg,))
    return _answer(jobs.ask(job, _("The picture is being painted")), "image/png")


def draw_picture(match: Match) -> str:
    """The picture of a match, in the language of the page and by the clock of the phone that looks."""
    order = order_sheet(match)
    page = _compose_page(match, order)
    day = format_day(match.head.get("started"), order.language, order.zone, with_time=False)
    return draw_match(page, day, _describe_evening(match, page))


def draw_page(match: Match) -> str:
    """How a match stands: its page alone."""
    return draw_running_match(_compose_page(match, order_sheet(match)))


def _compose_page(match: Match, order: SheetOrder) -> MatchPage | SessionPage:
    """The sheet without its lines: a picture has none of them."""
    page = order.compose(PlayedPart(match.states, len(match.standing_entries)))
    assert isinstance(page, MatchPage | SessionPage)
    return page


def _describe_evening(match: Match, page: MatchPage | SessionPage) -> str:
    """How it stands tonight, and the most wins in a row; of a match by itself its length, without a winner
    how it ended.
    """
    if match.state.winner is None:
        return page.result.headline
    winners = [winner for game in matches().evening(match) if (winner := game.state.winner) is not None]
    if len(winners) == 1:
        counted = match.game.family.counted_entry
        return game_ui(match.game).count_deals(sum(row.type == counted for row in match.state.rows))
    score = " : ".join(str(winners.count(side)) for side in match.state.ring.sides)
    streak = max(len(list(run)) for _winner, run in groupby(winners))
    return _("%(score)s tonight, longest streak %(count)s", score=score, count=streak)


def _answer(content: bytes, kind: str) -> Response:
    return current_app.response_class(content, mimetype=kind, headers={"Cache-Control": "private, no-store"})
