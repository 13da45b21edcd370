"""This phone: what it stores, how its browser is recognised, and what to do when that cannot be read."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion.web.shell.forms import fresh_key
from companion.web.shell.security import browser

bp = Blueprint("browsers", __name__)


@bp.get("/browser")
def look() -> str:
    """What it stores, whether its browser is recognised, and how it gets its matches back."""
    return render_template("offline/this_phone.html", form_key=fresh_key())


@bp.post("/browser/anew")
def begin_again() -> Response:
    """Go on as a new browser; the cookie that cannot be read is saved."""
    browser.begin_again()
    return redirect(url_for("index.index"), 303)


@bp.post("/browser/earlier")
def restore_archived() -> Response:
    """Change to the matches of the cookie that was saved."""
    browser.restore_archived()
    flash(_("These are the matches of the other list. You can switch back at any time."))
    return redirect(url_for("index.index"), 303)
