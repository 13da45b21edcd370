"""Importing matches: files are uploaded, their content is shown, and only then something is imported.

Files are stored until they are discarded, a day at most. What is refused is listed with its place in the file
and the reason; all else of the same file is imported.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import NotFound, RequestEntityTooLarge
from werkzeug.wrappers import Response

from companion.jobs import JobFiles, NoRoom, NotTaken, UnderWay
from companion.web.shell.errors import say_cookies_needed
from companion.web.shell.hosts import current_host
from companion.web.shell.security import browser, headers

from .actions import NAMES, import_files, list_files, look_through
from .job_files import answer_missing, busy_page, find_files, find_outcome, job_files, run_job

bp = Blueprint("importing", __name__)
bp.register_error_handler(FileNotFoundError, answer_missing)

MAX_BYTES = 20 * 1024 * 1024
"""The most bytes of all files that are sent at once."""
MAX_FILES = 20
_KIND, _LOOKED, _WANTED, _TAKEN = "import", "looked", "wanted", "taken"
_LITTLE = 100_000
"""The most bytes that are read at once; more are read by a worker."""
_SHOWN = 50
"""The most matches of each sort that a page lists."""


@bp.get("/import")
def choose() -> str:
    """Show the form for files; `again` if files that were shared with the app did not arrive."""
    return _show_form(_("The file did not arrive: choose it here.") if "again" in request.args else "")


def _show_form(error: str = "") -> str:
    if not browser.identity().is_unreadable:
        browser.token()  # known from now on, so that what is sent has an owner
    return render_template("archives/choose.html", error=error, most=MAX_BYTES // 1024**2)


@bp.post("/import")
def send() -> Response | str | tuple[str, int]:
    """Store the uploaded files and look through them; nothing is imported yet."""
    request.max_content_length = MAX_BYTES + 64 * 1024  # the form around the files
    try:
        refusal = _refuse_browser()
        chosen = [file for file in request.files.getlist("file") if file.filename]
    except RequestEntityTooLarge:
        return _show_form(_say_too_large()), 413
    if refusal:
        return _show_form(refusal), 400
    if not chosen:
        return _show_form(_("Choose a file first.")), 400
    if len(chosen) > MAX_FILES:
        return _show_form(_("At most %(n)d files at once.", n=MAX_FILES)), 400
    owner = browser.token()
    try:
        files = job_files().create(_KIND, owner)
    except NoRoom:
        return busy_page()
    files.write(NAMES, _store(files, chosen))
    with suppress(UnderWay, NotTaken):  # the page says so
        _look(files, owner)
    return redirect(url_for("importing.look", key=files.key), 303)


@bp.post("/import/shared")
def receive_shared() -> Response:
    """Ask again for a shared file that the service worker did not put into the form.

    Such a request carries no token of ours, so nothing in it is read.
    """
    return redirect(url_for("importing.choose", again=1), 303)


def _refuse_browser() -> str:
    """The reason why this browser cannot import anything, for the form; empty if it can."""
    if not headers.is_form_ours():
        if request.cookies:
            return _("This form is no longer valid; choose the file again.")
        return say_cookies_needed()
    if browser.identity().is_unreadable:
        return _("This browser cannot be recognised.")
    return "" if browser.known_token() is not None else say_cookies_needed()


def _say_too_large() -> str:
    return _(
        "That is too large: at most %(n)d MB can be sent at once. Send fewer files, or a smaller ZIP file.",
        n=MAX_BYTES // 1024**2,
    )


def _store(files: JobFiles, chosen: Iterable[FileStorage]) -> list[str]:
    """Store uploaded files; return their names."""
    names = []
    for n, upload in enumerate(chosen):
        with files.open(f"file-{n}") as file:
            upload.save(file)
        names.append(PurePath((upload.filename or "").replace("\\", "/")).name[:120])
    return names


# --- what is in them ---------------------------------------------------------------------------------


@bp.get("/import/<key>")
def look(key: str) -> str:
    """Show the content of the files, and what importing them would do, or has done."""
    files, owner = _find(key)
    outcome = _look(files, owner)
    is_taking = outcome is not None and files.read(_WANTED) is not None
    if is_taking:
        outcome = _take(files, owner, outcome)
    return render_template(
        "archives/look.html",
        key=key,
        names=files.read(NAMES),
        is_failed=outcome is None,
        is_taking=is_taking,
        lines=[line for of_file in outcome or () for line in of_file],
        shown=_SHOWN,
    )


@bp.post("/import/<key>")
def take(key: str) -> Response:
    """Import the content of the files, as far as possible; nothing is imported twice."""
    files, owner = _find(key)
    looked = find_outcome(files, _LOOKED)
    if looked is not None:
        files.write(_WANTED, True)
        with suppress(UnderWay, NotTaken):
            _take(files, owner, looked)
    return redirect(url_for("importing.look", key=key), 303)


@bp.post("/import/<key>/again")
def again(key: str) -> Response:
    """Try again after a fault of the server."""
    files, _owner = find_files(_KIND, key, NAMES)
    for job in (_LOOKED, _TAKEN):
        files.results.forget_error(job)
    return redirect(url_for("importing.look", key=key), 303)


@bp.post("/import/<key>/discard")
def discard(key: str) -> Response:
    """Discard the files; the matches that were imported stay."""
    files, _owner = find_files(_KIND, key, NAMES)
    files.remove()
    flash(_("The file was discarded; nothing was imported."))
    return redirect(url_for("importing.choose"), 303)


def _find(key: str) -> tuple[JobFiles, str]:
    """The files with this key, and their owner; a phone that was stopped has lost them, and asks again."""
    try:
        return find_files(_KIND, key, NAMES)
    except NotFound:
        if not current_host().is_phone:
            raise
        abort(redirect(url_for("importing.choose", again=1), 303))


def _look(files: JobFiles, owner: str) -> Any:
    subject = _("The file is being read")
    return run_job(files, _LOOKED, look_through, owner, is_short=_is_short(files), subject=subject)


def _take(files: JobFiles, owner: str, looked: Any) -> Any:
    subject = _("The matches are being imported")
    return run_job(files, _TAKEN, import_files, owner, looked, is_short=_is_short(files), subject=subject)


def _is_short(files: JobFiles) -> bool:
    """True if the files are small enough to be read at once."""
    return sum(place.stat().st_size for place, _name in list_files(files)) <= _LITTLE
