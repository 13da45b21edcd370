"""What stands before the app on a host that has other things too: HTTPS, and a path for each of them."""

import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Literal

from line import Line

PREFIX = "/karty"
_OTHER = b"<!doctype html><title>Another site</title><p>What else there is on this host."

Way = Literal["hands the path on", "leaves the path out"]


class Front(Line):
    """A line with HTTPS, to an app below a path; what else is asked of the host is written down."""

    def __init__(self, server: str, folder: Path, way: Way) -> None:
        super().__init__(server)
        self.strayed: list[str] = []
        self._way = way
        guarded = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        guarded.load_cert_chain(*_make_certificate(folder))
        self._proxy.socket = guarded.wrap_socket(
            self._proxy.socket, server_side=True, do_handshake_on_connect=False
        )
        self.address = f"https://127.0.0.1:{self._proxy.server_port}"
        self.site = self.address + PREFIX

    def carry(self, handler: BaseHTTPRequestHandler) -> None:
        """One request; what the browser claims to come by is replaced."""
        if not f"{handler.path}/".startswith(f"{PREFIX}/") and not handler.path.startswith(f"{PREFIX}?"):
            if handler.path != "/favicon.ico":
                self.strayed.append(handler.path)
            self._answer(handler, 200, [("Content-Type", "text/html")], _OTHER)
            return
        for name, value in (
            ("X-Forwarded-For", handler.client_address[0]),
            ("X-Forwarded-Proto", "https"),
            ("X-Forwarded-Host", handler.headers["Host"]),
            ("X-Forwarded-Prefix", PREFIX),
        ):
            del handler.headers[name]
            handler.headers[name] = value
        if self._way == "leaves the path out":
            handler.path = handler.path.removeprefix(PREFIX) or "/"
        super().carry(handler)


@contextmanager
def open_front(server: str, folder: Path, way: Way) -> Iterator[Front]:
    """A front before an app; in the end nothing may have been asked of it beside that."""
    front = Front(server, folder, way)
    yield front
    front.close()
    assert front.strayed == []


def _make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate that nobody vouches for, and its key."""
    certificate, key = folder / "front.pem", folder / "front.key"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", "req", "-x509", *subject, *made], check=True, capture_output=True)
    return certificate, key
