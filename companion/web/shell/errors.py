"""Error pages: what is wrong, what would be right, and never a traceback."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import Flask, Response, current_app, g, jsonify, render_template, request
from flask_babel import format_decimal, ngettext
from flask_babel import gettext as _
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import (
    HTTPException,
    NotFound,
    RequestEntityTooLarge,
    RequestURITooLarge,
    SecurityError,
)

from companion.matches import Access, DeletedMatch, Match, NoSuchEntry, NoSuchMatch, NotTheWriter, TooMany
from companion.rules.errors import Unreadable
from companion.rules.ruling import RuleViolation
from companion.store import StaleWrite, StoreUnavailable
from companion.web.shell.forms import MissingSeq
from companion.web.shell.matches import access, matches
from companion.web.shell.monitoring import describe_request
from companion.web.shell.security import browser
from companion.web.shell.security.browser import UnknownBrowser
from companion.web.shell.security.headers import MAX_ADDRESS, TYPED_IN
from companion.web.shell.text import requirement

Refuse = Callable[[Exception], Any]
"""A function that answers an error."""


def init_app(app: Flask) -> None:
    """Answer every error with a page of ours, or a program in the form that it reads."""
    answers: dict[type[Exception], Callable[[Any], Any]] = {
        CSRFError: _answer_expired_form,
        Unreadable: _answer_unreadable,
        RuleViolation: _answer_rule_violation,
        StaleWrite: _answer_stale_write,
        StoreUnavailable: _answer_unavailable,
        DeletedMatch: _answer_deleted,
        NoSuchMatch: lambda error: _answer_http_error(NotFound()),
        NoSuchEntry: lambda error: _answer_http_error(NotFound()),
        NotTheWriter: _answer_not_the_writer,
        TooMany: _answer_too_many,
        TooOften: _answer_too_often,
        SecurityError: _answer_refused_host,
        UnknownBrowser: _answer_unknown_browser,
        RequestEntityTooLarge: answer_too_large,
        RequestURITooLarge: _answer_too_long,
        HTTPException: _answer_http_error,
        Exception: _answer_own_fault,
    }
    app.extensions["programs"] = {}
    for kind, answer in answers.items():
        app.register_error_handler(kind, _answer_programs_by(answer))


def refuse_programs(app: Flask, path: str, refuse: Refuse) -> None:
    """Answer errors at this path and below it with `refuse`: programs ask there, not people."""
    app.extensions["programs"][path] = refuse


def find_refusal() -> Refuse | None:
    """The function that answers errors to the program that asks; None for pages."""
    programs: dict[str, Refuse] = current_app.extensions["programs"]
    asked = f"{request.path}/"
    return next((refuse for path, refuse in programs.items() if asked.startswith(f"{path}/")), None)


class TooOften(Exception):
    """More requests than a limit allows: a title, the limit, what to do, and the seconds to wait."""

    def __init__(self, title: str, why: str, advice: str, wait: int) -> None:
        self.title, self.why, self.text, self.wait = title, why, f"{why} {advice}", wait
        super().__init__(self.text)


def refuse_plainly(key: str) -> Refuse:
    """Make a function that answers errors with JSON: a sentence under this key says what is wrong."""

    def refuse(error: Exception) -> Response:
        status, text, wait = 500, " ".join(describe_fault()), None
        match error:
            case TooOften():
                status, text, wait = 429, error.text, error.wait
            case SecurityError():
                status, text = 400, " ".join(describe_refused_host())
            case HTTPException():
                status, text = error.code or 500, error.description or error.name
            case _:
                log_fault()
        response = jsonify({key: text})
        response.status_code = status
        response.headers["Cache-Control"] = "no-store"
        if wait is not None:
            response.headers["Retry-After"] = str(wait)
        return add_headers(response, error)

    return refuse


def add_headers(response: Response, error: Exception) -> Response:
    """Add the other headers of an HTTP error to the answer, such as the methods that are allowed."""
    if isinstance(error, HTTPException):
        for name, value in error.get_headers():
            if name not in ("Content-Type", "Content-Length"):
                response.headers[name] = value
    return response


def _answer_programs_by(answer: Callable[[Any], Any]) -> Refuse:
    def answer_error(error: Exception) -> Any:
        refuse = find_refusal()
        is_redirect = isinstance(error, HTTPException) and (error.code or 500) < 400
        return answer(error) if refuse is None or is_redirect else refuse(error)

    return answer_error


def error_page(status: int, title: str, text: str, **more: Any) -> tuple[str, int]:
    """Render an error page: one line says what is wrong, another what would be right."""
    return render_template("shell/error.html", title=title, text=text, status=status, **more), status


def page_to_try_again(status: int, title: str, text: str, wait: int, why: str = "") -> Response:
    """Render the page for a passing refusal: the same request can be sent again, with all that was typed.

    `wait` is the number of seconds that a program should wait before that; `why` is what the outbox of a
    phone shows beside the waiting request.
    """
    typed = list(request.form.items(multi=True))
    if request.method == "POST":
        reassurance = _("Nothing was saved yet; this page keeps what you typed, and sends it again.")
        text = f"{text} {reassurance}".strip()
    again = request.script_root + request.full_path
    page = error_page(status, title, text, match=g.get("match"), again=again, typed=typed, why=why)
    response = current_app.make_response(page)
    response.headers["Retry-After"] = str(wait)
    response.headers["Cache-Control"] = "no-store"
    return response


def _answer_too_often(error: TooOften) -> Response | tuple[str, int]:
    try:
        return page_to_try_again(429, error.title, error.text, error.wait, error.why)
    except RequestEntityTooLarge as too_large:  # what was typed is read for this page only
        return answer_too_large(too_large)


def _answer_unavailable(error: StoreUnavailable) -> Response:
    current_app.logger.warning("the store is unavailable: %s", error)
    match error.reason:
        case "full":
            title = _("The server has no space left")
            text = _("Whoever runs it has to free some space on its disk.")
        case "busy":
            title, text = _("The server is busy"), _("Wait a moment.")
        case _:
            title = _("The matches cannot be reached")
            text = _("The database does not answer. Wait a moment.")
    return page_to_try_again(503, title, text, wait=10)


def _answer_expired_form(error: CSRFError) -> tuple[str, int]:
    if not request.cookies:
        return error_page(
            400, _("This browser sent no cookie"), f"{_('Nothing was saved.')} {say_cookies_needed()}"
        )
    return error_page(
        400,
        _("This form is no longer valid"),
        _("Nothing was saved. Go back, reload the page and send it again; cookies must be allowed."),
    )


def say_cookies_needed() -> str:
    """Explain that nothing can be written without a cookie."""
    return str(
        _(
            "A match belongs to the browser it was started in, which is recognised by a cookie: "
            "allow this site to keep cookies, then send the form again."
        )
    )


def _answer_unknown_browser(error: UnknownBrowser) -> tuple[str, int]:
    return error_page(403, say_who_is_unknown(), _("Nothing was saved."))


def say_who_is_unknown() -> str:
    """Say that this browser was signed out, or cannot be recognised."""
    if browser.identity().signed_out is not None:
        return str(_("This phone was signed out."))
    return str(_("This browser cannot be recognised."))


def _answer_deleted(error: DeletedMatch) -> Any:
    """Tell participants that it was deleted, and the owner where it is; others get 404.

    So does the owner once it is erased, which a phone without network shows before the server knows.
    """
    who = browser.known_token()
    is_mine = who == error.owner
    is_erased = is_mine and error.id not in {match.id for match in matches().trash.list_deleted(who)}
    if is_erased or not matches().trash.took_part(error, who):
        return _answer_http_error(NotFound())
    text = (
        _("It is among your deleted matches, and can be brought back from there.")
        if is_mine
        else _("Whoever keeps the score has deleted it, and can bring it back for some days.")
    )
    return error_page(410, _("This match was deleted"), text, is_deleted=is_mine)


def _answer_not_the_writer(error: NotTheWriter) -> tuple[str, int]:
    """Answer with a page; a script shows it on top of its own page, which keeps what was typed."""
    match: Match | None = g.get("match")
    title, text = _describe_refusal(None if match is None else access(match))
    return error_page(403, title, text, match=match, note=_say_what_stays())


def _say_what_stays() -> str:
    """Say that nothing was saved, and where the typed text still is; empty if nothing was sent."""
    if request.method != "POST":
        return ""
    typed = request.endpoint in TYPED_IN
    in_place = "X-Script" in request.headers or "X-Part" in request.headers
    if typed and in_place:
        return _("Nothing was saved. What you typed is still here.")
    if typed:
        return _("Nothing was saved. Go back: what you typed is still there.")
    return _("Nothing was saved.")


def _describe_refusal(may: Access | None) -> tuple[str, str]:
    """Explain why this access does not allow the request, in players' words."""
    if may is None or not may.takes_part:
        return (
            _("This phone can only watch"),
            _(
                "It can see everything but write nothing. Whoever keeps the score can allow more: "
                "under “Second phone” on their scoreboard."
            ),
        )
    if may.may_record:
        return (
            _("Only the phone the match began on can do this"),
            _("It can add and remove phones, hand over the pencil, archive the match and delete it."),
        )
    return (
        _("This phone does not have the pencil"),
        _("It may have been taken back. Whoever keeps the score can hand it over again."),
    )


