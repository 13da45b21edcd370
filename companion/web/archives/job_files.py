"""Uploaded and generated files of this app, and the actions on them: short ones are done at once."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, current_app, g, request
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from companion.jobs import Job, JobFiles, JobFilesStore, NotTaken, UnderWay
from companion.web.shell import errors, jobs
from companion.web.shell.security import browser

AppFactory = Callable[[dict[str, Any]], Flask]
"""A function of a module that creates an app from its settings."""
Action = Callable[..., Any]
"""A function of a module. The files are its first argument, a `ReportProgress` the last; it returns JSON."""

_FOLDER = "trays"
"""The name of the folder for them, the same since the first version."""
_SETTINGS = ("DATABASE", "SECRET_KEY", "SECRET_KEY_FALLBACKS", "HOST_FILES")


def init_app(app: Flask, folder: Path, create_app: AppFactory | None = None) -> None:
    """Store files in a folder; `create_app` creates an app like this one for a worker, if there are any."""
    app.extensions["job_files"] = JobFilesStore(folder / _FOLDER)
    app.extensions["create_app"] = create_app


def job_files() -> JobFilesStore:
    """The files of all jobs of this app."""
    store: JobFilesStore = current_app.extensions["job_files"]
    return store


def find_files(kind: str, key: str, name: str) -> tuple[JobFiles, str]:
    """The files of this browser with this key, among which `name` was written; and their owner.

    :raises NotFound: if there are no such files.
    """
    owner = browser.known_token()
    files = job_files().find(kind, owner, key)
    if owner is None or files is None or files.read(name) is None:
        abort(404)
    return files, owner


def run_job(files: JobFiles, name: str, action: Action, *arguments: Any, is_short: bool, subject: str) -> Any:
    """Run an action on files once, under its `name`; return its result, None if it failed.

    A worker, if there is any, runs one that is not short; `subject` names it on the page that waits for it.

    :raises UnderWay, NotTaken: if it is not finished yet.
    :raises FileNotFoundError: if the files were discarded meanwhile, or made room for others of this browser;
        see `answer_missing`.
    """
    g.job_subject = subject
    given = (action, files, name, arguments)
    make_app = current_app.extensions["create_app"]
    try:
        if is_short or make_app is None:
            result = jobs.dispatcher().do_now(Job(name, _act, given, files.path))
        else:
            settings = {key: current_app.config[key] for key in _SETTINGS}
            settings |= {"INSTANCE": current_app.instance_path, "DATABASE_EXISTS": True}
            result = jobs.ask(Job(name, _act_in_worker, (make_app, settings, *given), files.path), subject)
    except (UnderWay, NotTaken):
        raise
    except Exception:
        if files.path.is_dir():
            current_app.logger.exception("a job failed: %s", name)
        result = b"null"
    if not files.path.is_dir():
        raise FileNotFoundError(files.path)
    return json.loads(result)


def find_outcome(files: JobFiles, name: str) -> Any:
    """The result of an action; None if it is unfinished, or failed."""
    with suppress(Exception):  # what the action raised
        result = files.results.find(name)
        return None if result is None else json.loads(result)
    return None


def answer_missing(error: FileNotFoundError) -> Any:
    """Answer that files are gone: with 404, or after a POST that they made room for others."""
    return busy_page() if request.method == "POST" else current_app.handle_user_exception(NotFound())


def busy_page() -> Response:
    """Answer that there is no room for more files."""
    return errors.page_to_try_again(
        503,
        _("Too many jobs are running"),
        _("Many files are being made or imported. Wait a minute, then try again; nothing is lost."),
        wait=60,
    )


def _act(action: Action, files: JobFiles, name: str, arguments: tuple[Any, ...]) -> bytes:
    return json.dumps(action(files, *arguments, files.report_progress(name))).encode()


def _act_in_worker(make_app: AppFactory, settings: dict[str, Any], *given: Any) -> bytes:
    app = make_app(settings)
    with app.app_context():
        try:
            return _act(*given)
        finally:
            app.extensions["sqlalchemy"].engine.dispose()  # the process lives on, its connections do not
