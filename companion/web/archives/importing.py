"""Taking matches in: files are chosen, one sees what is in them, and only then something is taken.

A file lies in a tray until it is taken or thrown away, a day at most. What is refused is told with its place
in the file and the reason; all else of the same file is taken.
"""

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response

from companion.web.shell.errors import say_cookies_needed
from companion.web.shell.security import browser, tokens

from .actions import NAMES, list_files, look_through, take_found
from .found import ImportLine
from .in_background import PATIENCE, begin, busy_page, find_tray, trays
from .job_files import Course, NoRoom, Tray

bp = Blueprint("importing", __name__)

MAX_BYTES = 20 * 1024 * 1024
"""Of all files that are sent at once."""
MAX_FILES = 20
_KIND, _LOOKED, _WANTED, _TAKEN = "import", "looked", "wanted", "taken"
_LITTLE = 100_000
"""Bytes of files that are read at once."""
_SHOWN = 50
"""Matches of which a page tells; of what is refused it tells all, as far as that."""


@bp.get("/import")
def choose() -> str:
    """The form for files. `again`: they were shared with the app, and did not arrive."""
    return _show_form(_("The file was not handed over: choose it here.") if "again" in request.args else "")


def _show_form(error: str = "") -> str:
    if not browser.identity().is_unreadable:
        browser.token()  # known from now on, so that what is sent has an owner
    return render_template("archives/choose.html", error=error, most=MAX_BYTES // 1024**2)


@bp.post("/import")
def send() -> Response | str | tuple[str, int]:
    """Lay the files in a tray and look what is in them. Nothing is taken yet."""
    request.max_content_length = MAX_BYTES + 64 * 1024  # what stands around the files
    try:
        refusal = _refuse_browser()
        chosen = [one for one in request.files.getlist("file") if one.filename]
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
        tray = trays().lay_out(_KIND, owner)
        tray.write(NAMES, _lay_in(tray, chosen))
        _look(tray, owner, PATIENCE)
    except NoRoom:
        return busy_page()
    return redirect(url_for("importing.look", key=tray.key), 303)


@bp.post("/import/shared")
def receive_shared() -> Response:
    """A file that was shared with the app, and that its worker did not take to the form: it is asked for.

    Such a request carries no token of ours, so nothing in it is read.
    """
    return redirect(url_for("importing.choose", again=1), 303)


def _refuse_browser() -> str:
    """Why this browser can take nothing in, for the form; empty where it can."""
    if not tokens.is_form_ours():
        if request.cookies:
            return _("This form is no longer valid; choose the file once more.")
        return say_cookies_needed()
    if browser.identity().is_unreadable:
        return _("This browser cannot be recognised.")
    return "" if browser.known_token() is not None else say_cookies_needed()


def _say_too_large() -> str:
    return _(
        "That is too large: at most %(n)d MB can be sent at once. Send fewer files, or a smaller archive.",
        n=MAX_BYTES // 1024**2,
    )


def _lay_in(tray: Tray, chosen: Iterable[FileStorage]) -> list[str]:
    """Write the files into the tray; what they are called."""
    names = []
    for n, one in enumerate(chosen):
        with tray.open(f"file-{n}") as file:
            one.save(file)
        names.append(PurePath((one.filename or "").replace("\\", "/")).name[:120])
    return names


# --- what is in them ---------------------------------------------------------------------------------


@bp.get("/import/<key>")
def look(key: str) -> str | Response:
    """What is in the files, and what taking them would do; or how far that is; or what became of it."""
    tray, owner = find_tray(_KIND, key, NAMES)
    try:
        course = _look(tray, owner)
        is_taking = course.state == "done" and tray.read(_WANTED) is not None
        if is_taking:
            course = _take(tray, owner, course.outcome)
    except NoRoom:
        return busy_page()
    lines = [ImportLine(**one) for of_file in course.outcome or () for one in of_file]
    return render_template(
        "archives/look.html",
        key=key,
        names=tray.read(NAMES),
        course=course,
        is_taking=is_taking,
        lines=lines,
        shown=_SHOWN,
    )


@bp.post("/import/<key>")
def take(key: str) -> Response:
    """Take what is in the files, as far as it can be; what is there already is not taken twice."""
    tray, owner = find_tray(_KIND, key, NAMES)
    looked = trays().look(tray, _LOOKED)
    if looked.state == "done":
        tray.write(_WANTED, True)
        try:
            _take(tray, owner, looked.outcome, PATIENCE)
        except NoRoom:
            return busy_page()
    return redirect(url_for("importing.look", key=key), 303)


@bp.post("/import/<key>/again")
def again(key: str) -> Response:
    """Try once more what went wrong on our side."""
    tray, _owner = find_tray(_KIND, key, NAMES)
    for deed in (_LOOKED, _TAKEN):
        if trays().look(tray, deed).state == "failed":
            tray.forget(deed)
    return redirect(url_for("importing.look", key=key), 303)


@bp.post("/import/<key>/discard")
def discard(key: str) -> Response:
    """Throw the files away; the matches that were taken stay."""
    tray, _owner = find_tray(_KIND, key, NAMES)
    tray.remove()
    flash(_("The file is thrown away; nothing was imported."))
    return redirect(url_for("importing.choose"), 303)


def _look(tray: Tray, owner: str, patience: float = 0) -> Course:
    return begin(tray, _LOOKED, look_through, owner, is_long=_is_long(tray), patience=patience)


def _take(tray: Tray, owner: str, looked: Any, patience: float = 0) -> Course:
    return begin(tray, _TAKEN, take_found, owner, looked, is_long=_is_long(tray), patience=patience)


def _is_long(tray: Tray) -> bool:
    """Whether the files have so much in them that another process takes its time for them."""
    return sum(place.stat().st_size for place, _name in list_files(tray)) > _LITTLE
