"""Trays: folders in which files lie for a day, each one browser's, and what is done with them aside.

A deed is done outside of any request, and may take its time: the tray says how far it is, in files, so that
every process of the server knows. One that was interrupted is begun again when somebody looks.
"""

import contextlib
import fcntl
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

KEPT = 24 * 3600
"""Seconds for which a tray is kept after it was last used."""
MAX_ROOM = 2 * 1024**3
"""Bytes that all trays may take; beyond that nobody gets a new one."""
MAX_TRAYS = 3
"""Of one browser and kind; the oldest makes room for a new one."""
MAX_WAITING = 8
"""Deeds of one process of the server that wait for their turn."""
_INTERVAL = 0.2
"""Seconds between two notes of how far a deed is."""
_TRIES, _MOMENT = 5, 0.02
"""How often, and after how many seconds, a lock is tried again that somebody may only look at."""

Progress = Callable[[int, int], None]
Work = Callable[[Progress], Any]


class NoRoom(Exception):
    """There are as many trays, or deeds that wait, as there may be."""


@dataclass(frozen=True, slots=True)
class Course:
    """How far a deed is: "none" while it was not begun, or was interrupted; "waiting", "working", "failed",
    or "done", and then what came of it. `count` of `total` pieces are ready, as far as that is known."""

    state: str
    count: int = 0
    total: int = 0
    outcome: Any = None


@dataclass(frozen=True, slots=True)
class Tray:
    """One tray: its folder, and the key that addresses have for it."""

    path: Path
    key: str

    def write(self, name: str, value: Any) -> None:
        """Put JSON into the tray, whole or not at all."""
        _write(self.path / f"{name}.json", json.dumps(value, ensure_ascii=False))

    def read(self, name: str) -> Any:
        """The JSON of this name; None where there is none."""
        try:
            return json.loads((self.path / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def forget(self, name: str) -> None:
        """Take the JSON of this name out of the tray."""
        (self.path / f"{name}.json").unlink(missing_ok=True)

    def open(self, name: str) -> BinaryIO:
        """A file of the tray to be written anew; nobody else on the machine may read it."""
        return os.fdopen(os.open(self.path / name, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600), "w+b")

    def remove(self) -> None:
        """The tray with all that lies in it."""
        shutil.rmtree(self.path, ignore_errors=True)


class Trays:
    """All trays of one server, under one folder; a pair of hands that works aside in this process."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, Lock()
        self._hands = ThreadPoolExecutor(1, "trays")
        self._under_way: dict[tuple[str, str], Future[None]] = {}

    # --- trays -----------------------------------------------------------------------------------

    def lay_out(self, kind: str, owner: str) -> Tray:
        """A new tray. :raises NoRoom: when all of them take too much room."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._clear_away()
        own = sorted(self._folder.glob(f"{kind}-{_mark(owner)}-*"), key=_used_at)
        for old in own[: max(0, len(own) - MAX_TRAYS + 1)]:
            shutil.rmtree(old, ignore_errors=True)
        if sum(one.stat().st_size for one in self._folder.rglob("*") if one.is_file()) > MAX_ROOM:
            raise NoRoom
        key = secrets.token_urlsafe(12)
        path = self._path(kind, owner, key)
        path.mkdir(mode=0o700)
        return Tray(path, key)

    def find(self, kind: str, owner: str | None, key: str) -> Tray | None:
        """The tray of this browser with this key, if it is still there."""
        if owner is None or not re.fullmatch(r"[\w-]{16}", key, re.ASCII):
            return None
        path = self._path(kind, owner, key)
        if not path.is_dir():
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return Tray(path, key)

    def list_all(self, kind: str, owner: str | None) -> list[Tray]:
        """All trays of this kind that a browser has."""
        if owner is None:
            return []
        start = f"{kind}-{_mark(owner)}-"
        return [Tray(path, path.name.removeprefix(start)) for path in self._folder.glob(f"{start}*")]

    def _path(self, kind: str, owner: str, key: str) -> Path:
        return self._folder / f"{kind}-{_mark(owner)}-{key}"

    def _clear_away(self) -> None:
        for old in self._folder.iterdir():
            if _used_at(old) < time.time() - KEPT:
                shutil.rmtree(old, ignore_errors=True)

    # --- deeds -----------------------------------------------------------------------------------

    def begin(self, tray: Tray, deed: str, work: Work, patience: float = 0) -> Course:
        """Begin a deed, unless it is done or under way; how far it is after so many seconds at most.

        :raises NoRoom: when too many wait for their turn.
        """
        with self._lock:
            self._under_way = {at: one for at, one in self._under_way.items() if not one.done()}
            waiting = self._under_way.get((tray.key, deed))
            if waiting is None:
                course = self.look(tray, deed)
                if course.state != "none":
                    return course
                if len(self._under_way) >= MAX_WAITING:
                    raise NoRoom
                waiting = self._hands.submit(_do, tray, deed, work)
                self._under_way[tray.key, deed] = waiting
        with contextlib.suppress(TimeoutError):
            waiting.exception(patience)  # what went wrong is told by how far it is
        return self.look(tray, deed)

    def look(self, tray: Tray, deed: str) -> Course:
        """How far a deed is."""
        outcome = tray.read(deed)
        if outcome is not None:
            return Course("failed") if outcome.get("failed") else Course("done", outcome=outcome["outcome"])
        count, total = tray.read(f"{deed}-progress") or (0, 0)
        under_way = self._under_way.get((tray.key, deed))
        if _is_locked(tray, deed):
            return Course("working", count, total)
        if under_way is not None and not under_way.done():
            return Course("waiting")
        return Course("none", count, total)


def _do(tray: Tray, deed: str, work: Work) -> None:
    with _locked(tray, deed) as is_mine:
        if not is_mine or tray.read(deed) is not None:
            return
        last = 0.0

        def note(count: int, total: int) -> None:
            nonlocal last
            if time.monotonic() > last + _INTERVAL:
                tray.write(f"{deed}-progress", [count, total])
                last = time.monotonic()

        try:
            tray.write(deed, {"outcome": work(note)})
        except Exception:
            with contextlib.suppress(OSError):
                tray.write(deed, {"failed": True})
            raise


@contextlib.contextmanager
def _locked(tray: Tray, deed: str) -> Iterator[bool]:
    """Hold the lock of a deed, if nobody else does; whoever ends lets go of it, however that came about."""
    with tray.open(f"{deed}.lock") as file:
        yield any(_takes(file) for _try in range(_TRIES))


def _takes(file: BinaryIO) -> bool:
    """Whether the lock could be had; else after a moment, for who only looks lets go of it at once."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        time.sleep(_MOMENT)
        return False
    return True


def _is_locked(tray: Tray, deed: str) -> bool:
    try:
        with (tray.path / f"{deed}.lock").open("r") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _write(path: Path, text: str) -> None:
    fresh = path.with_suffix(f".{secrets.token_hex(4)}")
    with os.fdopen(os.open(fresh, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)


def _used_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _mark(owner: str) -> str:
    """What the folder's names have for a browser: it tells nobody the token."""
    return sha256(f"tray:{owner}".encode()).hexdigest()[:16]
