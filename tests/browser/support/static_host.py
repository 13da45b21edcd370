"""A host of static files with the app below a path, which comes and goes, and notes what is asked of it."""

import os
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from offline_app import build
from phone import ROOT, free_port

AT = "/cards/"


class _Handler(SimpleHTTPRequestHandler):
    """Sends files as they are, and 404.html for what is not there."""

    def __init__(self, *words: Any, asked: list[str], **more: Any) -> None:
        self._asked = asked
        super().__init__(*words, **more)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / AT.strip("/") / "404.html"
        if code != 404 or not page.is_file():
            return super().send_error(code, message, explain)
        content = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *words: Any) -> None:
        self._asked.append(str(self.path))


class StaticHost:
    """The host; `folder` is what it sends, `asked` the paths that browsers asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked = folder, list[str]()
        self._port = free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        self._running: ThreadingHTTPServer | None = None

    @property
    def site(self) -> str:
        """Where the app is."""
        return f"{self.address}{AT}"

    @property
    def is_running(self) -> bool:
        """True while it sends files."""
        return self._running is not None

    def write(self, **settings: str) -> None:
        """Write the app into it by the command, or bring it up to date."""
        problem = build()
        assert problem == "", problem
        command = [
            sys.executable,
            "-m",
            "companion.cli",
            "site",
            str(self.folder / AT.strip("/")),
            "--at",
            AT,
        ]
        named = {f"COMPANION_{name}": value for name, value in settings.items()}
        done = subprocess.run(
            command, cwd=ROOT, env=_outside() | named, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        """Send files."""
        if self._running is not None:
            return
        handler = partial(_Handler, directory=str(self.folder), asked=self.asked)
        self._running = ThreadingHTTPServer(("127.0.0.1", self._port), handler)
        threading.Thread(target=self._running.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Send nothing any more: whoever asks is refused."""
        if self._running is not None:
            self._running.shutdown()
            self._running.server_close()
            self._running = None


def _outside() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
