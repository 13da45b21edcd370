"""The answers of the public API: JSON, or a problem document if something cannot be done (RFC 9457)."""

import json
import re
from typing import Any

from flask import Blueprint, Response, current_app, g, request, url_for
from flask_babel import gettext as _
from werkzeug.exceptions import (
    HTTPException,
    RequestEntityTooLarge,
    RequestURITooLarge,
    SecurityError,
    UnsupportedMediaType,
)

from companion.archives.reading import parse_document
from companion.i18n import LANGUAGES
from companion.jobs import NoAnswer, NotTaken, UnderWay
from companion.matches import DeletedMatch, Match, NoSuchEntry, NoSuchMatch, NotTheWriter, TooMany
from companion.record.portable_log import PortableLog, write_log
from companion.rules.errors import UnknownKey, Unreadable
from companion.rules.ruling import RuleViolation
from companion.store import StaleWrite, StoreUnavailable
from companion.web.shell.errors import (
    TooOften,
    add_headers,
    describe_fault,
    describe_refused_host,
    describe_too_long,
    log_fault,
    say_too_many,
)
from companion.web.shell.matches import matches
from companion.web.shell.security import browser
from companion.web.shell.text import render_message, say

bp = Blueprint("public_api", __name__, url_prefix="/api/v1")
"""The public API; a phone's own app uses `offline_api`."""

LIMIT = 64 * 1024
"""The most bytes of a request; no entry and no question has a tenth of it."""
PROBLEM = "application/problem+json"
_STEP = re.compile(r"[^.\[\]]+")


class NoToken(Exception):
    """The request needs a token, and has no valid one."""


class NoNumber(Exception):
    """A write does not say how long the match's log was."""


class EmptyKey(Exception):
    """A key was sent, and is empty."""


class KeyUsed(Exception):
    """A key was sent before, with other content."""


def speak() -> None:
    """Answer in the language asked for, without an identity: no cookie is read."""
    g.lang = str(request.accept_languages.best_match(list(LANGUAGES)) or next(iter(LANGUAGES)))
    browser.make_anonymous()


def answer(content: Any, status: int = 200, seq: int | None = None) -> Response:
    """Answer in JSON; with the number `seq` of a match, 304 to whoever has read it already."""
    response = Response(json.dumps(content, ensure_ascii=False) + "\n", status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store" if seq is None else "private, no-cache"
    if seq is None:
        return response
    response.set_etag(str(seq))
    if request.method == "GET":
        response.make_conditional(request)
    return response


def read_body() -> Any:
    """Read the JSON that was sent.

    :raises Unreadable: if it is invalid.
    :raises RequestEntityTooLarge: if it is longer than any of ours.
    """
    request.max_content_length = LIMIT
    g.has_body = True
    return _write_whole(parse_document(request.get_data()))


def _write_whole(value: Any) -> Any:
    """Write `2` for `2.0` in a JSON value: to a schema they are one number."""
    match value:
        case dict():
            return {key: _write_whole(item) for key, item in value.items()}
        case list():
            return [_write_whole(item) for item in value]
        case float() if value.is_integer():
            return int(value)
    return value


def refuse_unknown_query(known: tuple[str, ...]) -> None:
    """Refuse parameters that an operation does not know.

    :raises UnknownKey: for the first of them.
    """
    for name in request.args:
        if name not in known:
            raise UnknownKey(name, known)


def read_number(name: str, usual: int) -> int:
    """Read a whole number in the address, of nine digits at most.

    :raises Unreadable: for anything else.
    """
    text = request.args.get(name, str(usual))
    if re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII) is None:
        raise Unreadable(name, "a whole number", text)
    return int(text)


# --- problems ----------------------------------------------------------------------------------------


def refuse(error: Exception) -> Response:
    """Answer an error with its problem document."""
    if request.blueprint != bp.name:  # the address is unknown, or was not looked up
        speak()
    status, kind, title, detail, more = _describe(error)
    wait = more.pop("retry_after", None)
    document = {
        "type": url_for("short_addresses.api", _external=True, _anchor=kind),
        "title": title,
        "status": status,
        "detail": detail,
        **more,
        **({} if wait is None else {"retry_after": wait}),
    }
    response = answer(document, status)
    response.mimetype = PROBLEM
    if wait is not None:
        response.headers["Retry-After"] = str(wait)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return finish(add_headers(response, error))


@bp.after_request
def finish(response: Response) -> Response:
    """Name the headers that the answer depends on, and forbid caching unless it is allowed."""
    response.vary.update(("Authorization", "Accept-Language"))
    response.headers.setdefault("Cache-Control", "no-store")
    if request.method == "OPTIONS" and not response.data:
        response.headers.pop("Content-Type", None)
    return response


_Described = tuple[int, str, str, str, dict[str, Any]]
"""The status, kind, title, detail, and other members of a problem document."""


