"""The front page: the running match, a new one, earlier ones; the choice of light or dark paper."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask_babel import pgettext
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.matches import MatchSummary
from companion.sheets.picture import draw_sample
from companion.store import ListPlace
from companion.web.shell.fragments import cached_fragment
from companion.web.shell.game_list import list_games
from companion.web.shell.game_ui import game_ui
from companion.web.shell.language import address_of_ours
from companion.web.shell.matches import matches
from companion.web.shell.security import browser
from companion.web.shell.zone import phone_zone

from .picture import draw_page

bp = Blueprint("index", __name__)

_SHOWN, _MORE = 10, 20
"""The number of matches on the front page or on the first page of a search, and on every further page."""
_SOUGHT = 20
"""The number of last matches among which the running one is looked for."""
_EVENING = timedelta(hours=12)
"""A match belongs to this evening if it was last written in less than this time ago."""


@bp.get("/")
def index() -> str | Response:
    """Show the front page; `q` searches the matches by names, place and day.

    `older` and `newer` show the matches on that side of a position in the list.
    """
    search = request.args.get("q", "").strip()[:80]
    after, before = (_read_place(request.args.get(name)) for name in ("older", "newer"))
    is_further = after is not None or before is not None
    # One more on the first page, which shows the running match by itself.
    length = _MORE if is_further else _SHOWN + (not search)
    page = matches().list_page(browser.known_token(), search, length, after, before, phone_zone())
    if before is not None and not page.has_newer:
        return redirect(url_for("index.index", q=search or None))
    summaries = [summary for listed in page.listed if (summary := matches().summary(listed))]
    is_front = not search and not is_further
    running = next((summary for summary in summaries if summary.status == "playing" and is_front), None)
    ends = [f"{listed.place.at}~{listed.place.id}" for listed in page.listed]
    past = [summary for summary in summaries if summary is not running]
    tonight = _count_tonight(past) if is_front else 0
    return render_template(
        "matches/index.html",
        games="" if summaries or not is_front else cached_fragment(("games",), _render_games),
        running=running,
        **_describe_running(running),
        tonight=past[:tonight],
        past=past[tonight:],
        newer=ends[0] if page.has_newer and ends else None,
        older=ends[-1] if page.has_older and ends else None,
        search=search,
        is_front=is_front,
    )


def _count_tonight(past: Sequence[MatchSummary]) -> int:
    """Count the matches of this evening; `past` has the newest first."""
    begun = (datetime.now(UTC) - _EVENING).isoformat()
    return sum(summary.changed_at >= begun for summary in past)


def _describe_running(running: MatchSummary | None) -> dict[str, Any]:
    """Draw the page of the running match, and name its next deal or hand."""
    match = matches().open_if_readable(running.id) if running is not None else None
    if match is None:
        return {"page": None, "next_deal": ""}
    # Escaped where it is drawn.
    return {
        "page": Markup(draw_page(match)),
        "next_deal": game_ui(match.game).name_counted(match.counted + 1),
    }


def _render_games() -> str:
    """Render a newcomer's page: a sample sheet, and a few games with their numbers of players."""
    names = (pgettext("on a sample page", "Ewa"), pgettext("on a sample page", "Jan"))
    sample = Markup(draw_sample(" – ".join(names), names))  # escaped where it is drawn
    return render_template("matches/games.html", games=list_games().first, sample=sample)


def _read_place(written: str | None) -> ListPlace | None:
    """The position in the list that an address names; any text with a `~` is accepted."""
    at, mark, id = (written or "")[:120].partition("~")
    return ListPlace(at, id) if mark else None


@bp.get("/resume")
def resume() -> Response:
    """Lead to the running match that was last written in, or else to the front page."""
    for listed in matches().list_matches(browser.known_token(), limit=_SOUGHT):
        summary = matches().summary(listed)
        if summary is not None and summary.status == "playing":
            return redirect(url_for("scoreboard.scoreboard", id=summary.id))
    return redirect(url_for("index.index"))


@bp.get("/paper/<any(light, dark, auto):theme>")
def paper(theme: str) -> Response:
    """Choose light, dark or the phone's own colours, and return to the page before."""
    answer = redirect(address_of_ours(request.args.get("next", "")))
    if theme == "auto":
        browser.forget_cookie(answer, "paper")
    else:
        browser.send_cookie(answer, "paper", theme)
    return answer


def paper_context() -> dict[str, Any]:
    """The chosen paper, for the templates of all pages."""
    chosen = browser.read_cookie("paper")
    return {"theme": chosen if chosen in ("light", "dark") else None}
