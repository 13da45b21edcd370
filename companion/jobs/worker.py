"""One worker: a process that is started when it is needed, and replaced when it has ended or grown.

The code below the line runs in that process: it keeps within its limits, and ends with the app.
"""

import contextlib
import multiprocessing
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from pebble import ProcessExpired, ProcessPool

from .job import Job, OutOfMemory, TookTooLong, WorkerEnded, WorkerLimits, make_portable
from .scratch import remove_scratch, sweep, use_scratch

_ATTEMPTS = 2
"""The number of attempts: the system may have killed the first process for lack of memory."""
_NICENESS = 5
"""Niceness of workers, so that requests for pages go first."""
_MEGABYTE = 1_000_000
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""The unit, in bytes, in which the system reports the memory of a process."""


@dataclass(frozen=True, slots=True)
class DoneJob:
    """A result, or the error raised instead; and the peak memory of its process in megabytes."""

    result: bytes
    error: Exception | None
    megabytes: float


class Worker:
    """A separate process that runs one job after the other. For one thread."""

    def __init__(self, limits: WorkerLimits) -> None:
        self._limits = limits
        self._pool: Any = None
        self._done = 0

    def do(self, job: Job) -> bytes:
        """Do a job; return its result.

        :raises TookTooLong: if it takes too long; its process is ended.
        :raises OutOfMemory: if the process has no more memory for it.
        :raises WorkerEnded: if the process ended, and the one after it too; or the system starts none.
        :raises Exception: what the job itself raises.
        """
        done = self._run(job)
        self._done += 1
        if (
            done.megabytes > self._limits.grown
            or self._done >= self._limits.max_jobs
            or isinstance(done.error, MemoryError)
        ):
            self.stop()
        if isinstance(done.error, MemoryError):
            raise OutOfMemory from done.error
        if done.error is not None:
            raise done.error
        return done.result

    def stop(self) -> None:
        """End the process, if there is one."""
        pool, self._pool, self._done = self._pool, None, 0
        if pool is not None:
            pool.stop()
            pool.join()
            sweep()

    def _run(self, job: Job) -> DoneJob:
        for attempt in range(_ATTEMPTS):
            try:
                done: DoneJob = self._schedule(job).result()
            except TimeoutError as error:
                self.stop()
                raise TookTooLong from error
            except (ProcessExpired, BrokenProcessPool, RuntimeError, OSError) as error:
                self.stop()
                if attempt == _ATTEMPTS - 1:
                    raise WorkerEnded from error
            else:
                return done
        raise AssertionError("unreachable")

    def _schedule(self, job: Job) -> Any:
        if self._pool is None:
            self._pool = ProcessPool(
                1,
                initializer=_begin,
                initargs=(self._limits.worker_memory,),
                context=multiprocessing.get_context("spawn"),
            )
        seconds = self._limits.long_seconds if job.is_long else self._limits.worker_seconds
        return self._pool.schedule(_do, (job.function, job.arguments), timeout=seconds)


# --- in the process of a worker ------------------------------------------------------------------


def _begin(megabytes: float) -> None:
    """Initialise a worker process: apply its limits."""
    for stop in (signal.SIGINT, signal.SIGTERM):  # sent to all processes at once; the app ends this one
        signal.signal(stop, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    most = int(megabytes * _MEGABYTE)
    with contextlib.suppress(OSError, ValueError):  # where the system knows no such limit, or a lower one
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    use_scratch()
    threading.Thread(target=_end_with_the_app, daemon=True).start()


def _do(function: Callable[..., bytes], arguments: tuple[Any, ...]) -> DoneJob:
    result, error = b"", None
    try:
        result = function(*arguments)
    except Exception as raised:  # noqa: BLE001  # it is raised where it was asked
        error = make_portable(raised)
    return DoneJob(result, error, _peak_memory() / _MEGABYTE)


def _peak_memory() -> int:
    """Peak memory of this process in bytes.

    In `getrusage` Linux also counts the memory of the process that started this one.
    """
    with (
        contextlib.suppress(OSError),
        open("/proc/self/status", encoding="ascii", errors="replace") as status,
    ):
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT


def _end_with_the_app() -> None:
    app = multiprocessing.parent_process()
    if app is not None:
        with contextlib.suppress(OSError):
            app.join()
    remove_scratch()
    os._exit(0)
