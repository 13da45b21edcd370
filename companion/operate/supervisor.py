"""Several processes that serve, kept running: one that ends or hangs is replaced by another."""

import logging
import mmap
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from .process import Process

STOP_SECONDS = 30.0
"""Seconds they may take to finish when they are to stop."""
HANG_SECONDS = 60.0
"""A process without a heartbeat for this many seconds is killed."""
_INTERVAL = 0.2
_LOG = logging.getLogger("companion.operate")


class Supervisor:
    """Keeps processes running that do the same work, each made by a fork."""

    def __init__(self, number: int, work: Callable[[Process], None], forget: Callable[[int], None]) -> None:
        self._work, self._forget = work, forget
        self._processes: list[int | None] = [None] * number
        self._beats = memoryview(mmap.mmap(-1, 8 * number)).cast("d")  # shared with all of them
        self._signals = 0

    def run(self) -> None:
        """Serve until a signal says to stop; in each of the processes this ends with `SystemExit`."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note_signal)
        while not self._signals:
            for place, pid in enumerate(self._processes):
                if pid is not None and self._beats[place] < time.monotonic() - HANG_SECONDS:
                    os.kill(pid, signal.SIGKILL)
                if pid is None or self._has_ended(pid):
                    self._processes[place] = self._start(place)
            time.sleep(_INTERVAL)
        self._stop()

    def _note_signal(self, _number: int, _frame: Any) -> None:
        self._signals += 1

    def _start(self, place: int) -> int:
        parent = os.getpid()
        self._beats[place] = time.monotonic()
        pid = os.fork()
        if pid:
            return pid

        def beat() -> bool:
            self._beats[place] = time.monotonic()
            return os.getppid() == parent  # the processes of a server that was killed end by themselves

        process = Process(beat)
        if not self._signals:  # which the parent has not passed on to this one
            self._work(process)
        sys.exit(0)

    def _has_ended(self, pid: int) -> bool:
        found, status = os.waitpid(pid, os.WNOHANG)
        if not found:
            return False
        self._forget(pid)
        if not self._signals:
            code = os.waitstatus_to_exitcode(status)
            how = signal.Signals(-code).name if code < 0 else f"code {code}"
            _LOG.warning("process %d has ended by %s; another one takes its place", pid, how)
        return True

    def _stop(self) -> None:
        """Wait for all of them to finish; signals that arrive meanwhile are passed on."""
        until, passed_on = time.monotonic() + STOP_SECONDS, 0
        left = [pid for pid in self._processes if pid is not None]
        while left:
            if time.monotonic() > until:
                for pid in left:
                    os.kill(pid, signal.SIGKILL)
            elif passed_on < self._signals:
                passed_on = self._signals
                for pid in left:
                    os.kill(pid, signal.SIGTERM)
            left = [pid for pid in left if not self._has_ended(pid)]
            time.sleep(_INTERVAL / 4)
