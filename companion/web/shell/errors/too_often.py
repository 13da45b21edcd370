"""The answer to requests that come too often."""

from flask import Flask, Response, jsonify, request
from flask_babel import gettext as _
from flask_babel import ngettext
from flask_limiter import RateLimitExceeded
from werkzeug.exceptions import RequestEntityTooLarge

from companion.web.shell.security.limits import Excess, describe_excess

from .pages import page_to_try_again
from .too_large import answer_too_large

_MINUTE, _HOUR = 60, 3600
_FOR_PROGRAMS = {"api": "error", "offline_api": "problem"}
"""What answers programs, and the key under which it says what is wrong."""


def init_app(app: Flask) -> None:
    """Answer it with a page of ours, and programs with JSON."""
    app.register_error_handler(RateLimitExceeded, _answer_too_often)


def _answer_too_often(error: RateLimitExceeded) -> Response | tuple[str, int]:
    excess = describe_excess(error)
    if excess.name == "guesses":
        title, why = _("Too many wrong links or codes"), _describe_guesses(excess.of_browser)
        text = f"{why} {_say_wait_for_right_one(excess.wait)}"
    else:
        title, why = _("Too many for now"), _describe(excess)
        text = f"{why} {_say_wait(excess.wait)}"
    if request.blueprint in _FOR_PROGRAMS:
        answer = jsonify({_FOR_PROGRAMS[request.blueprint]: text})
        answer.status_code, answer.headers["Retry-After"] = 429, str(excess.wait)
        return answer
    try:
        return page_to_try_again(429, title, text, excess.wait, why)
    except RequestEntityTooLarge as too_large:  # what was typed is read for this page only
        return answer_too_large(too_large)


def _describe(excess: Excess) -> str:
    """What is done too often, and how often it may be."""
    said = {"what": excess.what, "n": excess.most, "period": _say_period(excess.period)}
    if excess.of_browser:
        return _("%(what)s: at most %(n)d from one browser %(period)s.", **said)
    return _("%(what)s: at most %(n)d from one network %(period)s.", **said)


def _describe_guesses(of_browser: bool) -> str:
    if of_browser:
        return _(
            "This browser has tried many addresses and codes that do not exist, so none is accepted for now."
        )
    return _(
        "This network has tried many addresses and codes that do not exist, so none is accepted for now."
    )


def _say_wait_for_right_one(seconds: int) -> str:
    return ngettext(
        "Try again in %(num)s minute; the right one works then.",
        "Try again in %(num)s minutes; the right one works then.",
        -(-seconds // _MINUTE),
    )


def _say_period(seconds: int) -> str:
    if seconds % _HOUR == 0:
        return ngettext("within %(num)s hour", "within %(num)s hours", seconds // _HOUR)
    return ngettext("within %(num)s minute", "within %(num)s minutes", seconds // _MINUTE)


def _say_wait(seconds: int) -> str:
    """When to try again: in seconds, in minutes from 90 seconds on, then in hours; rounded up."""
    if seconds <= 1.5 * _MINUTE:
        return ngettext(
            "You can continue in %(num)s second.", "You can continue in %(num)s seconds.", seconds
        )
    if seconds <= 1.5 * _HOUR:
        minutes = -(-seconds // _MINUTE)
        return ngettext(
            "You can continue in %(num)s minute.", "You can continue in %(num)s minutes.", minutes
        )
    return ngettext(
        "You can continue in %(num)s hour.", "You can continue in %(num)s hours.", -(-seconds // _HOUR)
    )
