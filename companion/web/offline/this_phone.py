"""This phone: what it stores, how its browser is recognised, and what to do if that fails."""

from flask import Blueprint, flash, redirect, render_template, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion.web.shell.forms import fresh_key
from companion.web.shell.hosts import current_host
from companion.web.shell.matches import matches
from companion.web.shell.security import browser

bp = Blueprint("browsers", __name__)


@bp.get("/browser")
def look() -> str:
    """Show what it stores, whether its browser is recognised, and how it gets its matches back."""
    return render_template("offline/this_phone.html", form_key=_find_renewal_key())


_RENEWALS = "renewals"
"""Session key: the form keys of signing out all others, as shown last and as answered last."""


def _find_renewal_key() -> str | None:
    """The key of a new form; for a signed-out browser, that of the form by which it did so itself.

    Its answer may have been lost, or a late page may have brought the former cookie back.
    """
    who, keys = browser.identity(), session.get(_RENEWALS, [])
    owner = who.token or who.signed_out
    if owner is None:
        return None
    if current_host().is_phone:
        return fresh_key()  # the form waits for the network
    answered = [key for key in keys if matches().identities.was_renewed_by(owner, key)][:1]
    if who.token is None:
        return answered[0] if answered else None
    session[_RENEWALS] = [fresh_key(), *answered]
    return str(session[_RENEWALS][0])


@bp.post("/browser/anew")
def begin_again() -> Response:
    """Go on as a new browser; the cookie that cannot be read is archived."""
    browser.begin_again()
    return redirect(url_for("index.index"), 303)


@bp.post("/browser/earlier")
def restore_archived() -> Response:
    """Switch to the matches of the archived cookie."""
    browser.restore_archived()
    flash(_("These are the matches of the other list. You can switch back at any time."))
    return redirect(url_for("index.index"), 303)
