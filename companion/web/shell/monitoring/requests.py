"""What became of each request: a line of the log and a count, where somebody wants them; nobody is named.

A page is named by its route, a match by a short digest of its id; addresses, forms, names and tokens are
recorded nowhere.
"""

import logging
import time
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from flask import Flask, current_app, g, has_request_context, request

from companion.operate.metrics import Metrics

from .browser_kinds import describe_browser

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOGGER = "companion.requests"
_METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"}
_SEEN = "companion.seen"
_RULED = {"api.rule", "questions.match_question", "questions.question"}
"""Pages that answer a dispute, when they were asked."""
_BEGUN = {"new.start", "scoreboard.rematch"}


def init_app(app: Flask) -> None:
    """Watch requests, as far as the settings ask for it."""
    app.extensions["metrics"] = Metrics() if app.config["METRICS_PORT"] else None
    if app.config["METRICS_PORT"] or app.config["LOG"] == "json":
        app.teardown_request(_note)
        app.wsgi_app = Observer(app, app.wsgi_app)  # type: ignore[method-assign]  # as Flask says it is done


def metrics() -> Metrics | None:
    """Where the app counts, if it does."""
    found: Metrics | None = current_app.extensions["metrics"]
    return found


def count_event(kind: str) -> None:
    """Count what was written in a match."""
    counting = metrics()
    if counting is not None:
        counting.count_event(kind)


def describe_request() -> dict[str, Any]:
    """What may be recorded of the request that is being answered."""
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
    """A mark by which lines about one match can be found, and nobody gets to it."""
    return sha256(f"log:{id}".encode("utf-8", "replace")).hexdigest()[:10]


def _note(_error: BaseException | None) -> None:
    request.environ[_SEEN] = describe_request() | {"asked": "asked" in request.args}


class Observer:
    """Looks at each request from outside: how long it took, how it was answered."""

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
    """What was done by a request, of what is counted."""
    endpoint = seen["endpoint"]
    if endpoint in _RULED and status == 200 and (asked or endpoint == "api.rule"):
        yield "rulings"
    if endpoint.endswith("_pdf") and status == 200:
        yield "prints"
    if endpoint in _BEGUN and status == 303:
        yield "matches"
    if seen.get("match") and seen["method"] == "POST" and status == 409:
        yield "stale_writes"
    if status in (429, 503):
        yield "refusals"
