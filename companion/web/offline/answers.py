"""Headers for a phone's scripts and its worker: the result of a form, the identity, what to cache.

`X-Chosen` names the language and the paper of the page: whatever answers for the server in a phone shows
pages so, too. The worker caches pages with `X-Keep`; with "path" a copy without a query serves every query
that has no copy of its own. `X-Log` names the match of a page, and the length of its log. A board names the
pages that go with it: forms, fetched again whenever the log has grown (`X-Keep-Anew`), and those that stay
the same (`X-Keep-Once`).
"""

from urllib.parse import urlencode

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    g,
    jsonify,
    render_template,
    request,
    send_from_directory,
    url_for,
)
from flask_wtf.csrf import generate_csrf

from companion.matches import Match
from companion.web.sharing import forms_of_remarks
from companion.web.shell.errors import find_refusal
from companion.web.shell.forms import WritingForm
from companion.web.shell.game_ui import game_ui
from companion.web.shell.language import phone_language
from companion.web.shell.matches import access, matches
from companion.web.shell.security import browser
from companion.web.shell.security.headers import IN_PHONE, WHATEVER_QUERY, is_background

SCRIPT = "X-Script"
"""The header of a form that a script sent: it wants the result, and shows the page itself."""


def init_app(app: Flask) -> None:
    """Serve the worker, and add headers for scripts and for the cache.

    Templates get `browser_mark`, `is_background` and `is_plain_http`.
    """
    app.after_request(_add_headers)
    app.context_processor(lambda: {"browser_mark": browser.mark()})
    app.register_blueprint(worker_bp)
    app.after_request(_say_what_to_cache)
    app.context_processor(lambda: {"is_background": is_background})
    app.context_processor(lambda: {"is_plain_http": _is_plain_http()})


def _is_plain_http() -> bool:
    """True if browsers take this address for insecure, and let it keep no pages."""
    return request.scheme == "http" and not request.host.startswith(("localhost", "127.0.0.1", "[::1]"))


def _add_headers(response: Response) -> Response:
    if find_refusal() is not None:
        return response  # a program learns nothing of its owner's browser
    if request.method == "POST" and SCRIPT in request.headers:
        if response.status_code == 303:
            response = _place(response)
        elif response.status_code == 400:  # it may be of an earlier session: here is a token
            response.headers["X-Token"] = generate_csrf()
    if response.mimetype == "text/html" or SCRIPT in request.headers:
        response.headers["X-Version"] = current_app.extensions["files"].version
        response.headers["X-Browser"] = browser.mark()
        # Scripts cannot read the cookies of these.
        chosen = {"lang": phone_language(), "paper": browser.read_cookie("paper")}
        response.headers["X-Chosen"] = urlencode(chosen)
    return response


def _place(redirect: Response) -> Response:
    """Answer a script with the address after its form, and the length of the log then."""
    answer = jsonify(to=redirect.headers["Location"], seq=_written_seq())
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _written_seq() -> int | None:
    """The number of the event that this form wrote, or None."""
    match = g.get("match")
    event = matches().find_written(match, WritingForm().key) if match is not None else None
    return event.seq if event is not None else None


bp = Blueprint("kept", __name__)
"""Pages in every language."""

worker_bp = Blueprint("worker", __name__)
"""Addresses without a language."""


@worker_bp.get("/sw.js")
def script() -> Response:
    """Send the service worker. Its address puts it in charge of all pages."""
    response = send_from_directory(str(current_app.static_folder), "offline/worker.js")
    response.headers["Cache-Control"] = "no-cache"
    return response


@bp.get("/offline")
def offline() -> str:
    """Show the page in place of those that this phone has not cached."""
    return render_template("offline/offline.html")


def _say_what_to_cache(response: Response) -> Response:
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
    """The addresses that go with a board and change with every entry: forms first, if it has any."""
    writes = access(match).may_record
    forms = game_ui(match.game).recording_forms(match) if match.playing and writes else ()
    forms = forms if writes else forms_of_remarks(match, access(match).side)
    others = ("entries.more", "history.history", "people.people") if writes else ("history.history",)
    return [*forms, _home(), url_for("index.resume"), *(url_for(other, id=match.id) for other in others)]


def _lasting(match: Match) -> list[str]:
    """The addresses that are read beside a match, and stay the same."""
    likely = game_ui(match.game).likely_questions(match)
    return [
        url_for("rulebook.rulebook", game=match.game.name, match=match.id),
        url_for("questions.match_questions", id=match.id),
        *(url_for("questions.match_question", id=match.id, question=question) for question in likely),
    ]


def _home() -> str:
    return url_for("index.index", lang=phone_language())
