"""Joining a match by a link: it asks first, so that link previews do not use it up."""

from flask import Blueprint, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion.matches import Match, NoSuchLink
from companion.store import Link
from companion.web.shell.errors import error_page, say_cookies_needed
from companion.web.shell.matches import access, matches, open_match
from companion.web.shell.monitoring import describe_browser
from companion.web.shell.security import browser
from companion.web.shell.security.rate_limits import limit_guesses

bp = Blueprint("join", __name__)


@bp.get("/join/<secret>")
@limit_guesses
def ask(secret: str) -> str:
    """Ask whether to join, and as what; nothing is changed by it."""
    if not browser.identity().is_unreadable:
        browser.token()  # so that the browser is known when it joins
    link, match = _open(secret)
    return render_template(
        "sharing/join.html", match=match, link_to=link, has_joined=_takes_part_as(match, link)
    )


@bp.post("/join/<secret>")
@limit_guesses
def join(secret: str) -> Response | tuple[str, int]:
    """Join, then go to the board; for the owner and for participants nothing changes."""
    if request.form.get("browser") == "anew":
        browser.begin_again()
    link, match = _open(secret)
    if browser.known_token() is None and not browser.identity().is_unreadable:
        return error_page(400, _("This browser sent no cookie"), say_cookies_needed())
    if not _takes_part_as(match, link):
        kind = describe_browser(request.headers.get("User-Agent", ""))
        matches().invitations.join(secret, browser.token(), kind)
    return redirect(url_for("scoreboard.scoreboard", id=match.id), 303)


def _open(secret: str) -> tuple[Link, Match]:
    """The link with this secret, and its match.

    :raises NoSuchLink: if nobody can join by it.
    """
    link = matches().invitations.find_link(secret, browser.known_token())
    return link, open_match(link.match_id)


def _takes_part_as(match: Match, link: Link) -> bool:
    """True if the link gives this browser nothing new."""
    return access(match).has_all_of(link) or matches().invitations.has_joined(link, browser.known_token())


@bp.errorhandler(NoSuchLink)
def answer_no_link(error: NoSuchLink) -> tuple[str, int]:
    """Answer alike for a link that is revoked, used up, or unknown."""
    return error_page(
        404,
        _("This link can no longer be used"),
        _("It may be revoked, used up or mistyped. Ask whoever keeps the score for a new one."),
    )