def _answer_unreadable(error: Unreadable) -> tuple[str, int]:
    is_address = request.method == "GET"
    text = _("The address may be mistyped or out of date.") if is_address else _("Nothing was saved.")
    detail = requirement(error) if isinstance(error, MissingSeq) else str(error)
    return error_page(400, _("This could not be read"), text, detail=detail, match=g.get("match"))


def _answer_rule_violation(error: RuleViolation) -> tuple[str, int]:
    return error_page(422, _("This breaks a rule"), _("Nothing was saved."), problems=error.problems)


def _answer_stale_write(error: StaleWrite) -> tuple[str, int]:
    return error_page(
        409,
        _("The match has moved on."),
        _("Somebody has changed it since this page was opened. Check it, then save again."),
        changes=error.events,
        match=g.get("match"),
    )


def _answer_too_many(error: TooMany) -> tuple[str, int]:
    match = g.get("match")
    note = _say_what_stays() if match is not None else ""
    return error_page(422, _("Limit reached"), say_too_many(error), match=match, note=note)


def say_too_many(error: TooMany) -> str:
    """Say how many there can be, and what to do then."""
    most, n = error.most, format_decimal(error.most)
    text: str = {
        "links": ngettext(
            "A match has at most %(n)s link; revoke one that nobody needs any more.",
            "A match has at most %(n)s links; revoke one that nobody needs any more.",
            most,
            n=n,
        ),
        "tokens": ngettext(
            "There can be at most %(n)s token; revoke one that nothing needs any more.",
            "There can be at most %(n)s tokens; revoke one that nothing needs any more.",
            most,
            n=n,
        ),
        "phones": _("%(n)d phones already take part; the scorekeeper can remove one of them.", n=most),
        "remarks": _("This side has already commented on this entry %(n)d times.", n=most),
        "rulings": ngettext(
            "A match has at most %(n)s ruling.", "A match has at most %(n)s rulings.", most, n=n
        ),
        "entries": ngettext(
            "A match has at most %(n)s entry: continue in a new one.",
            "A match has at most %(n)s entries: continue in a new one.",
            most,
            n=n,
        ),
        "changes": ngettext(
            "The history of a match has at most %(n)s change: continue in a new one.",
            "The history of a match has at most %(n)s changes: continue in a new one.",
            most,
            n=n,
        ),
        "sidelines": ngettext(
            "The history of this match has %(n)s change; the room that is left is reserved for entries.",
            "The history of this match has %(n)s changes; the room that is left is reserved for entries.",
            most,
            n=n,
        ),
    }[error.what]
    return text


