"""The first checks of a request, and the headers of every answer.

Refused are a host that is not ours, an address longer than any of our pages has, and a form without the token
of its page, or sent from another site. Of pages with names browsers may cache only forms, so that going back
finds what was typed; the app on the phone caches more, where only pages of this browser's identity can be
found.
"""

from collections.abc import Callable, Iterable
from functools import partial
from string import punctuation
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from flask import Flask, Response, current_app, g, request
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.exceptions import RequestURITooLarge, SecurityError
from werkzeug.sansio.utils import get_host

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""The content policy: nothing inline, nothing from anywhere else."""

_USED = ("clipboard-write", "screen-wake-lock")
_UNUSED = (
    "accelerometer autoplay bluetooth browsing-topics camera display-capture encrypted-media fullscreen"
    " geolocation gyroscope hid idle-detection local-fonts magnetometer microphone midi payment"
    " picture-in-picture publickey-credentials-get serial usb xr-spatial-tracking"
)
PERMISSIONS = ", ".join([f"{name}=(self)" for name in _USED] + [f"{name}=()" for name in _UNUSED.split()])
"""The features of a phone that our pages use, to copy links and keep the screen on, and those they do not.

Sharing is allowed to our pages anyway, and browsers without it would report its name as an error.
"""

_ALWAYS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
}

_HSTS_SECONDS = 365 * 24 * 3600
"""The time for which browsers that came by HTTPS use nothing else."""


def init_app(app: Flask) -> None:
    """Refuse requests to other hosts, and send the headers with every answer.

    `HOSTS` are the accepted hosts, if they are set; tokens that a former key signed are valid as well.
    """
    app.config["TRUSTED_HOSTS"] = app.config["HOSTS"] or None  # as Flask calls them
    checked = prepare_requests(app.wsgi_app, partial(_check_address, app))
    app.wsgi_app = checked  # type: ignore[assignment,method-assign]  # as Flask says
    app.before_request(_refuse)
    app.after_request(_guard)
    app.config["WTF_CSRF_SECRET_KEY"] = [*app.config["SECRET_KEY_FALLBACKS"], app.config["SECRET_KEY"]]
    # The strict check wants a page's address, which some browsers never send; the origin will do, without
    # HTTPS too.
    app.config["WTF_CSRF_SSL_STRICT"] = False
    FormGuard(app)


def _guard(response: Response) -> Response:
    for name, value in _ALWAYS.items():
        response.headers.setdefault(name, value)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = f"max-age={_HSTS_SECONDS}"
    if g.get("match") is not None or response.mimetype == "text/html":
        rule = "private, no-cache" if _may_be_cached() else "private, no-store"
        response.headers.setdefault("Cache-Control", rule)
    return response


if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_ADDRESS = 16_000
"""The most bytes of an address with its query: a dispute with all its cards has a quarter of it."""
MAX_FORM, MAX_FIELDS = 500_000, 1000
"""The most bytes of a form, and the most fields; uploads of files may be larger."""
_REFUSAL = "companion.refusal"
"""The key of a request's WSGI environment for the error that answers it."""
_BEGINNING = 9
"""The letters of a path that hold its language, or the program's part: /en/, /api/v1/, /offline/."""


def refuse_address(environ: "WSGIEnvironment") -> None:
    """Let a request be answered as one for another host."""
    environ[_REFUSAL] = SecurityError


