"""Several matches as one file: a worker writes many of them; then it can be downloaded for a day."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, send_file, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from companion import archives
from companion.jobs import JobFiles, NoRoom, NotTaken, UnderWay
from companion.matches import NotTheWriter
from companion.web.shell.hosts import current_host
from companion.web.shell.matches import access, matches, open_match
from companion.web.shell.security import browser
from companion.web.shell.zone import phone_zone

from .actions import ARCHIVE, make_archive
from .job_files import answer_missing, busy_page, find_files, find_outcome, job_files, run_job

bp = Blueprint("exporting", __name__)
bp.register_error_handler(FileNotFoundError, answer_missing)

_KIND, _WANTED, _MADE = "export", "wanted", "made"
_FEW = 20
"""The most matches that are written at once; more are written by a worker."""


@bp.get("/export")
def everything() -> str:
    """Show the export of all matches of this browser, and the files written so far."""
    owner = browser.known_token()
    count = len(_list_ids(owner))
    return render_template("archives/everything.html", count=count, made=_list_made(owner))


def _list_made(owner: str | None) -> list[Mapping[str, Any]]:
    """The files of this browser, the newest first; unfinished ones have no count."""
    made = []
    for files in job_files().list_all(_KIND, owner):
        wanted, outcome = files.read(_WANTED), find_outcome(files, _MADE) or {}
        if wanted is not None:
            made.append({"key": files.key, "count": outcome.get("count", 0), **wanted})
    return sorted(made, key=lambda file: str(file["at"]), reverse=True)


@bp.post("/export")
def make() -> AnyResponse:
    """Begin a file with all matches."""
    return _begin(_list_ids(browser.known_token()), _name_all())


@bp.post("/m/<id>/export/evening")
def make_evening(id: str) -> AnyResponse:
    """Begin a file with the matches of an evening, up to this one."""
    match = open_match(id)
    if not access(match).may_share:
        raise NotTheWriter(id)
    evening = matches().evening(match)
    return _begin(
        [played.id for played in evening], f"{archives.name_match(match, phone_zone())}-{len(evening)}"
    )


@bp.get("/export/matches.zip")
def download() -> AnyResponse:
    """Send a file with all matches at once, on a phone; a server makes it when nobody has to wait for it."""
    owner, file = browser.known_token(), BytesIO()
    ids = _list_ids(owner)
    if not ids or not current_host().is_phone:
        return redirect(url_for("exporting.everything"), 303)
    archives.write_archive(matches(), owner, ids, file, zone=phone_zone())
    file.seek(0)
    return _send(file, f"{_name_all()}.zip")


def _name_all() -> str:
    """The name of a file with all matches, without its ending."""
    return f"companion-{matches().local_time(phone_zone())[:10]}"


def _list_ids(owner: str | None) -> Sequence[str]:
    """The ids of the matches that this browser began, archived ones included."""
    return [] if owner is None else matches().store.list_ids(owner)


def _begin(ids: Sequence[str], name: str) -> AnyResponse:
    owner = browser.known_token()
    if owner is None or not ids:
        return redirect(url_for("exporting.everything"), 303)
    try:
        files = job_files().create(_KIND, owner)
    except NoRoom:
        return busy_page()
    zone = phone_zone()
    wanted = {"ids": list(ids), "name": f"{name}.zip", "at": matches().timestamp()}
    files.write(_WANTED, wanted | {"zone": zone.key if zone else None})
    return _go_to(files, owner)


def _go_to(files: JobFiles, owner: str) -> AnyResponse:
    """Begin a file, and lead to its page."""
    with suppress(UnderWay, NotTaken):  # the page says so
        _make(files, owner)
    return redirect(url_for("exporting.made", key=files.key), 303)


def _make(files: JobFiles, owner: str) -> Any:
    """Write a file, or continue; return the outcome, None if it failed. An interrupted one begins again."""
    wanted = files.read(_WANTED)
    if wanted is None:
        raise FileNotFoundError(files.path)
    ids, zone = wanted["ids"], wanted.get("zone")  # which older ones lack
    subject = _("The file is being made")
    return run_job(files, _MADE, make_archive, owner, ids, zone, is_short=len(ids) <= _FEW, subject=subject)


@bp.get("/export/<key>")
def made(key: str) -> str:
    """Show that a file is ready, or could not be written."""
    files, owner = find_files(_KIND, key, _WANTED)
    outcome = _make(files, owner)
    return render_template(
        "archives/made.html", key=key, outcome=outcome, name=(files.read(_WANTED) or {}).get("name", "")
    )


@bp.post("/export/<key>/again")
def again(key: str) -> AnyResponse:
    """Write a file again that could not be written."""
    files, owner = find_files(_KIND, key, _WANTED)
    files.results.forget_error(_MADE)
    return _go_to(files, owner)


@bp.get("/export/<key>/matches.zip")
def file(key: str) -> Response:
    """Send the file."""
    files, _owner = find_files(_KIND, key, _WANTED)
    if find_outcome(files, _MADE) is None:
        abort(404)
    return _send(files.path / ARCHIVE, (files.read(_WANTED) or {}).get("name", ""))


def _send(file: Path | BytesIO, name: str) -> Response:
    answer = send_file(
        file,
        "application/zip",
        as_attachment=True,
        download_name=name,
        etag=False,
        max_age=None,
    )
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
