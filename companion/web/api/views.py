"""The arbiter for programs: the requests of the command line over HTTP. Writes nothing."""

import json
from typing import Any

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from companion import library
from companion.jobs import AskedTooMuch, NoAnswer, NotTaken, OutOfMemory, TookTooLong, UnderWay
from companion.rules.errors import Unreadable, refuse_duplicates
from companion.web.shell import jobs
from companion.web.shell.errors import refuse_plainly, refuse_programs
from companion.web.shell.security.rate_limits import HEAVY, count_toward_limit

bp = Blueprint("api", __name__, url_prefix="/api")

LIMIT = 64 * 1024
"""The most bytes of a request; no question needs a tenth of it."""


def init_app(app: Flask) -> None:
    """Answer under /api; nothing is changed there, so no form's token is needed."""
    app.register_blueprint(bp)
    app.extensions["csrf"].exempt(bp)
    refuse_programs(app, "/api/rule", refuse_plainly("error"))


@bp.errorhandler(UnderWay)
def _answer_under_way(error: UnderWay) -> Response:
    progress, wait = error.progress, 1
    answer = {"status": "under way", "seconds": round(progress.seconds, 1), "before": progress.before}
    return _retry_later({**answer, "retry_after": wait}, 202, wait)


@bp.errorhandler(NotTaken)
def _answer_refused(error: NotTaken) -> Response:
    mine = isinstance(error, AskedTooMuch)
    text = "too many pending questions" if mine else "the server is busy"
    answer = {"error": f"{text}; try again in {error.wait} seconds", "retry_after": error.wait}
    return _retry_later(answer, 429 if mine else 503, error.wait)


@bp.errorhandler(NoAnswer)
def _answer_nothing(error: NoAnswer) -> Response:
    text = {
        TookTooLong: "this takes longer than one request may take",
        OutOfMemory: "this needs more memory than one request may have",
    }.get(type(error), "the work was interrupted")
    return _retry_later({"error": text, "retry_after": error.wait}, 503, error.wait)


@bp.post("/rule")
def rule() -> Response:
    """Rule on a request of JSON: 200 with the ruling, or 400 with what is wrong with it.

    202 while it is being worked out: send the same request again; 429 and 503 say when to do so.
    """
    request.max_content_length = LIMIT
    try:
        question_request = json.loads(request.get_data().decode("utf-8"), object_pairs_hook=refuse_duplicates)
        game, asked = library.open_request(question_request)
        answer = jobs.rule(game, asked, "").plain()
        if str(asked.get("question")) in HEAVY:
            count_toward_limit("heavy")
        return _json(answer, 200)
    except RequestEntityTooLarge:
        return _json({"error": f"document: must be at most {LIMIT} bytes"}, 413)
    except UnicodeDecodeError:
        return _json({"error": "document: must be JSON in UTF-8"}, 400)
    except json.JSONDecodeError as fault:
        where = f"line {fault.lineno}, column {fault.colno}: {fault.msg.lower()}"
        return _json({"error": f"document: must be JSON; {where}"}, 400)
    except Unreadable as fault:
        return _json({"error": str(fault)}, 400)
    except (ValueError, RecursionError):
        return _json({"error": "document: must be JSON with numbers and nesting of ordinary size"}, 400)


def _retry_later(value: Any, status: int, wait: int) -> Response:
    response = _json(value, status)
    response.headers["Retry-After"], response.headers["Cache-Control"] = str(wait), "no-store"
    return response


def _json(value: Any, status: int) -> Response:
    # Half of a character in the request cannot be written in UTF-8.
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Response(text + b"\n", status, mimetype="application/json")
