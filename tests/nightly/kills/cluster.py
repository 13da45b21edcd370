"""A PostgreSQL server that a test kills as it likes."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from stores.postgres import Cluster

LONG = 60
"""Seconds that no start takes, however slow the machine is."""


class KilledCluster(Cluster):
    """A PostgreSQL server as one has it, so that what it acknowledges is on the disk; it may be killed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, options="")

    @property
    def pid(self) -> int:
        """The first of its processes."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    @property
    def is_running(self) -> bool:
        """Whether it has not given up."""
        try:
            os.kill(self.pid, 0)
        except (OSError, IndexError):
            return False
        return True

    def kill(self) -> None:
        """End its first process by `kill -9`; the others notice, and end as well."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def start(self) -> None:
        """Start it; after a kill its last processes may need a moment to end."""
        until = time.monotonic() + LONG
        while True:
            try:
                return super().start()
            except AssertionError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
