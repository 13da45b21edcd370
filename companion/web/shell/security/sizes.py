"""How large a request may be: more than any page of ours makes is not even looked at."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask, request
from werkzeug.exceptions import RequestURITooLarge

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_ADDRESS = 16_000
"""Bytes of an address, with what stands behind the `?`: a dispute with all its cards has a quarter of it."""
MAX_FORM, MAX_FIELDS = 500_000, 1000
"""Bytes of a form, and parts of one that is sent as such; what takes files says more."""
_TOO_LONG = "companion.too_long"
_LANGUAGE = 4
"""Letters at the beginning of a path that say its language: /en/."""


def init_app(app: Flask) -> None:
    """Refuse longer ones."""
    app.wsgi_app = AddressLength(app.wsgi_app)  # type: ignore[method-assign]  # as Flask says it is done
    app.before_request(_refuse)


class AddressLength:
    """Cuts off what is too long, so that no page repeats it; the page that refuses it can be made."""

    def __init__(self, wsgi_app: "WSGIApplication") -> None:
        self._wsgi_app = wsgi_app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if len(path) + len(environ.get("QUERY_STRING", "")) > MAX_ADDRESS:
            environ |= {_TOO_LONG: True, "PATH_INFO": path[:_LANGUAGE], "QUERY_STRING": "", "RAW_URI": ""}
        return self._wsgi_app(environ, start_response)


def _refuse() -> None:
    if request.environ.get(_TOO_LONG):
        raise RequestURITooLarge