def _describe(error: Exception) -> _Described:
    match error:
        case Unreadable():
            where = {"pointer": _point(error.path)} if g.get("has_body") else {}
            text = render_message(error.sentence)
            if error.contradicts:
                return 422, "unfit", _("This does not fit"), text, where
            return 400, "unreadable", _("This could not be read"), text, where
        case RuleViolation():
            return _describe_violation(error)
        case StaleWrite():
            return _describe_stale(error)
        case TooMany():
            return 422, "limit", _("Limit reached"), say_too_many(error), {}
        case NotTheWriter():
            text = _("Its role allows less, or it is for another match.")
            return 403, "not-allowed", _("This token may not do that"), text, {}
        case NoToken():
            text = _("Send a token that holds: Authorization: Bearer …")
            return 401, "token", _("A token is needed"), text, {}
        case EmptyKey():
            text = _("Send an Idempotency-Key that is not empty, or none.")
            return 400, "unreadable", _("This could not be read"), text, {}
        case KeyUsed():
            text = _("Send a new Idempotency-Key with what is new.")
            return 422, "key-used", _("This key was used for something else"), text, {}
        case NoNumber():
            text = _("Send the number of the match as it was read: %(header)s", header='If-Match: "7"')
            return 428, "number", _("The number of the match is missing"), text, {}
        case _:
            return _describe_other(error)


def _describe_other(error: Exception) -> _Described:
    match error:
        case DeletedMatch() if matches().trash.took_part(error, browser.known_token()):
            return 410, "deleted", _("This match was deleted"), _("Its owner can bring it back."), {}
        case NoSuchMatch():
            return 404, "not-found", _("Match not found"), _("There is no match with this id."), {}
        case NoSuchEntry():
            text = _("The entry it refers to is not in the match, or no longer counts.")
            return 404, "not-found", _("Not found"), text, {}
        case StoreUnavailable():
            current_app.logger.warning("the store is unavailable: %s", error)
            return 503, "busy", _("The server is busy"), _("Wait a moment."), {"retry_after": 10}
        case TooOften():
            return 429, "too-often", error.title, error.text, {"retry_after": error.wait}
        case NotTaken() | NoAnswer():
            return 503, "busy", _("The server is busy"), _("Wait a moment."), {"retry_after": error.wait}
        case RequestEntityTooLarge():
            text = _("At most %(size)s can be sent at once.", size=f"{LIMIT // 1024} kB")
            return 413, "too-large", _("This is too large"), text, {}
        case RequestURITooLarge():
            return 414, "request", *describe_too_long(), {}
        case UnsupportedMediaType():
            text = _("Send JSON, and say so: %(header)s", header="Content-Type: application/json")
            return 415, "no-json", _("This could not be read"), text, {}
        case SecurityError():
            return 400, "request", *describe_refused_host(), {}
        case HTTPException(code=int(code)) if code < 500:
            title = {404: _("Not found"), 405: _("Method not allowed")}.get(code, _("This request failed"))
            return code, "not-found" if code == 404 else "request", title, str(error.name), {}
    log_fault()
    return 500, "fault", *describe_fault(), {}


def _describe_violation(error: RuleViolation) -> _Described:
    about: Match | None = g.get("match")

    def tell(message: Any) -> str:
        return say(about, message) if about is not None else render_message(message)

    problems = [
        {"pointer": _point(problem.field), "detail": tell(problem.reason)}
        | ({"rule": problem.rule} if problem.rule else {})
        for problem in error.problems
    ]
    first: dict[str, Any] = {key: problems[0][key] for key in ("pointer", "rule") if key in problems[0]}
    return 422, "rule", _("This breaks a rule"), problems[0]["detail"], {**first, "problems": problems}


def _describe_stale(error: StaleWrite) -> _Described:
    text = _("Somebody has changed it since it was read. Read it again, then write.")
    about: Match | None = g.get("match")
    if about is None:
        return 409, "stale", _("The match has moved on."), text, {}
    now = matches().open(about.id)
    since = {event.seq for event in error.events}
    events = [event for event in write_events(now) if event["n"] in since]
    return 412, "stale", _("The match has moved on."), text, {"seq": now.seq, "events": events}


def _point(path: str) -> str:
    """The JSON Pointer of a path in what was sent, which is the whole entry.

    >>> _point("entries[2].count.cards"), _point("players[1]"), _point("")
    ('/count/cards', '/players/1', '')
    """
    steps = _STEP.findall(re.sub(r"^entries\[\d+\]", "", path))
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in steps)


def answer_under_way(error: UnderWay) -> Response:
    """Answer that the work is not finished yet; the same request is to be sent again."""
    progress, wait = error.progress, 1
    content = {"status": "under way", "seconds": round(progress.seconds, 1), "before": progress.before}
    address = request.script_root + request.full_path.rstrip("?")
    response = answer({**content, "retry_after": wait}, 202)
    response.headers["Retry-After"], response.headers["Location"] = str(wait), address
    return response


def write_events(match: Match) -> list[dict[str, Any]]:
    """The history of a match as a record has it: authors are letters."""
    return write_log(PortableLog(match.written_head, match.created_at, match.rulebook, match.events))


bp.register_error_handler(UnderWay, answer_under_way)
bp.register_error_handler(Exception, refuse)