def prepare_requests(
    wsgi_app: "WSGIApplication", change: Callable[["WSGIEnvironment"], None]
) -> "WSGIApplication":
    """Wrap the app: `change` may alter every request first."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        change(environ)
        return wsgi_app(environ, start_response)

    return answer


def _check_address(app: Flask, environ: "WSGIEnvironment") -> None:
    """Mark a refused request, and make it usable for the page that explains the refusal.

    Bytes of a query that are not ASCII are written as escapes, as browsers do.
    """
    path, query = environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", "")
    if len(path) + len(query) > MAX_ADDRESS:
        path, query = path[:_BEGINNING], ""
        environ |= {_REFUSAL: RequestURITooLarge, "PATH_INFO": path, "QUERY_STRING": query, "RAW_URI": ""}
    trusted = app.config["TRUSTED_HOSTS"]
    if not _is_usable(environ, trusted):
        refuse_address(environ)
        environ["HTTP_HOST"] = trusted[0].lstrip(".") if trusted else "localhost"
    if not query.isascii():
        environ["QUERY_STRING"] = quote(query.encode("latin-1"), safe=punctuation)


def _is_usable(environ: "WSGIEnvironment", trusted: Any) -> bool:
    name = environ.get("HTTP_HOST")
    try:
        host = get_host(environ["wsgi.url_scheme"], name, None, trusted)
        host.partition(":")[0].encode("idna").decode("idna")
    except (SecurityError, UnicodeError):
        return False
    return bool(host) or not name


def _refuse() -> None:
    refusal = request.environ.get(_REFUSAL)
    if refusal is not None:
        raise refusal


def is_form_ours() -> bool:
    """True if the form that was sent is one of ours; for a view that answers other forms by itself."""
    if not current_app.config["WTF_CSRF_ENABLED"]:
        return True
    try:
        current_app.extensions["csrf"].protect()
    except CSRFError:
        return False
    return True


class FormGuard(CSRFProtect):
    """A check of the form's token, then of its origin."""

    def protect(self, *arguments: Any, **named: Any) -> None:
        """Let a form of ours pass.

        :raises CSRFError: for any other form.
        """
        super().protect(*arguments, **named)
        if g.get("csrf_valid") and not comes_from_us(unsaid=True):
            self._error_response("The form comes from another site.")


def comes_from_us(unsaid: bool) -> bool:
    """True if the browser says that a page of ours sent the request; `unsaid` if it says nothing."""
    said = request.headers.get("Origin") or request.referrer
    if said is None:
        return unsaid
    try:
        return urlsplit(said).netloc == request.host
    except ValueError:
        return False


TYPED_IN = {
    "deals.deal",
    "deals.enough",
    "deals.record",
    "entries.add",
    "entries.amend",
    "entries.more",
    "follow.follow",
    "follow.tap",
    "hands.hand",
    "hands.record",
    "new.new",
    "new.start",
    "people.correct_head",
    "people.people",
    "questions.match_question",
    "remarks.object_to",
}
"""Pages on which several things are typed or tapped before they are sent."""

NAMELESS = {
    "questions.game",
    "questions.question",
    "questions.questions",
    "rulebook.compare",
    "rulebook.rulebook",
    "rulebook.catalogue",
    "sheets.blank",
    "sheets.card",
    "static",
}
"""Pages that hold nobody's name, unless they are about a match."""

WHATEVER_QUERY = {
    "deals.deal",
    "deals.enough",
    "entries.more",
    "follow.follow",
    "hands.hand",
    "scoreboard.scoreboard",
}
"""Pages of a match that are useful without the query of their address."""

IN_PHONE = {
    *WHATEVER_QUERY,
    "entries.entry",
    "entries.more",
    "history.history",
    "importing.choose",
    "index.index",
    "kept.offline",
    "new.new",
    "people.people",
    "questions.game",
    "questions.match_question",
    "questions.match_questions",
    "questions.question",
    "questions.questions",
    "remarks.object_to",
    "rulebook.compare",
    "rulebook.rulebook",
    "rulebook.catalogue",
    "saved_rulings.look",
    "sheets.sheet",
}
"""Pages that the phone caches for the time without network; those of a match for its owner alone."""


SEEN = "X-Seen"
"""The header of a request whether a page is still current: it holds the page's age, "LOG.ACCESS"."""


def is_background() -> bool:
    """True if the phone fetches a page in the background, so that one-time messages are not used up."""
    return "X-Keep" in request.headers or SEEN in request.headers


def _may_be_cached() -> bool:
    """True if a browser may cache a page: one without names, or a form, to find it again by going back."""
    if request.endpoint in TYPED_IN or (request.endpoint == "entries.entry" and "edit" in request.args):
        return True
    return g.get("match") is None and request.endpoint in NAMELESS
