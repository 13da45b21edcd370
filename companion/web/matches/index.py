"""The front page: the match that is running, a new one, and those of before; light or dark paper."""

from typing import Any
from urllib.parse import parse_qsl

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from companion import library
from companion.web.security import browser, cookies
from companion.web.support.language import build_address
from companion.web.support.matches import matches

bp = Blueprint("index", __name__)

_SHOWN = 20


@bp.get("/")
def index() -> str:
    """The front page; `q` searches the matches by names, place and day, `all` shows every one."""
    search = request.args.get("q", "").strip()[:80]
    listed = matches().list_matches(browser.known_token(), search)
    shown = listed if request.args.get("all") else listed[: _SHOWN + 1]
    summaries = [summary for one in shown if (summary := matches().summary(one))]
    running = next((one for one in summaries if one.status == "playing" and not search), None)
    return render_template(
        "matches/index.html",
        games=[library.shelf(name) for name in library.names()],
        running=running,
        past=[one for one in summaries if one is not running],
        more=len(listed) > len(shown),
        search=search,
    )


@bp.get("/resume")
def resume() -> Response:
    """To the running match that was last written in; to the front page where none is running."""
    for listed in matches().list_matches(browser.known_token())[:_SHOWN]:
        summary = matches().summary(listed)
        if summary is not None and summary.status == "playing":
            return redirect(url_for("scoreboard.scoreboard", id=summary.id))
    return redirect(url_for("index.index"))


@bp.get("/paper/<any(light, dark, auto):theme>")
def paper(theme: str) -> Response:
    """Light, dark, or as the phone has it; back to the page one came from."""
    answer = redirect(_address_of_ours(request.args.get("next", "")))
    if theme == "auto":
        cookies.forget(answer, "paper")
    else:
        cookies.send(answer, "paper", theme)
    return answer


def _address_of_ours(address: str) -> str:
    """The address again, made anew from the page that it leads to; the front page where it leads to none."""
    path, _mark, query = address.partition("#")[0].partition("?")
    if path.startswith(f"{request.script_root}/"):
        path = path[len(request.script_root) :]
    try:
        endpoint, values = current_app.url_map.bind("").match(path, "GET")
    except HTTPException:
        return url_for("index.index")
    return build_address(endpoint, values, parse_qsl(query))


def paper_context() -> dict[str, Any]:
    """For every page: the paper that was chosen."""
    chosen = cookies.read("paper")
    return {"theme": chosen if chosen in ("light", "dark") else None}
