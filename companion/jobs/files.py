"""Uploaded and generated files of browsers, stored for a day with the results of their jobs."""

import contextlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from .results import Results, write_file

LIFETIME = 24 * 3600
"""Seconds for which files are stored after their last use."""
MAX_BYTES = 2 * 1024**3
"""The most bytes that all files together may take; beyond that no more are accepted."""
MAX_FOLDERS = 3
"""The most folders per browser and kind; a new one replaces the oldest."""
_PROGRESS_INTERVAL = 0.2
"""Seconds between two progress reports of a job."""

ReportProgress = Callable[[int, int], None]
"""A function to be called with the number of pieces done, and of all."""


class NoRoom(Exception):
    """All files together take as much space as they may."""


@dataclass(frozen=True, slots=True)
class JobFiles:
    """The files of one job: their folder, and its key in addresses."""

    path: Path
    key: str

    @property
    def results(self) -> Results:
        """The results of the jobs on these files."""
        return Results(self.path)

    def write(self, name: str, value: Any) -> None:
        """Store a value as JSON."""
        write_file(self.path / f"{name}.json", json.dumps(value, ensure_ascii=False).encode())

    def read(self, name: str) -> Any:
        """The value stored by this name, or None."""
        try:
            return json.loads((self.path / f"{name}.json").read_bytes())
        except (OSError, ValueError):
            return None

    def open(self, name: str) -> BinaryIO:
        """Open a new file for writing; nobody else on the machine may read it."""
        return os.fdopen(os.open(self.path / name, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600), "w+b")

    def remove(self) -> None:
        """Delete the files."""
        _remove(self.path)

    def report_progress(self, job: str) -> ReportProgress:
        """A function that stores the progress of a job, not too often."""
        last = 0.0

        def report(count: int, total: int) -> None:
            nonlocal last
            if time.monotonic() > last + _PROGRESS_INTERVAL:
                self.results.put_progress(job, count, total)
                last = time.monotonic()

        return report


class JobFilesStore:
    """The files of all jobs of one instance."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def create(self, kind: str, owner: str) -> JobFiles:
        """Create a new folder.

        :raises NoRoom: if all of them take too much room.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.delete_old()
        own = sorted(self._folder.glob(f"{kind}-{_mark(owner)}-*"), key=_used_at)
        for old in own[: max(0, len(own) - MAX_FOLDERS + 1)]:
            _remove(old)
        if sum(map(_size, self._folder.glob("*/*"))) > MAX_BYTES:
            raise NoRoom
        key = secrets.token_urlsafe(12)
        path = self._path(kind, owner, key)
        path.mkdir(mode=0o700)
        return JobFiles(path, key)

    def find(self, kind: str, owner: str | None, key: str) -> JobFiles | None:
        """The files of this browser with this key, if they are still there."""
        if owner is None or not re.fullmatch(r"[\w-]{16}", key, re.ASCII):
            return None
        path = self._path(kind, owner, key)
        if not path.is_dir():
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return JobFiles(path, key)

    def list_all(self, kind: str, owner: str | None) -> list[JobFiles]:
        """All files of this kind that a browser has."""
        if owner is None:
            return []
        start = f"{kind}-{_mark(owner)}-"
        return [JobFiles(path, path.name.removeprefix(start)) for path in self._folder.glob(f"{start}*")]

    def _path(self, kind: str, owner: str, key: str) -> Path:
        return self._folder / f"{kind}-{_mark(owner)}-{key}"

    def delete_old(self) -> None:
        """Delete the files that nobody has used for a day."""
        for old in self._folder.glob("*"):
            if _used_at(old) < time.time() - LIFETIME:
                shutil.rmtree(old, ignore_errors=True)


def _remove(folder: Path) -> None:
    """Delete a folder; a process still writing into it no longer finds it, so that no half of it is left."""
    with contextlib.suppress(OSError):  # another one has just deleted it
        shutil.rmtree(folder.rename(folder.with_name(f"removed-{secrets.token_hex(8)}")), ignore_errors=True)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _used_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _mark(owner: str) -> str:
    """The name of a browser in folder names: its token cannot be derived from it."""
    return sha256(f"tray:{owner}".encode()).hexdigest()[:16]