def _answer_refused_host(error: SecurityError) -> tuple[str, int]:
    return error_page(400, *describe_refused_host())


def describe_refused_host() -> tuple[str, str]:
    """The title and text for a request to another host."""
    return (
        _("This site goes by another name"),
        _("The name in the address cannot be read, or is not one that this server answers to."),
    )


def _answer_http_error(error: HTTPException) -> Any:
    code = error.code or 500
    if code < 400:
        return error
    match = _find_match() if code == 404 else None
    title, text = {
        400: (_("This could not be read"), _("Something in the request is wrong.")),
        404: _describe_missing_page(match),
        405: (_("Method not allowed"), _("Open the page itself and use its form.")),
    }.get(code, (_("This request failed"), error.name))
    return add_headers(current_app.make_response(error_page(code, title, text, match=match)), error)


def _find_match() -> Match | None:
    """The match whose page is missing, or None."""
    found: Match | None = g.get("match")
    id = re.search(r"/m/([^/]+)/", request.path)
    if found is None and id is not None:
        with suppress(NoSuchMatch, DeletedMatch, StoreUnavailable):
            found = matches().open(id[1])
    return found


def _describe_missing_page(match: Match | None) -> tuple[str, str]:
    if "/m/" in request.path and match is None:
        return (
            _("Match not found"),
            _(
                "Its address is long and every letter counts: part of it may have been cut off or mistyped. "
                "Scan the code on the scoreboard or the sheet again."
            ),
        )
    if "/r/" in request.path:
        return (_("Ruling not found"), _("Its address is long and every letter counts: ask for it again."))
    return _("Page not found"), _("The address may be mistyped or out of date.")


