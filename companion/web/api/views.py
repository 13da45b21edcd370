"""The arbiter for programs: the requests of the command line over HTTP. Reads nothing, keeps nothing."""

import json
from typing import Any

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from companion import library
from companion.rules.errors import Unreadable
from companion.web.security.limits import HEAVY, spend

bp = Blueprint("api", __name__, url_prefix="/api")

LIMIT = 64 * 1024
"""How many bytes a request may have; no question needs a tenth of it."""


def init_app(app: Flask) -> None:
    """Answer under /api. It changes nothing, so it needs no token of a form."""
    app.register_blueprint(bp)
    app.extensions["csrf"].exempt(bp)


@bp.post("/rule")
def rule() -> Response:
    """The ruling on a request of JSON: 200 with the ruling, or 400 with what is wrong with it."""
    request.max_content_length = LIMIT
    try:
        question_request = json.loads(request.get_data().decode("utf-8"))
        if isinstance(question_request, dict) and str(question_request.get("question")) in HEAVY:
            spend("heavy")
        return _json(library.rule(question_request).plain(), 200)
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


def _json(value: Any, status: int) -> Response:
    # Half of a character may have come in with the request, and would be no UTF-8.
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Response(text + b"\n", status, mimetype="application/json")
