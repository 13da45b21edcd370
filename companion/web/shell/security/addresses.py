"""What a request is addressed to, and how large it may be; looked at before all else.

Refused are a host that is none of ours, and an address longer than any page of ours makes.
"""

from collections.abc import Iterable
from string import punctuation
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from flask import Flask, request
from werkzeug.exceptions import RequestURITooLarge, SecurityError
from werkzeug.sansio.utils import get_host

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_ADDRESS = 16_000
"""Bytes of an address, with what stands behind the `?`: a dispute with all its cards has a quarter of it."""
MAX_FORM, MAX_FIELDS = 500_000, 1000
"""Bytes of a form, and parts of one that is sent as such; what takes files says more."""
_REFUSAL = "companion.refusal"
"""The key of the error that a request is answered with, in what a server hands on of it."""
_LANGUAGE = 4
"""Letters at the beginning of a path that say its language: /en/."""


def init_app(app: Flask) -> None:
    """Refuse long addresses, and a `Host` that is no name, or none of `HOSTS` where these are set."""
    app.config["TRUSTED_HOSTS"] = app.config["HOSTS"] or None  # as Flask calls them
    app.wsgi_app = AddressCheck(app, app.wsgi_app)  # type: ignore[method-assign]  # as Flask says it is done
    app.before_request(_refuse)


def refuse_address(environ: "WSGIEnvironment") -> None:
    """Let a request be answered as one that is addressed to somebody else."""
    environ[_REFUSAL] = SecurityError


class AddressCheck:
    """Marks what is refused, and puts something usable in its place: for the page that says so.

    Bytes of a query that are no ASCII are written as escapes, as browsers do.
    """

    def __init__(self, app: Flask, wsgi_app: "WSGIApplication") -> None:
        self._app, self._wsgi_app = app, wsgi_app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        path, query = environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", "")
        if len(path) + len(query) > MAX_ADDRESS:
            path, query = path[:_LANGUAGE], ""
            environ |= {_REFUSAL: RequestURITooLarge, "PATH_INFO": path, "QUERY_STRING": query, "RAW_URI": ""}
        trusted = self._app.config["TRUSTED_HOSTS"]
        if not _is_usable(environ, trusted):
            refuse_address(environ)
            environ["HTTP_HOST"] = trusted[0].lstrip(".") if trusted else "localhost"
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
    refusal = request.environ.get(_REFUSAL)
    if refusal is not None:
        raise refusal
