"""Results of jobs: files of a folder, for every process of this machine."""

import fcntl
import json
import os
import pickle
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .job import Progress, make_portable

_MAX_FILES = 1000
_MAX_BYTES = 200_000_000
"""Bytes stored at most; the least recently used results are deleted first."""
_ERROR_SECONDS = 8
"""Seconds for which an error is stored before the job is tried again."""
_OLD = 24 * 3600
"""Seconds after which an unheld lock is removed."""


class Reservation:
    """The exclusive right of one process on this machine to do a job. It ends with the process."""

    def __init__(self, file: int, place: Path) -> None:
        self._file, self._place = file, place
        self._since = time.time()

    def note(self, before: int | None) -> None:
        """Tell the other processes the number of jobs before it; None once a worker has it."""
        text = json.dumps([self._since, before]).encode()
        with suppress(OSError):
            os.pwrite(self._file, text.ljust(60), 0)

    def end(self) -> None:
        """Release the reservation."""
        with suppress(OSError):
            self._place.unlink()  # while it is held, so that it is nobody else's
        os.close(self._file)


class Results:
    """Results by their keys. If the disk cannot store one, the job is done again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, key: str) -> bytes | None:
        """The result, if there is one.

        :raises Exception: what the job raised instead.
        """
        place = self.folder / key
        try:
            result = place.read_bytes()
            os.utime(place)
        except OSError:
            self._raise_error(key)
            return None
        return result

    def put(self, key: str, result: bytes) -> None:
        """Store a result atomically."""
        with suppress(OSError):
            self._write(self.folder / key, result)

    def put_error(self, key: str, error: Exception) -> None:
        """Store the error that a job raised."""
        with suppress(OSError):
            self._write(self.folder / f"{key}.error", pickle.dumps(make_portable(error)))

    def forget_error(self, key: str) -> None:
        """Let a job that failed be tried again."""
        with suppress(OSError):
            (self.folder / f"{key}.error").unlink()

    def reserve(self, key: str) -> Reservation | None:
        """The right to do this job; None while another process or thread has it."""
        place = self.folder / f"{key}.lock"
        while True:
            try:
                self._make_folder()
                file = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:  # a full disk: every process does the job for itself
                file = os.open(os.devnull, os.O_RDWR)
                return Reservation(file, place)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(file).st_ino == place.stat().st_ino:
                    break
            except FileNotFoundError:
                pass  # its holder has ended it meanwhile
            except OSError:
                os.close(file)
                return None
            os.close(file)
        reservation = Reservation(file, place)
        reservation.note(0)
        return reservation

    def look_up(self, key: str) -> Progress:
        """The progress of a job, as reported by the process that reserved it and by the worker."""
        try:
            since, before = json.loads((self.folder / f"{key}.lock").read_bytes())
        except (OSError, ValueError, TypeError):
            return Progress(0)
        try:
            count, total = json.loads((self.folder / f"{key}.progress").read_bytes())
        except (OSError, ValueError, TypeError):
            count = total = 0
        return Progress(max(0.0, time.time() - since), before, count, total)

    def put_progress(self, key: str, count: int, total: int) -> None:
        """Store the number of pieces of a job that are done."""
        with suppress(OSError):
            self._write(self.folder / f"{key}.progress", json.dumps([count, total]).encode())

    def _raise_error(self, key: str) -> None:
        place = self.folder / f"{key}.error"
        try:  # only this app writes into this folder, so that it may be unpickled
            error = pickle.loads(place.read_bytes()) if self._is_current(place) else None
        except OSError:
            return
        except Exception:  # noqa: BLE001  # half a file may raise anything
            error = None
        if error is not None:
            raise error
        self.forget_error(key)

    def _is_current(self, place: Path) -> bool:
        """True while a stored error is valid; that of a job on files is until it is forgotten."""
        return True

    def _write(self, place: Path, content: bytes) -> None:
        self._make_folder()
        write_file(place, content)

    def _make_folder(self) -> None:
        """Do not recreate the files of a job that were deleted."""


class ResultCache(Results):
    """Results that can be recomputed at any time: the least recently used are deleted."""

    def put(self, key: str, result: bytes) -> None:
        """Store a result, and delete the oldest beyond the limit."""
        super().put(key, result)
        with suppress(OSError):
            self._sweep()

    def _is_current(self, place: Path) -> bool:
        return place.stat().st_mtime > time.time() - _ERROR_SECONDS

    def _make_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # sheets have names on them

    def _sweep(self) -> None:
        files, room = list(self._list_files()), _MAX_BYTES
        for number, (at, size, place) in enumerate(sorted(files, reverse=True)):
            is_result = not place.suffix
            room -= size
            if is_result and (number >= _MAX_FILES or room < 0):
                place.unlink(missing_ok=True)
            elif not is_result and at < time.time() - _OLD:
                with _held_by_nobody(place) as is_free:
                    if is_free:
                        place.unlink(missing_ok=True)

    def _list_files(self) -> Iterator[tuple[float, int, Path]]:
        for place in self.folder.iterdir():
            with suppress(OSError):
                state = place.stat()
                yield state.st_mtime, state.st_size, place


def write_file(place: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file atomically; no other user of the machine may read it, unless the `mode` says so."""
    handle, half = tempfile.mkstemp(dir=place.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(half).chmod(mode)
        Path(half).replace(place)
    except OSError:
        Path(half).unlink(missing_ok=True)
        raise


@contextmanager
def _held_by_nobody(place: Path) -> Iterator[bool]:
    try:
        file = os.open(place, os.O_RDWR)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except OSError:
        yield False
    finally:
        os.close(file)
