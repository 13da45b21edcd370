"""Pages cached in the phone: the worker that caches them, and the headers that say so.

It keeps what says `X-Keep`; with "path" a copy without a query serves every query of which there is no copy.
`X-Log` says of which match a page is, and how long its log was. A board names the pages that go with it:
forms, fetched again whenever the log has grown (`X-Keep-Anew`), and what stays as it is (`X-Keep-Once`).
"""

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    g,
    render_template,
    request,
    send_from_directory,
    url_for,
)

from companion.matches import Match
from companion.web.sharing import forms_of_remarks
from companion.web.shell.game_ui import game_ui
from companion.web.shell.language import phone_language
from companion.web.shell.matches import access
from companion.web.shell.security.caching import IN_PHONE, WHATEVER_QUERY, is_background

bp = Blueprint("kept", __name__)
"""Pages in every language."""

worker_bp = Blueprint("worker", __name__)
"""What has no language."""


def init_app(app: Flask) -> None:
    """Serve the worker, and say with each page what to cache."""
    app.register_blueprint(worker_bp)
    app.after_request(_add_headers)
    app.context_processor(lambda: {"is_background": is_background})


@worker_bp.get("/sw.js")
def script() -> Response:
    """The service worker. Its address says which pages it is in charge of: all of them."""
    response = send_from_directory(str(current_app.static_folder), "offline/worker.js")
    response.headers["Cache-Control"] = "no-cache"
    return response


@bp.get("/offline")
def offline() -> str:
    """What stands in the place of a page that this phone has not cached."""
    return render_template("offline/offline.html")


def _add_headers(response: Response) -> Response:
    match: Match | None = g.get("match")
    is_page = request.method == "GET" and response.status_code == 200 and response.mimetype == "text/html"
    if (
        not is_page
        or request.endpoint not in IN_PHONE
        or (match is not None and not access(match).takes_part)
    ):
        return response
    response.headers["X-Keep"] = "path" if request.endpoint in WHATEVER_QUERY else "page"
    once = [url_for("kept.offline"), _home()]
    if match is not None:
        response.headers["X-Log"] = f"{match.id}:{match.seq}"
    if match is not None and request.endpoint == "scoreboard.scoreboard":
        response.headers["X-Keep-Anew"] = " ".join(_growing(match))
        once += _lasting(match)
    response.headers["X-Keep-Once"] = " ".join(once)
    return response


def _growing(match: Match) -> list[str]:
    """The addresses of what goes with a board and changes with every entry: forms first, where it has any."""
    writes = access(match).may_record
    forms = game_ui(match.game).recording_forms(match) if match.playing and writes else ()
    forms = forms if writes else forms_of_remarks(match, access(match).side)
    others = ("entries.more", "history.history", "people.people") if writes else ("history.history",)
    return [*forms, _home(), url_for("index.resume"), *(url_for(other, id=match.id) for other in others)]


def _lasting(match: Match) -> list[str]:
    """The addresses of what is read beside a match, and stays the same."""
    likely = game_ui(match.game).likely_questions(match)
    return [
        url_for("rulebook.rulebook", game=match.game.name, match=match.id),
        url_for("questions.match_questions", id=match.id),
        *(url_for("questions.match_question", id=match.id, question=question) for question in likely),
    ]


def _home() -> str:
    return url_for("index.index", lang=phone_language())
