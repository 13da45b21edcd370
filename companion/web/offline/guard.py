"""The guard of requests by a phone's own app: who may send them, and how they are read and answered."""

import json
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, request
from flask_babel import gettext as _
from werkzeug.exceptions import RequestEntityTooLarge

from companion.archives.reading import parse_document
from companion.matches import DeletedMatch, Match, NoSuchEntry, NoSuchMatch, NotTheWriter, TooMany
from companion.record.head import refuse_unknown
from companion.rules.errors import Missing, Unreadable
from companion.rules.message import Message
from companion.rules.ruling import RuleViolation
from companion.store import StoreUnavailable
from companion.web.shell.errors import say_too_many, say_who_is_unknown
from companion.web.shell.matches import matches
from companion.web.shell.security import browser
from companion.web.shell.security.browser import UnknownBrowser
from companion.web.shell.security.headers import comes_from_us
from companion.web.shell.text import render_message, say

from .static_files import app_version

bp = Blueprint("offline_api", __name__, url_prefix="/offline")

MAX_BYTES = 1_000_000
"""The most bytes of a request; a phone sends a fifth of it at once."""
WAIT = 10
"""Seconds until a phone asks again after the database did not answer."""
REFUSED = (NotTheWriter, NoSuchEntry, NoSuchMatch, TooMany, Unreadable, RuleViolation, StoreUnavailable)
"""The errors for which something is not taken; see `refuse`."""


class OtherVersion(Exception):
    """The phone's app is of another version than the server's, and has to be fetched again."""


@bp.before_request
def _let_ours_in() -> Response | None:
    """Admit only a page or worker of ours: no other site can send the header, or claim our origin."""
    if request.headers.get("X-Pocket") == "1" and comes_from_us(unsaid=False):
        return None
    return answer({"problem": _("Only this app itself may ask for this.")}, 403)


def known_browser() -> str:
    """The token of the browser that sends something.

    :raises UnknownBrowser: without a readable one, or if another identity recorded it (`X-Browser`): a
        browser may have changed its identity meanwhile.
    """
    token = browser.known_token()
    if token is None or request.headers.get("X-Browser", browser.mark()) != browser.mark():
        raise UnknownBrowser
    return token


def read_body(keys: tuple[str, ...], required: tuple[str, ...], max_bytes: int = MAX_BYTES) -> dict[str, Any]:
    """Read the JSON object that was sent, with no other keys than these.

    :raises Unreadable: if it is something else, or a required key is missing.
    :raises RequestEntityTooLarge: if it is longer than any of ours.
    """
    request.max_content_length = max_bytes
    body = parse_document(request.get_data())
    check_object(body, "", keys, required)
    read: dict[str, Any] = body
    return read


def check_object(value: Any, path: str, keys: tuple[str, ...], required: tuple[str, ...]) -> None:
    """Require an object with these keys.

    :raises Unreadable: for anything else.
    """
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an object"), value)
    refuse_unknown(value, keys, path)
    for key in required:
        if key not in value:
            raise Missing(f"{path}.{key}" if path else key)


def check_version(body: Mapping[str, Any]) -> None:
    """Refuse a phone with another version of the app.

    :raises OtherVersion: if it differs.
    """
    if body["version"] != app_version():
        raise OtherVersion


def answer(facts: Mapping[str, Any], status: int = 200, wait: int | None = None) -> Response:
    """Answer in JSON; `wait` is the number of seconds until it is worth asking again."""
    response = Response(json.dumps(facts) + "\n", status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    if wait is not None:
        response.headers["Retry-After"] = str(wait)
    return response


def refuse(error: Exception, facts: Mapping[str, Any], about: Match | None = None) -> Response:
    """Answer that something was not taken: with the facts, and the reason in a sentence."""
    match error:
        case StoreUnavailable():
            current_app.logger.warning("the store is unavailable: %s", error)
            return answer({**facts, "problem": _("The server is busy")}, 503, WAIT)
        case NotTheWriter():
            return answer({**facts, "problem": _("This phone does not have the pencil")}, 403)
        case DeletedMatch() if matches().trash.took_part(error, browser.known_token()):
            return answer({**facts, "problem": _("This match was deleted")}, 410)
        case NoSuchMatch():
            return answer({**facts, "problem": _("Match not found")}, 404)
        case _:
            return answer({**facts, "problem": _say_problem(error, about)}, 422)


def _say_problem(error: Exception, about: Match | None) -> str:
    match error:
        case RuleViolation():
            reasons = (problem.reason for problem in error.problems)
            return " ".join(say(about, reason) if about else render_message(reason) for reason in reasons)
        case TooMany():
            return say_too_many(error)
        case NoSuchEntry():
            return _("The entry it refers to is not in the match, or no longer counts.")
        case _:
            return str(error)


@bp.errorhandler(RequestEntityTooLarge)
def _answer_too_large(error: RequestEntityTooLarge) -> Response:
    size = f"{(request.max_content_length or MAX_BYTES) // MAX_BYTES} MB"
    return answer({"taken": 0, "problem": _("At most %(size)s can be sent at once.", size=size)}, 413)


@bp.errorhandler(UnknownBrowser)
def _answer_unknown_browser(error: UnknownBrowser) -> Response:
    return answer({"problem": say_who_is_unknown()}, 401)


@bp.errorhandler(OtherVersion)
def _answer_other_version(error: OtherVersion) -> Response:
    return answer({"taken": 0, "version": app_version()}, 426)


def _answer_refused(error: Exception) -> Response:
    return refuse(error, {"taken": 0})


for _kind in REFUSED:
    bp.register_error_handler(_kind, _answer_refused)
