"""The server as one starts it: a process of its own on a port of its own."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from serving import change_constants, serve_command

ROOT = Path(__file__).resolve().parents[3]
PAGE_TIMEOUT = "companion.jobs.job.PAGE_TIMEOUT"
LONG = 60
"""Seconds that nothing takes, however slow the machine is."""


def ask(port: int, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    """The answer of what listens on a port, by a new connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    try:
        named = {name.replace("_", "-"): header for name, header in headers.items()}
        connection.request("GET", path, headers=named)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


class RunningServer:
    """A server that was started, and answers."""

    def __init__(self, instance: Path, port: int, settings: Mapping[str, str], **more: Any) -> None:
        self.port = port
        self._seen: dict[int, None] = {}
        # A session of its own, so that what a test leaves over can be ended with it.
        self.process = subprocess.Popen(
            serve_command(port),
            cwd=ROOT,
            env={**os.environ, "COMPANION_INSTANCE": str(instance), "COMPANION_LIMITS": "off", **settings},
            start_new_session=True,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **more},
        )
        until = time.monotonic() + LONG
        while not self._answers():
            assert self.process.poll() is None, self.process.stdout and self.process.stdout.read().decode()
            assert time.monotonic() < until
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            return self.get("/en/")[0] == 200
        except OSError:
            return False

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=LONG)

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        """Status and body of a page, by a new connection."""
        answer, body = ask(self.port, path, **headers)
        return answer.status, body

    def family(self) -> list[int]:
        """The processes that the first one has started, and those that these have."""
        found, parents = [self.process.pid], living()
        for pid in found:
            found += [child for child, parent in parents.items() if parent == pid]
        self._seen |= dict.fromkeys(found[1:])
        return found[1:]

    def seen(self) -> list[int]:
        """Those there are, and those there were whenever this was asked."""
        self.family()
        return list(self._seen)

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


def living() -> dict[int, int]:
    """The processes there are, but for those that have ended, each with its parent."""
    parents = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = place.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(place.parent.name)] = int(parent)
    return parents


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def run_server(tmp_path: Path, port: int) -> Iterator[Callable[..., RunningServer]]:
    """Starts the server, on the same port and folder each time; named settings go without `COMPANION_`."""
    running = []

    def run(
        preexec_fn: Callable[[], None] | None = None,
        constants: Mapping[str, float] | None = None,
        **settings: str,
    ) -> RunningServer:
        named = {f"COMPANION_{name}": value for name, value in settings.items()}
        named |= change_constants({PAGE_TIMEOUT: 50} | dict(constants or {}))
        running.append(RunningServer(tmp_path, port, named, preexec_fn=preexec_fn))
        return running[-1]

    yield run
    for server in running:
        server.end()


def wait_until(fact: Callable[[], bool]) -> None:
    """Wait until something is so, which it will be soon."""
    until = time.monotonic() + LONG
    while not fact():
        assert time.monotonic() < until
        time.sleep(0.05)
