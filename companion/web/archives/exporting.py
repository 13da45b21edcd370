"""Several matches as one file: made aside, while a page says how far it is; then there to be downloaded."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, send_file, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion import archives
from companion.matches import NotTheWriter
from companion.web.shell.matches import access, matches, open_match
from companion.web.shell.security import browser

from .actions import ARCHIVE, make_archive
from .in_background import PATIENCE, begin, busy_page, find_tray, trays
from .job_files import Course, NoRoom, Tray

bp = Blueprint("exporting", __name__)

_KIND, _WANTED, _MADE = "export", "wanted", "made"
_FEW = 20
"""Matches that are written at once; for more another process takes its time."""


@bp.get("/export")
def everything() -> str:
    """All matches of this browser, and files that were made of them."""
    owner = browser.known_token()
    count = len(_list_ids(owner))
    return render_template("archives/everything.html", count=count, made=_list_made(owner))


def _list_made(owner: str | None) -> list[Mapping[str, Any]]:
    """The files of this browser, the newest first; those that are still being made have no count."""
    found = []
    for tray in trays().list_all(_KIND, owner):
        wanted, outcome = tray.read(_WANTED), trays().look(tray, _MADE).outcome or {}
        if wanted is not None:
            found.append({"key": tray.key, "count": outcome.get("count", 0), **wanted})
    return sorted(found, key=lambda one: str(one["at"]), reverse=True)


@bp.post("/export")
def make() -> AnyResponse:
    """Begin a file with all matches."""
    return _begin(_list_ids(browser.known_token()), f"companion-{matches().timestamp()[:10]}")


@bp.post("/m/<id>/export/evening")
def make_evening(id: str) -> AnyResponse:
    """Begin a file with the matches of an evening, up to this one."""
    match = open_match(id)
    if not access(match).may_share:
        raise NotTheWriter(id)
    evening = matches().evening(match)
    return _begin([one.id for one in evening], f"{archives.name_match(match)}-{len(evening)}")


def _list_ids(owner: str | None) -> Sequence[str]:
    """The matches that this browser began, those put away among them."""
    return [] if owner is None else matches().store.list_ids(owner)


def _begin(ids: Sequence[str], name: str) -> AnyResponse:
    owner = browser.known_token()
    if owner is None or not ids:
        return redirect(url_for("exporting.everything"), 303)
    try:
        tray = trays().lay_out(_KIND, owner)
        tray.write(_WANTED, {"ids": list(ids), "name": f"{name}.zip", "at": matches().timestamp()})
        _work(tray, owner, PATIENCE)
    except NoRoom:
        return busy_page()
    return redirect(url_for("exporting.made", key=tray.key), 303)


def _work(tray: Tray, owner: str, patience: float = 0) -> Course:
    """Make the file, unless that is done or under way."""
    ids = tray.read(_WANTED)["ids"]
    is_long = len(ids) > _FEW
    return begin(tray, _MADE, make_archive, owner, ids, is_long=is_long, patience=patience)


@bp.get("/export/<key>")
def made(key: str) -> str | AnyResponse:
    """How far a file is, or that it is ready. One of which the making was interrupted is made anew."""
    tray, owner = find_tray(_KIND, key, _WANTED)
    try:
        course = _work(tray, owner)
    except NoRoom:
        return busy_page()
    return render_template("archives/made.html", key=key, course=course, name=tray.read(_WANTED)["name"])


@bp.post("/export/<key>/again")
def again(key: str) -> AnyResponse:
    """Make a file once more, which could not be made."""
    tray, owner = find_tray(_KIND, key, _WANTED)
    if trays().look(tray, _MADE).state == "failed":
        tray.forget(_MADE)
        _work(tray, owner, PATIENCE)
    return redirect(url_for("exporting.made", key=key), 303)


@bp.get("/export/<key>/matches.zip")
def file(key: str) -> Response:
    """The file."""
    tray, _owner = find_tray(_KIND, key, _WANTED)
    if trays().look(tray, _MADE).state != "done":
        abort(404)
    name = tray.read(_WANTED)["name"]
    answer = send_file(
        tray.path / ARCHIVE,
        "application/zip",
        as_attachment=True,
        download_name=name,
        etag=False,
        max_age=None,
    )
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
