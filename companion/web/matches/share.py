"""The result of a match to be sent around: as a picture, as text, on a sheet."""

from flask import Blueprint, render_template

from companion.sheets import PlayedPart
from companion.sheets.model import MatchPage, SessionPage
from companion.sheets.printer import SheetOrder
from companion.sheets.report import report_match
from companion.web.shell.language import current_language
from companion.web.shell.matches import open_match
from companion.web.shell.text import translate

bp = Blueprint("share", __name__)


@bp.get("/m/<id>/share")
def share(id: str) -> str:
    """Show what can be sent around of a match."""
    match = open_match(id)
    order = SheetOrder("match", match.game, match.record, language=current_language())
    page = order.compose(PlayedPart(match.states, len(match.standing_entries)))  # without its lines
    assert isinstance(page, MatchPage | SessionPage)
    return render_template("matches/share.html", match=match, text=report_match(page, translate))
