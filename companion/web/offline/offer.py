"""Use without network: the program in a phone and its size; fetched and removed there."""

from flask import Blueprint, redirect, render_template, url_for
from flask_babel import format_decimal
from werkzeug.wrappers import Response

from companion.web.shell.hosts import current_host

from .app_files import NoOfflineApp, describe_offer

bp = Blueprint("offer", __name__)


@bp.get("/pocket")
def offer() -> str | Response:
    """Show the offer; a script on the page does what is tapped, for all of it happens in the phone.

    A phone alone has the program already, and This phone has all that is left to say.
    """
    if not current_host().has_server:
        return redirect(url_for("browsers.look"))
    return render_template("offline/offer.html", size=_say_size())


def _say_size() -> str | None:
    """The size of what a phone fetches; None without an offline app, or without a server."""
    if current_host().is_phone:
        return None
    try:
        offered = describe_offer()
    except NoOfflineApp:
        return None
    fetched = sum(file["bytes"] for file in (*offered["files"], *offered["static"]))
    return f"{format_decimal(fetched / 1_000_000, '#,##0.0')}\N{NO-BREAK SPACE}MB"
