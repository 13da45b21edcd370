"""Matches outside the list: archived ones, and deleted ones, which stay for thirty days."""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion.matches import NotTheWriter
from companion.matches.trash import DAYS
from companion.store import ListedMatch
from companion.web.shell.matches import access, matches, open_match
from companion.web.shell.security import browser
from companion.web.shell.security.headers import is_background

bp = Blueprint("archived", __name__)

_JUST = "just-put-away"
"""The session's key for the match that was just archived or deleted, for its undo."""


@bp.get("/put-away")
def list_put_away() -> str:
    """Show the archived matches of this browser."""
    return _show(matches().trash.list_put_away(browser.known_token()), is_trash=False)


@bp.get("/bin")
def list_deleted() -> str:
    """Show the deleted matches of this browser, and until when they can be brought back."""
    return _show(matches().trash.list_deleted(browser.known_token()), is_trash=True)


@bp.post("/m/<id>/put-away")
def put_away(id: str) -> Response:
    """Archive a match: it leaves its owner's list, and stays the same otherwise."""
    match = open_match(id)
    matches().trash.put_away(match, access(match))
    session[_JUST] = id
    return redirect(url_for("archived.list_put_away"), 303)


@bp.get("/m/<id>/delete")
def ask_to_delete(id: str) -> str:
    """Ask whether a match shall be deleted: show which it is, and the consequences."""
    match = open_match(id)
    if not access(match).may_share:
        raise NotTheWriter(id)
    listed = {
        "id": id,
        "sides": [match.side_name(side) for side in match.state.ring.sides],
        "changed_at": match.events[-1].at if match.events else match.created_at,
        "game": match.game.name,
        "title": match.game.book.title,
        "preset": match.game.variety,
        "deals": match.counted,
    }
    return render_template("archives/ask.html", listed=listed, is_erasing=False, days=DAYS)


@bp.post("/m/<id>/delete")
def delete(id: str) -> Response:
    """Move a match to the trash; for everybody it is gone."""
    if _find_deleted(id) is None:  # else it is the second of two taps
        match = open_match(id)
        matches().trash.delete(match, access(match))
    session[_JUST] = id
    return redirect(url_for("archived.list_deleted"), 303)


@bp.post("/m/<id>/bring-back")
def bring_back(id: str) -> Response:
    """Bring a match back from the trash, or an archived one back into the list."""
    if _find_deleted(id) is not None:
        matches().trash.bring_back(id, browser.known_token())
    else:
        match = open_match(id)
        matches().trash.take_out(match, access(match))
    flash(_("The match is back in your list."))
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


@bp.get("/m/<id>/erase")
def ask_to_erase(id: str) -> str:
    """Ask whether a deleted match shall be erased at once, and for good."""
    listed = _find_deleted(id)
    if listed is None:
        abort(404)
    return render_template(
        "archives/ask.html", listed=_describe(listed, is_trash=True), is_erasing=True, days=DAYS
    )


@bp.post("/m/<id>/erase")
def erase(id: str) -> Response:
    """Erase a deleted match for good."""
    matches().trash.erase(id, browser.known_token())
    flash(_("The match is erased."))
    return redirect(url_for("archived.list_deleted"), 303)


def _find_deleted(id: str) -> ListedMatch | None:
    """The match of this browser in the trash with this id, or None."""
    return next(
        (match for match in matches().trash.list_deleted(browser.known_token()) if match.id == id), None
    )


def _show(listed: Sequence[ListedMatch], is_trash: bool) -> str:
    shown = [_describe(match, is_trash) for match in listed]
    just = None if is_background() else session.pop(_JUST, None)
    return render_template(
        "archives/archived.html",
        is_trash=is_trash,
        matches=shown,
        just=next((match for match in shown if match["id"] == just), None),
        days=DAYS,
    )


def _describe(listed: ListedMatch, is_trash: bool) -> dict[str, Any]:
    """A match as a list shows it, and when it will be erased; an unreadable one has its names alone."""
    facts = {"id": listed.id, "changed_at": listed.changed_at, "sides": listed.head.get("players", ())}
    facts["erased_at"] = matches().trash.erased_at(listed) if is_trash else ""
    summary = matches().summary(listed)
    if summary is not None:
        facts |= {key: getattr(summary, key) for key in ("sides", "game", "title", "preset", "deals")}
    return facts
