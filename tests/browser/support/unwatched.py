"""A browser that no tool is attached to: what a tool looks at, Chromium never stops, however idle it is."""

import json
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import quote

from phone import free_port

_PATIENCE = 150.0
"""Seconds until something is given up, on a machine that does much else."""


class Unwatched:
    """It runs on a profile, which nobody else may use meanwhile; it is only asked what there is in it."""

    def __init__(self, launch: dict[str, Any], profile: Path) -> None:
        self._port = free_port()
        options = [f"--remote-debugging-port={self._port}", f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            [launch["executable_path"], *launch["args"], *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.wait_until(self._answers)

    def close(self) -> None:
        """End it, as one does."""
        self._process.terminate()
        self._process.wait(30)

    def open(self, address: str) -> None:
        """A page in a tab of its own."""
        self._ask(f"new?{quote(address, safe=':/?=&')}", "PUT")

    def find_worker(self, script: str) -> str | None:
        """Which one runs with a script of this address, if any does; started again it is another one."""
        found = [
            item["id"]
            for item in self._ask("list")
            if (item["type"], item["url"]) == ("service_worker", script)
        ]
        return str(found[0]) if found else None

    def wait_until(self, fact: Any) -> None:
        """Wait until something is so. :raises AssertionError: where it takes too long."""
        until = time.monotonic() + _PATIENCE
        while not fact():
            assert time.monotonic() < until, f"it does not come: {self._ask('list')}"
            time.sleep(0.2)

    def _answers(self) -> bool:
        try:
            self._ask("version")
        except OSError:
            return False
        return True

    def _ask(self, what: str, method: str = "GET") -> Any:
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}/json/{what}", method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
