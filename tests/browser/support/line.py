"""The line between a phone and the server: what is sent on it arrives, is lost, or is answered in vain."""

import contextlib
import http.client
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Literal
from urllib.parse import urlsplit

Fate = Literal["arrives", "is lost", "is answered in vain", "hangs", "is too much"]
"""What becomes of a request. *Answered in vain*: the server did what was asked, and its answer is lost."""

_PER_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Line:
    """A proxy in front of a server. `fate` decides for each request, by its method and path.

    Each request has a connection of its own: where one that was kept open breaks, browsers ask once more.
    """

    def __init__(self, server: str) -> None:
        self.fate: Callable[[str, str], Fate] = lambda method, path: "arrives"
        self.sent: list[tuple[str, str, Fate]] = []
        self.requests: list[str] = []
        """The same with their whole addresses, headers and bodies."""
        self._stop, self._goes_on = b"", Event()
        self._goal = urlsplit(server).netloc
        self._closing = Event()
        line = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                line.carry(self)

            do_POST = do_GET  # as the base class calls it

            def log_message(self, *_what: object) -> None:
                pass

        self._proxy = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._proxy.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._proxy.server_port}"
        Thread(target=self._proxy.serve_forever, args=(0.02,), daemon=True).start()  # how soon it ends

    def cut(self) -> None:
        """From now on nothing arrives."""
        self.fate = lambda method, path: "is lost"

    def mend(self) -> None:
        """From now on everything arrives."""
        self.fate = lambda method, path: "arrives"

    def stop_after(self, text: str) -> None:
        """Answers in which this stands arrive as far as its last place, the rest of them after `go_on`."""
        self._stop = text.encode()

    def go_on(self) -> None:
        """The rest of what has stopped arrives, and all else at once."""
        self._goes_on.set()

    def close(self) -> None:
        """End it."""
        self._goes_on.set()
        self._closing.set()
        self._proxy.shutdown()
        self._proxy.server_close()

    def carry(self, handler: BaseHTTPRequestHandler) -> None:
        """One request, and perhaps its answer."""
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        path = handler.path.partition("?")[0]
        fate = self.fate(handler.command, path)
        self.sent.append((handler.command, path, fate))
        self.requests.append(f"{handler.requestline}\n{handler.headers}\n{body.decode('latin-1')}")
        match fate:
            case "arrives":
                self._answer(handler, *self._ask(handler, body))
                return
            case "is answered in vain":
                self._ask(handler, body)
            case "is too much":
                self._answer(handler, 503, [("Content-Type", "text/plain"), ("Retry-After", "1")], b"later")
                return
            case "hangs":
                self._closing.wait(60)

    def _ask(self, handler: BaseHTTPRequestHandler, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        headers = {
            name: header for name, header in handler.headers.items() if name.lower() not in _PER_CONNECTION
        }
        connection = http.client.HTTPConnection(self._goal, timeout=60)
        try:
            connection.request(handler.command, handler.path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        except (OSError, http.client.HTTPException):  # it may have ended amid its answer
            return 502, [("Content-Type", "text/plain")], b"nobody is there"
        finally:
            connection.close()

    def _answer(
        self, handler: BaseHTTPRequestHandler, status: int, headers: list[tuple[str, str]], body: bytes
    ) -> None:
        handler.send_response_only(status)
        for name, value in headers:
            if name.lower() not in _PER_CONNECTION:
                handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        with contextlib.suppress(ConnectionError):  # whoever asked is no longer there
            handler.end_headers()
            begun, stop, rest = body.rpartition(self._stop) if self._stop else (b"", b"", body)
            if stop:
                handler.wfile.write(begun + stop)
                self._goes_on.wait(60)
            handler.wfile.write(rest)
