"""A PostgreSQL server that a test starts, stops and kills as it likes."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from stores.postgres import find_tool

LONG = 60
"""Seconds that no start takes, however slow the machine is."""


class KilledCluster:
    """A PostgreSQL server in a folder of its own, as one has it: what it acknowledges is on the disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # The server refuses to run as root, so root runs it as the user its package made.
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user)
        self._run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
        self.start()

    @property
    def address(self) -> str:
        return f"postgresql://postgres@/postgres?host={self._folder}"

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

    def start(self) -> None:
        """Start it; after a kill its last processes may need a moment to end."""
        where = f"-c listen_addresses= -c unix_socket_directories={self._folder}"
        until = time.monotonic() + LONG
        while True:
            try:
                return self._run("pg_ctl", "-w", "-s", "-l", str(self._folder / "log"), "-o", where, "start")
            except AssertionError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)

    def stop(self, mode: str = "fast") -> None:
        """Stop it; `immediate` leaves all to the recovery of the next start."""
        self._run("pg_ctl", "-m", mode, "-w", "-s", "stop")

    def kill(self) -> None:
        """End its first process by `kill -9`; the others notice, and end as well."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def _run(self, tool: str, *arguments: str) -> None:
        # To a file, not a pipe: the server would keep that open for as long as it runs.
        with tempfile.TemporaryFile() as told:
            done = subprocess.run(
                [find_tool(tool), "-D", str(self._folder / "data"), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=told,
                cwd="/",
                user=self._user,
                env={**os.environ, "HOME": str(self._folder)},
            )
            told.seek(0)
            assert done.returncode == 0, told.read().decode(errors="replace")
