"""Where answers lie: files of the instance folder, for every process of this machine."""

import fcntl
import json
import os
import pickle
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import Progress

_MAX_FILES = 1000
_MAX_BYTES = 200_000_000
"""How much is kept; what was not asked for the longest goes first."""
_FAULT_SECONDS = 8
"""For how long it is told that there will be no answer, before it is tried anew."""
_OLD = 24 * 3600
"""Seconds after which a lock that nobody holds is swept up."""


class Reservation:
    """The right of one process to find an answer, of all that are asked for it; it ends with the process."""

    def __init__(self, file: int, place: Path) -> None:
        self._file, self._place = file, place
        self._since = time.time()

    def note(self, before: int | None) -> None:
        """Let the other processes know how many come before it; None once a worker is at it."""
        text = json.dumps([self._since, before]).encode()
        with suppress(OSError):
            os.pwrite(self._file, text.ljust(60), 0)

    @property
    def seconds(self) -> float:
        """For how long it has been held."""
        return max(0.0, time.time() - self._since)

    def end(self) -> None:
        """Let others look for themselves."""
        with suppress(OSError):
            self._place.unlink()  # while it is held, so that it is nobody else's
        os.close(self._file)


class Shelf:
    """Answers by their keys. Whatever the disk may say against it costs the time to find them again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, key: str) -> bytes | None:
        """The answer, if it lies here.

        :raises Exception: what was raised in place of an answer, a moment ago.
        """
        place = self.folder / key
        try:
            answer = place.read_bytes()
            os.utime(place)
        except OSError:
            self._raise_fault(key)
            return None
        return answer

    def put(self, key: str, answer: bytes) -> None:
        """Put an answer here, in one piece, and take off what there is too much of."""
        with suppress(OSError):
            self._write(self.folder / key, answer)
            self._sweep()

    def put_fault(self, key: str, fault: Exception) -> None:
        """Put here for a moment what was raised in place of an answer."""
        with suppress(OSError):
            self._write(self.folder / f"{key}.fault", pickle.dumps(fault))

    def reserve(self, key: str) -> Reservation | None:
        """The right to find this answer; None while another process, or thread, has it."""
        place = self.folder / f"{key}.lock"
        while True:
            try:
                self._make_folder()
                file = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:  # a full disk: whoever is asked finds it alone
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
        """How far another process is, as it says itself."""
        try:
            since, before = json.loads((self.folder / f"{key}.lock").read_bytes())
            return Progress(max(0.0, time.time() - since), before)
        except (OSError, ValueError, TypeError):
            return Progress(0)

    def _raise_fault(self, key: str) -> None:
        place = self.folder / f"{key}.fault"
        try:  # what lies in this folder is ours alone, as the key of the server that lies beside it
            is_new = place.stat().st_mtime > time.time() - _FAULT_SECONDS
            fault = pickle.loads(place.read_bytes()) if is_new else None
        except OSError:
            return
        except Exception:  # noqa: BLE001  # whatever half a file may say
            fault = None
        if fault is not None:
            raise fault
        with suppress(OSError):
            place.unlink()

    def _write(self, place: Path, content: bytes) -> None:
        self._make_folder()
        handle, half = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(half).replace(place)
        except OSError:
            Path(half).unlink(missing_ok=True)
            raise

    def _make_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # names stand on sheets

    def _sweep(self) -> None:
        files, room = list(self._list_files()), _MAX_BYTES
        for number, (at, size, place) in enumerate(sorted(files, reverse=True)):
            is_answer = not place.suffix
            room -= size
            if is_answer and (number >= _MAX_FILES or room < 0):
                place.unlink(missing_ok=True)
            elif not is_answer and at < time.time() - _OLD:
                with _held_by_nobody(place) as is_free:
                    if is_free:
                        place.unlink(missing_ok=True)

    def _list_files(self) -> Iterator[tuple[float, int, Path]]:
        for place in self.folder.iterdir():
            with suppress(OSError):
                state = place.stat()
                yield state.st_mtime, state.st_size, place


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
