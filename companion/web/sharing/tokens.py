"""Tokens for programs: created, shown once, listed and revoked; for one match by its owner, or for all."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from companion.matches import Match, NotTheWriter, Role, TokenEnded
from companion.web.shell.forms import WritingForm
from companion.web.shell.matches import access, matches, open_match
from companion.web.shell.security import browser

bp = Blueprint("tokens", __name__)

DAYS = {"30": 30, "365": 365, "1825": 1825}
"""The days for which a token can be valid, by the form's values."""


@bp.get("/tokens")
def tokens() -> str:
    """Show the tokens of this browser, for all its matches or for one (`match`), and a form for a new one."""
    return _show(_find_match())


@bp.post("/tokens")
def make() -> str | Response:
    """Create a token and show it this once: `as` is a role, an opponent's with the side (`opponent:B`).

    `days` is how long it is valid.
    """
    match, form = _find_match(), WritingForm()
    role, _colon, side = request.form.get("as", "").partition(":")
    may = access(match) if match is not None else None
    try:
        days = DAYS[request.form.get("days", "365")]
        owner, generation = browser.token(), browser.identity().generation
        given = Role(role), form.key, side or None, match, may, days, generation
        secret = matches().tokens.make(owner, *given)
    except (ValueError, LookupError) as error:  # no button of ours sends that
        raise NotFound from error
    except TokenEnded:
        flash(_("This token was revoked or has ended. Make a new one."))
        return redirect(url_for("tokens.tokens", match=request.args.get("match")), 303)
    return _show(match, secret)


@bp.post("/tokens/<token>/revoke")
def revoke(token: str) -> Response:
    """Revoke a token of this browser."""
    matches().tokens.revoke(browser.known_token(), token)
    flash(_("The token is revoked. No program can use it any more."))
    return redirect(url_for("tokens.tokens", match=request.args.get("match")), 303)


def _find_match() -> Match | None:
    id = request.args.get("match")
    match = open_match(id) if id else None
    if match is not None and not access(match).may_share:
        raise NotTheWriter(match.id)
    return match


def _show(match: Match | None, secret: str = "") -> str:
    made = matches().tokens.list_valid(browser.known_token())
    shown = [token for token in made if match is None or token.match_id == match.id]
    return render_template(
        "sharing/tokens.html",
        match=match,
        tokens=shown,
        secret=secret,
        ends=[
            ("30", _("in 30 days")),
            ("365", _("in a year")),
            ("1825", _("in five years")),
        ],
        form=WritingForm(formdata=None),
        may_make=not browser.identity().is_unreadable,
    )
