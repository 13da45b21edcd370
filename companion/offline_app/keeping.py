"""Matches of a phone alone: those that are in no file yet, those that cannot be read, those of a demo."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from flask import Blueprint, Flask, flash, redirect, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion import archives
from companion.store.memory import HeldMatch, MemoryStore
from companion.store.memory.tables import RowKey
from companion.web.shell import language
from companion.web.shell.matches import matches
from companion.web.shell.security import browser

bp = Blueprint("keeping", __name__)

_PAUSE = timedelta(hours=12)
"""The time without an entry after which a match that is not over counts as interrupted."""


@dataclass(frozen=True, slots=True)
class Unfiled:
    """The number of matches with entries that are in no file, and the time of the first such entry."""

    count: int
    since: str


def init_app(app: Flask) -> None:
    """Serve these pages; templates get `unfiled()`, `has_unread()`, `has_own()` and `demo_ids()`."""
    app.register_blueprint(bp, url_prefix=language.PREFIX)
    app.add_template_global(find_unfiled, "unfiled")
    app.add_template_global(has_unread, "has_unread")
    app.add_template_global(has_own, "has_own")
    app.add_template_global(find_demo, "demo_ids")


def find_unfiled() -> Unfiled | None:
    """Count the matches with entries that are in no file; None without any.

    Matches of a demo are left out, and those that are being played just now.
    """
    before_pause = (datetime.now(UTC) - _PAUSE).isoformat()
    since = [
        at
        for id, row in _list_own()
        if not row.is_demo
        and (at := _find_first_unfiled(row))
        and (row.changed_at < before_pause or not _is_in_play(id))
    ]
    return Unfiled(len(since), min(since)) if since else None


@bp.post("/export/kept")
def note_saved() -> tuple[str, int]:
    """Note that somebody kept a file, made at the time `at` of all that was written until then."""
    at = request.form.get("at", "")
    for id, row in _list_own():
        later = (n for n, event in enumerate(row.events) if event.written_at > at)
        filed = next(later, len(row.events))
        if filed > row.filed:
            row.filed = filed
            _store().tables.note("match", id)
    return "", 204


def has_own() -> bool:
    """True if this phone has a match other than those of a demo."""
    return any(not row.is_demo for _id, row in _list_own())


def find_demo() -> set[str]:
    """Find the ids of the matches of a demo: they came with the app, to be looked at."""
    return {id for id, row in _list_own() if row.is_demo}


@bp.post("/demo/remove")
def remove_demo() -> Response:
    """Move the matches of the demo to the trash."""
    for id in find_demo():
        _store().set_visibility(id, "deleted", matches().timestamp())
    flash(_("The demo is removed."))
    return redirect(url_for("index.index"), 303)


def has_unread() -> bool:
    """True if something is stored here that this version cannot read."""
    return bool(_list_unread())


@bp.get("/export/unreadable.json")
def download_unread() -> Response:
    """Send the rows that this version cannot read, as they are stored."""
    rows = [[row_key, value] for row_key, value in _list_unread()]
    document = {"format": "companion-rows", "version": 1, "rows": rows}
    headers = {"Content-Disposition": 'attachment; filename="companion-unreadable.json"'}
    return Response(archives.format_json(document), mimetype="application/json", headers=headers)


def _list_unread() -> list[tuple[RowKey, Any]]:
    """The rows that cannot be read. A match with a current summary can: this version has read it."""
    tables = _store().tables
    unsure = [id for id, row in _list_own() if row.current_summary() is None]
    closed = [id for id in unsure if matches().open_if_readable(id) is None]
    return [*tables.unread, *(row for id in closed for row in tables.list_rows(id))]


def _list_own() -> Iterator[tuple[str, HeldMatch]]:
    """The matches of this phone by their ids, except deleted ones."""
    owner = browser.known_token()
    return (
        (id, row)
        for id, row in _store().tables.matches.items()
        if row.owner == owner and row.deleted_at is None
    )


def _find_first_unfiled(row: HeldMatch) -> str:
    """The time of the first entry that is in no file; empty without one.

    Imported entries came from a file: their authors are letters.
    """
    unfiled = (event.written_at for event in row.events[row.filed :] if event.author == row.owner)
    return next(unfiled, "")


def _is_in_play(id: str) -> bool:
    match = matches().open_if_readable(id)
    return match is not None and match.playing


def _store() -> MemoryStore:
    return cast(MemoryStore, matches().store)
