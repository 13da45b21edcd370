"""The name under which the site was called: one that is none, or not ours, is refused with a page of ours."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, request
from werkzeug.exceptions import SecurityError
from werkzeug.sansio.utils import get_host

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_REFUSED = "companion.refused_host"


def init_app(app: Flask) -> None:
    """Refuse a `Host` that is no name, or none of `TRUSTED_HOSTS` where these are set."""
    app.wsgi_app = HostCheck(app, app.wsgi_app)  # type: ignore[method-assign]  # as Flask says it is done
    app.before_request(_refuse)


class HostCheck:
    """Puts a name of ours in the place of a bad one, so that the page that refuses it can be made."""

    def __init__(self, app: Flask, wsgi_app: "WSGIApplication") -> None:
        self._app, self._wsgi_app = app, wsgi_app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        trusted = self._app.config["TRUSTED_HOSTS"]
        if not _is_usable(environ, trusted):
            environ[_REFUSED] = True
            environ["HTTP_HOST"] = trusted[0].lstrip(".") if trusted else "localhost"
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
    if request.environ.get(_REFUSED):
        raise SecurityError
