"""Browsers for apps that are called right here: that of a server, and that of a phone, in whatever Python."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode

Pairs = list[tuple[str, str]]
HOST = "companion.test"
SITE = f"http://{HOST}"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Origin": SITE}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", "replace")


class Sender(Protocol):
    """Whoever sends requests for a walk."""

    def send(
        self, method: str, path: str, form: Pairs | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """The answer to a request; `path` may have a query."""


class Browser:
    """A browser that keeps its cookies; it has these from the beginning."""

    def __init__(self, app: Any, **cookies: str) -> None:
        self._client = app.test_client()
        for name, value in cookies.items():
            self._client.set_cookie(name, value, domain=HOST)

    def send(
        self, method: str, path: str, form: Pairs | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        sent = dict(headers or {})
        if method == "POST":
            sent |= FORM
        body = urlencode(form or [])
        answer = self._client.open(path, base_url=SITE, method=method, data=body, headers=sent)
        return Answer(answer.status_code, dict(answer.headers), answer.data)


@dataclass
class BridgeBrowser:
    """A phone's browser, which asks its own app; that keeps the cookies.

    All that is written is at the server before the next request, lest pages say of it that it is not.
    """

    bridge: Any

    def send(
        self, method: str, path: str, form: Pairs | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        for row in self.bridge._store.tables.matches.values():
            row.confirmed, row.is_known = len(row.events), True
        said = dict(headers or {})
        if method == "POST":
            said |= FORM
        body = urlencode(form or []).encode()
        status, reported, content = self.bridge.handle(method, f"{SITE}{path}", body, json.dumps(said))
        return Answer(status, dict(json.loads(reported)), content)
