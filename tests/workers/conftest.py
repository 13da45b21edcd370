"""Workers of a test's own."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.workers import Desk, HeavyTask, WorkerLimits
from companion.workers import desk as desks

LONG = 300
"""Seconds that nothing takes, however slow the machine is."""


@pytest.fixture
def make_desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Makes a desk, patient unless a test says otherwise; each has workers of its own."""
    made = []

    def make(**limits: Any) -> Desk:
        desks._find_crew.cache_clear()
        made.append(Desk(tmp_path / "answers", WorkerLimits(**{"worker_patience": LONG} | limits)))
        return made[-1]

    yield make
    for desk in made:
        desk.close()


@pytest.fixture
def desk(make_desk: Callable[..., Desk]) -> Desk:
    """A desk with one worker."""
    return make_desk(workers=1)


class Asking(threading.Thread):
    """Somebody who asks, and what came of it."""

    def __init__(self, desk: Desk, task: HeavyTask, browser: str = "browser") -> None:
        super().__init__()
        self._desk, self._task, self._browser = desk, task, browser
        self.answer: bytes | None = None
        self.fault: Exception | None = None
        self.start()

    def run(self) -> None:
        """Ask."""
        try:
            self.answer = self._desk.ask(self._task, self._browser)
        except Exception as fault:  # noqa: BLE001  # the test says which
            self.fault = fault


def wait_until(fact: Callable[[], Any]) -> None:
    """Wait until something is so, which it will be soon."""
    until = time.monotonic() + LONG
    while not fact():
        assert time.monotonic() < until
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
