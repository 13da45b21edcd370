"""Workers of a test's own."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.jobs import Dispatcher, HeavyTask, WorkerLimits
from companion.jobs import dispatcher as dispatchers

LONG = 300
"""Seconds that nothing takes, however slow the machine is."""


@pytest.fixture
def make_dispatcher(tmp_path: Path) -> Iterator[Callable[..., Dispatcher]]:
    """Makes a desk, patient unless a test says otherwise; each has workers of its own."""
    made = []

    def make(**limits: Any) -> Dispatcher:
        dispatchers._find_pool.cache_clear()
        made.append(Dispatcher(tmp_path / "answers", WorkerLimits(**{"worker_patience": LONG} | limits)))
        return made[-1]

    yield make
    for dispatcher in made:
        dispatcher.close()


@pytest.fixture
def dispatcher(make_dispatcher: Callable[..., Dispatcher]) -> Dispatcher:
    """A desk with one worker."""
    return make_dispatcher(workers=1)


class Asking(threading.Thread):
    """Somebody who asks, and what came of it."""

    def __init__(self, dispatcher: Dispatcher, task: HeavyTask, browser: str = "browser") -> None:
        super().__init__()
        self._dispatcher, self._task, self._browser = dispatcher, task, browser
        self.answer: bytes | None = None
        self.fault: Exception | None = None
        self.start()

    def run(self) -> None:
        """Ask."""
        try:
            self.answer = self._dispatcher.ask(self._task, self._browser)
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