def _answer_own_fault(error: Exception) -> tuple[str, int]:
    if current_app.debug:
        raise error
    log_fault()
    try:
        return error_page(500, *describe_fault())
    except Exception:
        current_app.logger.exception("the error page")
        text = "Something went wrong on our side. Everything saved so far is safe."
        return f"<!doctype html><title>500</title><p>{text}", 500


def describe_fault() -> tuple[str, str]:
    """The title and text for a fault of the server."""
    return (
        _("Something went wrong on our side"),
        _("Everything saved so far is safe. Try again; if it happens again, note what you did last."),
    )


def log_fault() -> None:
    """Log the exception that is being handled, with its request."""
    # Quoted as by Python: a line break in an address begins no line of the log.
    fields = {"event": "fault", **describe_request()}
    current_app.logger.exception("%s %r", request.method, _path_without_secret(), extra={"fields": fields})


def _path_without_secret() -> str:
    """The requested path with its secret removed."""
    secret = str((request.view_args or {}).get("secret", ""))
    return request.path.replace(secret, "…") if secret else request.path


def answer_too_large(error: RequestEntityTooLarge) -> tuple[str, int]:
    """Refuse a request that is too large, and say how much may be sent."""
    most, length = request.max_content_length, request.content_length
    if most is not None and (length is None or length > most):
        text = _("At most %(size)s can be sent at once.", size=_say_size(most))
    else:
        text = _(
            "A form has at most %(n)d fields and %(size)s of text.",
            n=request.max_form_parts,
            size=_say_size(request.max_form_memory_size or 0),
        )
    return error_page(413, _("This is too large"), f"{text} {_('Nothing was saved.')}")


def _answer_too_long(error: RequestURITooLarge) -> tuple[str, int]:
    return error_page(414, *describe_too_long())


def describe_too_long() -> tuple[str, str]:
    """The title and text for an address that is too long."""
    text = _(
        "An address has at most %(size)s; this one may have been put together wrongly.",
        size=_say_size(MAX_ADDRESS),
    )
    return _("This address is too long"), text


def _say_size(size: int) -> str:
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size // 1000} kB"
