"""What a request is addressed to, looked at first: a host that is none of ours, bytes that are no text."""

from collections.abc import Iterable
from string import punctuation
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from flask import Flask, request
from werkzeug.exceptions import SecurityError
from werkzeug.sansio.utils import get_host

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

REFUSED = "companion.refused"
"""In what a server hands on of a request: its address is none that is answered to."""


def init_app(app: Flask) -> None:
    """Refuse a `Host` that is no name, or none of `HOSTS` where these are set."""
    app.config["TRUSTED_HOSTS"] = app.config["HOSTS"] or None  # as Flask calls them
    app.wsgi_app = AddressCheck(app, app.wsgi_app)  # type: ignore[method-assign]  # as Flask says it is done
    app.before_request(_refuse)


class AddressCheck:
    """Puts a name of ours in the place of a bad one, so that the page that refuses it can be made.

    Bytes of a query that are no ASCII are written as escapes, as browsers do.
    """

    def __init__(self, app: Flask, wsgi_app: "WSGIApplication") -> None:
        self._app, self._wsgi_app = app, wsgi_app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        trusted = self._app.config["TRUSTED_HOSTS"]
        if not _is_usable(environ, trusted):
            environ[REFUSED] = True
            environ["HTTP_HOST"] = trusted[0].lstrip(".") if trusted else "localhost"
        query = environ.get("QUERY_STRING", "")
        if not query.isascii():
            environ["QUERY_STRING"] = quote(query.encode("latin-1"), safe=punctuation)
        return self._wsgi_app(environ, start_response)


def _is_usable(environ: "WSGIEnvironment", trusted: Any) -> bool:
    name = environ.get("HTTP_HOST")
    try:
        host = get_host(environ["wsgi.url_scheme"], name, None, trusted)
        host.partition(":")[0].encode("idna").decode("idna")
    except (SecurityError, UnicodeError):
        return False
    return bool(host) or not name


def _refuse() -> None:
    if request.environ.get(REFUSED):
        raise SecurityError
