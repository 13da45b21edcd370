"""Whether the server lives (`/healthz`), and whether it can do its work (`/readyz`): for machines that ask.

Both are answered before all else, by any host name, with a word; cookies, log and limits have no part in it.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from flask import Flask

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

ALIVE, READY = "/healthz", "/readyz"


def init_app(app: Flask, find_problem: Callable[[], str | None]) -> None:
    """Answer both; `find_problem` says, with the app at hand, why the app could do nothing just now."""
    app.extensions["health"] = health = Health(app, app.wsgi_app, find_problem)
    app.wsgi_app = health  # type: ignore[method-assign]  # as Flask says it is done


class Health:
    """Answers what is asked of the server's health, and hands on all else."""

    is_stopping = False
    """Whether the server finishes what is under way, and is to be asked nothing new."""

    def __init__(
        self, app: Flask, wsgi_app: "WSGIApplication", find_problem: Callable[[], str | None]
    ) -> None:
        self._app, self._wsgi_app, self._find_problem = app, wsgi_app, find_problem

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "").removeprefix(self._app.config["PREFIX"])
        if path not in (ALIVE, READY):
            return self._wsgi_app(environ, start_response)
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            status, text = "405 Method Not Allowed", "ask by GET"
        elif path == READY and (problem := self._check()):
            status, text = "503 Service Unavailable", problem
        else:
            status, text = "200 OK", "alive" if path == ALIVE else "ready"
        body = f"{text}\n".encode()
        headers = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        more = [("Allow", "GET, HEAD")] if status.startswith("405") else []
        more += [("Retry-After", "5")] if status.startswith("503") else []
        start_response(status, headers + more)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]

    def _check(self) -> str | None:
        if self.is_stopping:
            return "the server is stopping"
        with self._app.app_context():
            return self._find_problem()
