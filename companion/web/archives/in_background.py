"""What pages do aside of requests: in trays of this app, with its matches at hand."""

from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, current_app
from flask_babel import gettext as _

from companion.web.shell import errors
from companion.web.shell.security import browser

from .job_files import Course, Progress, Tray, Trays
from .subprocesses import AppFactory, Deed, do_elsewhere

PATIENCE = 0.7
"""Seconds that a request waits for a deed: what is done by then needs no page that says how far it is."""


def init_app(app: Flask, create_app: AppFactory) -> None:
    """Keep the trays in the app's folder; `create_app` makes an app like this one for another process."""
    app.extensions["trays"] = Trays(Path(app.instance_path) / "trays")
    app.extensions["create_app"] = create_app


def trays() -> Trays:
    """The trays of this app."""
    kept: Trays = current_app.extensions["trays"]
    return kept


def find_tray(kind: str, key: str, says: str) -> tuple[Tray, str]:
    """The tray of this browser with this key, in which `says` was written; and whose it is.

    :raises NotFound: when there is none.
    """
    owner = browser.known_token()
    tray = trays().find(kind, owner, key)
    if owner is None or tray is None or tray.read(says) is None:
        abort(404)
    return tray, owner


def begin(
    tray: Tray, name: str, deed: Deed, *arguments: Any, is_long: bool = False, patience: float = 0
) -> Course:
    """Begin a deed with the app at hand, unless it is done or under way; how far it is.

    The tray is its first argument, the last one tells how far it is. One that `is_long` is done by another
    process.

    :raises NoRoom: when too many wait for their turn.
    """
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # of a proxy

    def work(progress: Progress) -> Any:
        try:
            if is_long:
                return do_elsewhere(app, app.extensions["create_app"], deed, (tray, *arguments), progress)
            with app.app_context():
                return deed(tray, *arguments, progress)
        except Exception:
            app.logger.exception("what was done aside: %s", name)
            raise

    return trays().begin(tray, name, work, patience)


def busy_page() -> Response:
    """That so much is under way that this has to wait."""
    return errors.unavailable_page(
        _("Too much is under way"),
        _("Many files are being made or imported. Wait a minute, then try again; nothing is lost."),
        wait=60,
    )
