"""Jobs for pages: asked for here; one page shows how far a job is, or why there is no result."""

import json
import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from flask import Flask, Response, current_app, g, render_template, request
from flask_babel import gettext as _
from flask_babel import ngettext

from companion.jobs import (
    AskedTooMuch,
    Dispatcher,
    Job,
    NoAnswer,
    NotTaken,
    OutOfMemory,
    TookTooLong,
    UnderWay,
    WorkerLimits,
    address_group,
    compute_key,
)
from companion.library import Game
from companion.library.other_tables import (
    HeavyRuling,
    JudgedQuestion,
    is_heavy,
    judge_everywhere,
    judge_question,
)
from companion.rules.question import Question
from companion.rules.ruling import Ruling

from .errors import page_to_try_again
from .security import browser

_MIN_WAIT, _MAX_WAIT = 1, 4
"""Seconds until a page looks again: few at first, then more."""


def init_app(app: Flask) -> None:
    """Run jobs in worker processes, and answer for jobs without a result."""
    limits = WorkerLimits(workers=app.config["WORKERS"])
    app.extensions["dispatcher"] = Dispatcher(Path(app.instance_path) / "answers", limits)
    app.extensions["worker_limits"] = limits
    app.register_error_handler(UnderWay, _answer_under_way)
    app.register_error_handler(NotTaken, _answer_refused)
    app.register_error_handler(NoAnswer, _answer_nothing)


WAITED = "waited"
"""The parameter with which the page of a file that is being made looks again."""


def ask(job: Job, subject: str, is_file: bool = False) -> bytes:
    """The result of a job; `subject` names the job on a page that has to wait.

    A page that waits for a file stays when the file is downloaded, so it looks again by another address,
    which says that the file is ready and leads to it.

    :raises UnderWay, NotTaken, NoAnswer: like `Dispatcher.ask`; each has a page.
    """
    g.job_subject, g.job_makes_file = subject, is_file
    who = f"token {g.api_token.id}" if "api_token" in g else browser.known_token()
    return dispatcher().ask(job, who or address_group(str(request.remote_addr)))


def dispatcher() -> Dispatcher:
    """The dispatcher of this app."""
    found: Dispatcher = current_app.extensions["dispatcher"]
    return found


def prepare(function: Callable[[], bytes]) -> None:
    """Let a worker get ready for a coming job, without waiting for it."""
    dispatcher().prepare(function)


def edition() -> str:
    """The version of the app, on which results depend besides the question."""
    version: str = current_app.extensions["files"].version
    return version


# --- rulings -----------------------------------------------------------------------------------------


def judge(
    game: Game, question: Question, facts: object, asked: Mapping[str, Any], title: str
) -> JudgedQuestion:
    """Rule on the parsed facts of a question, and compare other tables; `asked` holds the facts as JSON.

    :raises Unreadable: if the facts contradict each other.
    """
    if not question.heavy(facts):
        return judge_question(game, question.name, facts, asked)
    found = _ask_worker(game, {"question": question.name, **asked}, True, title)
    return JudgedQuestion(game, found.get_ruling(), facts, asked, found.options_read, found.other_rulings)


def rule(game: Game, asked: Mapping[str, Any], title: str) -> Ruling:
    """Rule on a request of JSON: a question's name and its facts.

    :raises Unreadable: if they do not fit.
    """
    if not is_heavy(game, asked):
        ruling: Ruling = game.family.rule(asked)
        return ruling
    return _ask_worker(game, asked, False, title).get_ruling()


def _ask_worker(game: Game, asked: Mapping[str, Any], everywhere: bool, title: str) -> HeavyRuling:
    facts = json.dumps([game.agreed, asked, everywhere], sort_keys=True)
    key = compute_key("ruling", edition(), facts)
    found: HeavyRuling = pickle.loads(
        ask(Job(key, judge_everywhere, (*game.agreed, dict(asked), everywhere)), title)
    )
    return found


# --- pages -------------------------------------------------------------------------------------------


def _answer_under_way(error: UnderWay) -> Response:
    progress = error.progress
    wait = max(_MIN_WAIT, min(_MAX_WAIT, round(progress.seconds / 4)))
    if request.method == "POST":
        return page_to_try_again(503, _("The answer is still being worked out"), "", wait=wait)
    with suppress(browser.UnknownBrowser):
        browser.token()  # it has a share of its own from now on
    g.seen = None  # there is nothing yet that could be followed
    g.pop("shared_as", None)
    page = render_template(
        "shell/under_way.html",
        subject=g.get("job_subject", ""),
        progress=progress,
        wait=wait,
        match=g.get("match"),
        address=address_now(waited=True) if g.get("job_makes_file") else address_now(),
        before=_find_form(),
    )
    response = current_app.make_response((page, 202))
    response.headers["Refresh"] = response.headers["Retry-After"] = str(wait)
    if g.get("job_makes_file"):
        response.headers["Refresh"] = f"{wait}; url={address_now(waited=True)}"
    response.headers["Cache-Control"] = "no-store"
    return response


def address_now(waited: bool = False) -> str:
    """The address of this request, for a page that waited for its file or for the file."""
    pairs = [(name, value) for name, value in request.args.items(multi=True) if name != WAITED]
    query = urlencode([*pairs, *([(WAITED, "1")] if waited else [])])
    return request.script_root + request.path + (f"?{query}" if query else "")


def _find_form() -> str:
    """The address of the form with the facts entered in it; empty if no form was sent."""
    if "asked" not in request.args:
        return ""
    pairs = [(name, value) for name, value in request.args.items(multi=True) if name != "asked"]
    return current_app.url_for(str(request.endpoint), **(request.view_args or {})) + "?" + urlencode(pairs)


def _answer_refused(error: NotTaken) -> Response:
    again = ngettext("Try again in %(num)s second.", "Try again in %(num)s seconds.", error.wait)
    if isinstance(error, AskedTooMuch):
        title, status = _("Too many pending questions"), 429
        text = _("Its next question is answered when the earlier ones are.")
    else:
        title, status = _("The server is busy"), 503
        text = _("Many other questions are being worked out just now.")
    if request.method == "POST":
        return page_to_try_again(status, title, f"{text} {again}", wait=error.wait)
    reassurance = _("What you asked is in the address of this page, which tries again by itself.")
    response = page_to_try_again(status, title, f"{text} {again} {reassurance}", wait=error.wait)
    response.headers["Refresh"] = str(error.wait)
    return response


def _answer_nothing(error: NoAnswer) -> Response:
    current_app.logger.warning("a job without a result: %s", type(error).__name__)
    limits: WorkerLimits = current_app.extensions["worker_limits"]
    match error:
        case TookTooLong():
            seconds = round(limits.worker_seconds)
            title = _("This takes too long")
            text = ngettext(
                "The server gave up after %(num)s second; it may be busy. Try again later.",
                "The server gave up after %(num)s seconds; it may be busy. Try again later.",
                seconds,
            )
        case OutOfMemory():
            title = _("There is too little memory for this")
            text = _("It needs more memory than one job may use.")
        case _:
            title = _("The work was interrupted")
            text = _("The server ran out of memory, or was interrupted. Wait a moment.")
    return page_to_try_again(503, title, text, wait=error.wait)
