"""Workers of a test's own."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.jobs import Dispatcher, Job, WorkerLimits
from companion.jobs import dispatcher as dispatchers

LONG = 300
"""Seconds that nothing takes, however slow the machine is."""


@pytest.fixture
def make_dispatcher(tmp_path: Path) -> Iterator[Callable[..., Dispatcher]]:
    """Makes a dispatcher, patient unless a test says otherwise; each has workers of its own."""
    made = []

    def make(**limits: Any) -> Dispatcher:
        dispatchers._find_pool.cache_clear()
        made.append(Dispatcher(tmp_path / "answers", WorkerLimits(**{"page_timeout": LONG} | limits)))
        return made[-1]

    yield make
    for dispatcher in made:
        dispatcher.close()


@pytest.fixture
def dispatcher(make_dispatcher: Callable[..., Dispatcher]) -> Dispatcher:
    return make_dispatcher(workers=1)


class Asking(threading.Thread):
    def __init__(self, dispatcher: Dispatcher, job: Job, browser: str = "browser") -> None:
        super().__init__()
        self._dispatcher, self._job, self._browser = dispatcher, job, browser
        self.result: bytes | None = None
        self.error: Exception | None = None
        self.start()

    def run(self) -> None:
        try:
            self.result = self._dispatcher.ask(self._job, self._browser)
        except Exception as error:  # noqa: BLE001  # the test says which
            self.error = error


def wait_until(fact: Callable[[], Any]) -> None:
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
