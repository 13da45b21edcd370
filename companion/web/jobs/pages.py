"""What a page says of heavy work: how far it is, looking again by itself; or why there is no answer."""

from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

from flask import Flask, Response, current_app, g, render_template, request
from flask_babel import gettext as _
from flask_babel import ngettext

from companion.jobs import (
    AskedTooMuch,
    Dispatcher,
    NoAnswer,
    NotTaken,
    OutOfMemory,
    TookTooLong,
    UnderWay,
    WorkerLimits,
)
from companion.web.shell.errors import page_to_try_again, unavailable_page
from companion.web.shell.security import browser

_SOONEST, _LATEST = 1, 4
"""Seconds after which a page looks again: soon at first, then less often."""


def init_app(app: Flask) -> None:
    """Find the dispatcher in the instance folder, and answer what it may say."""
    limits = WorkerLimits(workers=app.config["WORKERS"])
    app.extensions["desk"] = Dispatcher(Path(app.instance_path) / "answers", limits)
    app.extensions["worker_limits"] = limits
    app.register_error_handler(UnderWay, _answer_under_way)
    app.register_error_handler(NotTaken, _answer_refused)
    app.register_error_handler(NoAnswer, _answer_nothing)


def _answer_under_way(error: UnderWay) -> Response:
    progress = error.progress
    wait = max(_SOONEST, min(_LATEST, round(progress.seconds / 4)))
    if request.method == "POST":
        return unavailable_page(_("The answer is still being worked out"), "", wait=wait)
    with suppress(browser.UnknownBrowser):
        browser.token()  # it has a share of its own from now on
    g.seen = None  # there is nothing yet that could be followed
    g.pop("shared_as", None)
    page = render_template(
        "shell/under_way.html",
        subject=g.get("heavy_subject", ""),
        progress=progress,
        wait=wait,
        match=g.get("match"),
        address=(request.script_root + request.full_path).rstrip("?"),
        before=_find_form(),
    )
    response = current_app.make_response((page, 202))
    response.headers["Refresh"] = response.headers["Retry-After"] = str(wait)
    response.headers["Cache-Control"] = "no-store"
    return response


def _find_form() -> str:
    """The address of the form with what was asked in it; empty where no form was sent."""
    if "asked" not in request.args:
        return ""
    pairs = [(name, value) for name, value in request.args.items(multi=True) if name != "asked"]
    return current_app.url_for(str(request.endpoint), **(request.view_args or {})) + "?" + urlencode(pairs)


def _answer_refused(error: NotTaken) -> Response:
    wait = _describe_wait(error.wait)
    if isinstance(error, AskedTooMuch):
        title, status = _("This phone has asked a lot"), 429
        text = _("It gets the next answer when it has those that it has asked for.")
    else:
        title, status = _("The server is busy"), 503
        text = _("Much is being worked out for others just now.")
    if request.method == "POST":
        return page_to_try_again(status, title, f"{text} {wait}", wait=error.wait)
    kept = _("What you asked is in the address of this page, which tries again by itself.")
    response = page_to_try_again(status, title, f"{text} {wait} {kept}", wait=error.wait)
    response.headers["Refresh"] = str(error.wait)
    return response


def _answer_nothing(error: NoAnswer) -> Response:
    current_app.logger.warning("heavy work without an answer: %s", type(error).__name__)
    limits: WorkerLimits = current_app.extensions["worker_limits"]
    match error:
        case TookTooLong():
            seconds = round(limits.worker_seconds)
            title = _("This takes too long")
            text = ngettext(
                "The server gave up after %(num)s second; it may have much to do. Try again later.",
                "The server gave up after %(num)s seconds; it may have much to do. Try again later.",
                seconds,
            )
        case OutOfMemory():
            title = _("There is too little memory for this")
            text = _(
                "It needs more than one piece of work is given here. Whoever runs the server can allow more."
            )
        case _:
            title = _("The work was interrupted")
            text = _("The server ran out of memory, or was interrupted. Wait a moment.")
    return unavailable_page(title, text, wait=error.wait)


def _describe_wait(wait: int) -> str:
    """In how many seconds something may be asked again."""
    return ngettext("Try again in %(num)s second.", "Try again in %(num)s seconds.", wait)
