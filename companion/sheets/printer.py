"""Prints for the web: in a process of its own, so that no page waits for a sheet, and each sheet once."""

import contextlib
import multiprocessing
import os
import signal
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from .pdf import compute_edition, render_pdf, warm_up

_PATIENCE = 60
"""Seconds to wait for one sheet; the longest match takes a few."""
_QUEUE = 5
"""How many sheets may be waited for at once; whoever waits holds up a thread that could show pages."""
_KEEP = 200
"""How many printed sheets are kept."""


class PrintInterrupted(Exception):
    """The process that printed a sheet ended early, as did the next one; or there was none to be had."""


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A printed sheet and its key: the same key, the same bytes."""

    key: str
    pdf: bytes


def compute_key(document: str, paper: str) -> str:
    """The key of a sheet: a hash of all that is on it, and of all that decides how it looks."""
    return sha256("\0".join((compute_edition(), paper, document)).encode()).hexdigest()[:40]


class Printer:
    """Prints documents in one process beside the app's, made when it is first needed."""

    def __init__(self, shelf: Path) -> None:
        self._shelf = shelf
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._queue = threading.Semaphore(_QUEUE)

    def print(self, document: str, paper: str) -> PrintedSheet:
        """The sheet: from the shelf, or printed now and put there.

        :raises CannotPrint: where a library of the system is missing.
        :raises PrintInterrupted: when the process ended meanwhile, perhaps for want of memory.
        :raises TimeoutError: when it takes too long, or too many are waiting already.
        """
        name = compute_key(document, paper)
        place = self._shelf / f"{name}.pdf"
        try:
            pdf = place.read_bytes()
            os.utime(place)
        except OSError:
            if not self._queue.acquire(blocking=False):
                raise TimeoutError from None
            try:
                pdf = self._print_afresh(document, paper)
            finally:
                self._queue.release()
            self._put_on_shelf(place, pdf)
        return PrintedSheet(name, pdf)

    def warm_up(self) -> None:
        """Start the process, if there is none, and let it get ready; waits for nothing.

        Whoever looks at a sheet may soon want it on paper. What goes wrong here is told when it is printed.
        """
        with self._lock:
            if self._pool is None:
                try:
                    self._start_pool().submit(warm_up)
                except OSError:
                    self._pool = None  # no process to be had just now

    def close(self) -> None:
        """Let the process go; it comes back when something is printed."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)

    def _print_afresh(self, document: str, paper: str) -> bytes:
        for attempt in (1, 2):
            pool = self._get_pool()
            try:
                return pool.submit(_render, document, paper).result(timeout=_PATIENCE)
            except TimeoutError:
                raise
            except (BrokenProcessPool, OSError) as error:
                # The system may have taken its memory away: once more with a new one.
                self._drop_pool(pool)
                if attempt == 2:
                    raise PrintInterrupted from error
        raise AssertionError("unreachable")

    def _get_pool(self) -> ProcessPoolExecutor:
        with self._lock:
            return self._pool or self._start_pool()

    def _start_pool(self) -> ProcessPoolExecutor:
        self._pool = ProcessPoolExecutor(
            1, mp_context=multiprocessing.get_context("spawn"), initializer=_stay_with_the_app
        )
        return self._pool

    def _drop_pool(self, pool: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._pool is pool:
                self._pool = None
        pool.shutdown(wait=False, cancel_futures=True)

    def _put_on_shelf(self, place: Path, pdf: bytes) -> None:
        """Put a sheet on the shelf in one piece, and take off what was not asked for the longest."""
        try:
            self._shelf.mkdir(mode=0o700, parents=True, exist_ok=True)  # names stand on sheets
            handle, half = tempfile.mkstemp(dir=self._shelf, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(pdf)
                Path(half).replace(place)
            except OSError:
                Path(half).unlink(missing_ok=True)
                raise
            kept = sorted(self._shelf.glob("*.pdf"), key=lambda one: one.stat().st_mtime)
            for old in kept[:-_KEEP]:
                old.unlink(missing_ok=True)
        except OSError:
            return  # a full disk costs the time of printing again, nothing else


def _render(document: str, paper: str) -> bytes:
    """Print a document, in the process beside the app's; what never ends, ends that process."""
    signal.alarm(_PATIENCE)
    try:
        return render_pdf(document, paper)
    finally:
        signal.alarm(0)


def _stay_with_the_app() -> None:
    """Print until the app's process lets this one go, or is gone itself."""
    for stop in (signal.SIGINT, signal.SIGTERM):  # sent to all processes at once; the app finishes its prints
        signal.signal(stop, signal.SIG_IGN)

    def follow() -> None:
        app = multiprocessing.parent_process()
        if app is not None:
            with contextlib.suppress(OSError):
                app.join()
        os._exit(0)

    threading.Thread(target=follow, daemon=True).start()
