"""A match given to another phone by a link that holds it, and a match that came by such a link.

The record is in the fragment of the link, so no host gets it before its reader agrees: a script shows what
is in it.
"""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion import archives, library
from companion.archives.incoming import is_ours
from companion.rules.errors import Unreadable
from companion.web.shell.codes import draw_qr_data
from companion.web.shell.errors import say_cookies_needed
from companion.web.shell.hosts import current_host
from companion.web.shell.matches import access, matches, open_match
from companion.web.shell.security import browser
from companion.web.shell.text import requirement, translate

bp = Blueprint("giving", __name__)

MAX_CODE = 1200
"""The most characters of an address that a phone still reads from another one's screen."""
MAX_LINK = 60_000
"""The most characters of a link that messengers and browsers pass on."""


@bp.get("/m/<id>/give")
def give(id: str) -> str:
    """Show the link that holds the match, and its code if a code has room for that.

    The code may be that of the match without its history, which is shorter.
    """
    match = open_match(id)
    front_page = url_for("short_addresses.front_page", _external=True)  # the one address that every host has
    link = coded = front_page + archives.write_fragment(matches(), match)
    if len(coded) > MAX_CODE:
        coded = front_page + archives.write_fragment(matches(), match, with_history=False)
    return render_template(
        "archives/give.html",
        match=match,
        link=link if len(link) <= MAX_LINK else None,
        code=draw_qr_data(coded, error="l") if len(coded) <= MAX_CODE else None,
        has_history=coded == link,
    )


@bp.get("/given")
def given() -> str:
    """Show what is in a link, once a script has read it, or ask for one."""
    return _show_form()


def _show_form(link: str = "", error: str = "") -> str:
    if not browser.identity().is_unreadable:
        browser.token()  # known from now on, so that the match will have an owner
    titles = {name: translate(library.read_rulebook(name).title) for name in library.names()}
    return render_template("archives/given.html", titles=titles, link=link, error=error)


@bp.post("/given")
def take() -> Response | tuple[str, int]:
    """Import the match in a link, and go to its board; to that of the match that is here already."""
    link = request.form.get("link", "")
    if browser.identity().is_unreadable:
        return _show_form(link, _("This browser cannot be recognised.")), 400
    if browser.known_token() is None:
        return _show_form(link, say_cookies_needed()), 400
    try:
        id, message = _import(archives.unpack(link))
    except Unreadable as fault:
        place = f" ({fault.path})" if fault.path else ""
        return _show_form(link, f"{requirement(fault)}{place}"), 400
    flash(message)
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


def _import(record: dict[str, object]) -> tuple[str, str]:
    """Import a match, unless this browser has it already, or has joined it; return its id, and what to say.

    :raises Unreadable: if the record is invalid.
    """
    id, owner = record.get("id"), browser.token()
    has_id = isinstance(id, str) and is_ours(id)
    there = matches().open_if_readable(id) if has_id else None
    if there is not None and access(there).takes_part:
        [found] = archives.look_through(matches(), there.owner, archives.format_json(record))
        if found.plan == "skipped":
            return found.id, _("This match is here already.")
    elif has_id and current_host().is_phone and current_host().has_server:
        # At the server it may be somebody else's, which would refuse the match: it gets one of its new owner.
        record = record | {"id": f"given {id}"}
    data = archives.format_json(record)
    [done] = archives.import_found(matches(), owner, archives.look_through(matches(), owner, data))
    if done.problem is not None:
        raise done.problem
    return done.id, {
        "new": _("The match is in your list now."),
        "skipped": _("This match is here already."),
        "continued": _("This match was here already; what was written since is added."),
        "copy": _(
            "A match with the same address is already here, but is different or not yours: this one is kept"
            " beside it."
        ),
    }[done.plan]
