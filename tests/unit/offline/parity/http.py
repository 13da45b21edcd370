"""A browser for an app that is called right here: cookies, forms and headers, and nothing but Python in it.

It runs in a phone's Python as well, where no server's libraries are.
"""

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes, urlencode, urlsplit

Pairs = list[tuple[str, str]]
HOST = "companion.test"


@dataclass(frozen=True)
class Answer:
    """What was answered."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def text(self) -> str:
        """What it says."""
        return self.content.decode("utf-8", "replace")


class Sender(Protocol):
    """Whoever sends requests for a walk."""

    def send(
        self, method: str, path: str, form: Pairs | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """The answer to a request; `path` may have a query."""


@dataclass
class Browser:
    """A browser that keeps its cookies."""

    app: Any
    cookies: dict[str, str] = field(default_factory=dict)

    def send(
        self, method: str, path: str, form: Pairs | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """The answer of the app."""
        parts, body = urlsplit(path), urlencode(form or []).encode()
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": _unquote(parts.path),
            "QUERY_STRING": parts.query,
            "REQUEST_URI": path,
            "RAW_URI": path,
            "SERVER_NAME": HOST,
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": HOST,
            "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        if method == "POST":
            environ |= {"CONTENT_TYPE": "application/x-www-form-urlencoded", "CONTENT_LENGTH": str(len(body))}
            environ["HTTP_ORIGIN"] = f"http://{HOST}"
        environ |= {
            f"HTTP_{name.upper().replace('-', '_')}": header for name, header in (headers or {}).items()
        }
        reported: list[Any] = []

        def begin(status: str, sent: Iterable[tuple[str, str]], _fault: object = None) -> Any:
            reported[:] = [int(status.split()[0]), list(sent)]
            return reported.append

        chunks = self.app.wsgi_app(environ, begin)
        content = b"".join(chunks)
        if hasattr(chunks, "close"):
            chunks.close()
        self._keep_cookies(reported[1])
        return Answer(reported[0], dict(reported[1]), content)

    def _keep_cookies(self, sent: Iterable[tuple[str, str]]) -> None:
        for name, value in sent:
            if name.lower() == "set-cookie":
                pair, *attributes = value.split("; ")
                key, _, content = pair.partition("=")
                self.cookies[key] = content
                if "Max-Age=0" in attributes:
                    del self.cookies[key]


@dataclass
class BridgeBrowser:
    """A phone's browser, which asks its own app; that keeps the cookies.

    All that is written is at the server before the next request, lest pages say of it that it is not.
    """

    bridge: Any

    def send(
        self, method: str, path: str, form: Pairs | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """The answer of the app."""
        for row in self.bridge._store.tables.matches.values():
            row.confirmed, row.is_known = len(row.events), True
        said = dict(headers or {})
        if method == "POST":
            said |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{HOST}"}
        body = urlencode(form or []).encode()
        status, reported, content = self.bridge.handle(method, f"http://{HOST}{path}", body, json.dumps(said))
        return Answer(status, dict(json.loads(reported)), content)


def _unquote(path: str) -> str:
    """A path as WSGI has it: bytes, told as Latin-1."""
    return unquote_to_bytes(path).decode("latin-1")
