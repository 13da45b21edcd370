"""The page of the API: how to begin, then every operation with a request and an answer."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from flask import Blueprint, Flask, render_template

from companion.web.shell.errors import refuse_programs

from . import answers, document, reading, writing
from .operations import OPERATIONS as OPERATIONS

bp = Blueprint("api_page", __name__)

PARTS = (reading, writing, document)
"""The modules of operations, in the order in which they are explained."""

PROBLEMS = {
    "unreadable": "400: it cannot be read; `pointer` names the member, `detail` what must stand there.",
    "token": "401: the operation needs a token, or the one that was sent does not hold.",
    "not-allowed": "403: the token’s role may not do this in this match.",
    "not-found": "404: there is no such match, entry, ruling or game.",
    "deleted": "410: the match lies in its owner’s bin.",
    "stale": "412: the match has moved on; `events` are what happened since, `seq` is its number now.",
    "too-large": "413: the request is longer than any needs to be.",
    "no-json": "415: what is sent has to be JSON, and has to say so: `Content-Type: application/json`.",
    "rule": "422: an entry breaks a rule, which `rule` names; `problems` are all that were found.",
    "key-used": "422: the same `Idempotency-Key` was sent before, with other content.",
    "unfit": "422: its form is good; it contradicts itself, the match or what the table has agreed on.",
    "limit": "422: there are as many of these as there can be.",
    "number": "428: a write in a match says how long its log was, as `If-Match`.",
    "too-often": "429: too much for now; `retry_after` says in how many seconds more is taken.",
    "request": "another 4xx: the request is none that is answered here.",
    "fault": "500: our fault; nothing was written.",
    "busy": "503: the server is busy; `retry_after` says when to ask again.",
}
"""The kinds of problems; the address of each begins with that of this page."""


def init_app(app: Flask) -> None:
    """Serve the API under /api/v1; no form is sent there, so none needs a token."""
    app.register_blueprint(answers.bp)
    app.extensions["csrf"].exempt(answers.bp)
    refuse_programs(app, "/api/v1", answers.refuse)


@cache
def read_examples() -> dict[str, Any]:
    """The examples by operation: a request and its answer, as the tests have run them."""
    found: dict[str, Any] = json.loads(
        files("companion").joinpath("web/api/examples.json").read_text("utf-8")
    )
    return found


@bp.get("/api")
def page() -> str:
    """Show how to begin, and all operations."""
    return render_template(
        "api/page.html", operations=OPERATIONS, examples=read_examples(), problems=PROBLEMS
    )
