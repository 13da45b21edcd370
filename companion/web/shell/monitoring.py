"""Monitoring of requests: a line of the log and a count, if the host wants them; nobody is named.

A page is named by its route, a match by a short digest of its id; addresses, forms, names and tokens are
recorded nowhere.
"""

import logging
import time
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from flask import Flask, current_app, g, has_request_context, request

from companion.operate.metrics import Metrics

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOGGER = "companion.requests"
_METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"}
_SEEN = "companion.seen"
_RULED = {"questions.match_question", "questions.question"}
"""Pages that rule on a question once it is asked."""
_RULED_AT_ONCE = {"api.rule": 200, "public_api.ask": 200, "public_api.save_ruling": 201}
"""Endpoints that always rule, with the status of a ruling."""
_BEGUN = {"new.start": 303, "scoreboard.rematch": 303, "public_api.begin_match": 201}
"""Endpoints that begin a match, with the status of success."""


def init_app(app: Flask) -> None:
    """Watch requests, as far as the settings ask for it."""
    app.extensions["metrics"] = Metrics() if app.config["METRICS_PORT"] else None
    if app.config["METRICS_PORT"] or app.config["LOG"] == "json":
        app.teardown_request(_note)
        app.wsgi_app = Observer(app, app.wsgi_app)  # type: ignore[method-assign]  # as Flask says it is done


def metrics() -> Metrics | None:
    """The metrics of the app, or None if it does not count."""
    found: Metrics | None = current_app.extensions["metrics"]
    return found


def count_event(kind: str) -> None:
    """Count an event written in a match."""
    counting = metrics()
    if counting is not None:
        counting.count_event(kind)


def describe_request() -> dict[str, Any]:
    """The facts of the current request that may be recorded."""
    if not has_request_context():
        return {}
    id = (request.view_args or {}).get("id")
    return {
        "method": request.method if request.method in _METHODS else "other",
        "endpoint": request.endpoint or "none",
        "lang": g.get("lang"),
        "match": digest(id) if isinstance(id, str) else None,
        "browser": describe_browser(request.headers.get("User-Agent", "")) or "other",
    }


def digest(id: str) -> str:
    """A digest that marks the log's lines about one match, and does not reveal its id."""
    return sha256(f"log:{id}".encode("utf-8", "replace")).hexdigest()[:10]


def _note(_error: BaseException | None) -> None:
    request.environ[_SEEN] = describe_request() | {"asked": "asked" in request.args}


class Observer:
    """A WSGI layer that records how long each request took and how it was answered."""

    def __init__(self, app: Flask, wsgi_app: "WSGIApplication") -> None:
        self._app, self._wsgi_app = app, wsgi_app
        self._metrics: Metrics | None = app.extensions["metrics"]
        self._log = logging.getLogger(LOGGER) if app.config["LOG"] == "json" else None

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        began, sent = time.perf_counter(), {"status": 500, "bytes": 0}

        def note(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            lengths = (value for name, value in headers if name.lower() == "content-length")
            sent.update(status=int(status[:3]), bytes=int(next(lengths, 0)))
            return start_response(status, headers, *more)

        try:
            return self._wsgi_app(environ, note)
        finally:
            seconds = time.perf_counter() - began
            seen = environ.get(_SEEN) or {"method": "other", "endpoint": "none"}
            asked = seen.pop("asked", False)
            if self._metrics is not None:
                self._metrics.count_request(seen["endpoint"], seen["method"], sent["status"], seconds)
                for action in _list_actions(seen, sent["status"], asked):
                    self._metrics.count(action)
            if self._log is not None:
                fields = {"event": "request", **seen, **sent, "ms": round(seconds * 1000, 1)}
                self._log.info("request", extra={"fields": fields})


def _list_actions(seen: dict[str, Any], status: int, asked: bool) -> Iterable[str]:
    """The actions of a request that are counted."""
    endpoint = seen["endpoint"]
    if _RULED_AT_ONCE.get(endpoint) == status or (endpoint in _RULED and asked and status == 200):
        yield "rulings"
    if endpoint.endswith("_pdf") and status == 200:
        yield "prints"
    if _BEGUN.get(endpoint) == status:
        yield "matches"
    if seen.get("match") and seen["method"] not in ("GET", "HEAD") and status in (409, 412):
        yield "stale_writes"
    if status in (429, 503):
        yield "refusals"


_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("FxiOS", "Firefox"),
    ("Firefox", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
"""The marks of systems and browsers, with their usual names; of several marks found the first counts."""


def describe_browser(user_agent: str) -> str:
    """The system and the browser that a `User-Agent` names; empty if it names no known one.

    >>> describe_browser("Mozilla/5.0 (Linux; Android 14; Pixel 5) AppleWebKit/537 Chrome/130.0 Safari/537")
    'Android, Chrome'
    """
    found = (
        next((name for mark, name in known if mark in user_agent), "") for known in (_SYSTEMS, _BROWSERS)
    )
    return ", ".join(filter(None, found))


ALIVE, READY = "/healthz", "/readyz"


def answer_health(app: Flask, find_problem: Callable[[], str | None]) -> None:
    """Answer both addresses; `find_problem` returns, in the app's context, why it cannot work now."""
    app.extensions["health"] = health = Health(app, app.wsgi_app, find_problem)
    app.wsgi_app = health  # type: ignore[method-assign]  # as Flask says it is done


class Health:
    """The health checks: the server lives (`/healthz`), and can do its work (`/readyz`).

    Both are answered before everything else, for any host name, with a word, without cookies, log and limits.
    All other requests are passed on.
    """

    is_stopping = False
    """True while the server finishes its requests and is to be asked nothing new."""

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
