"""A job, the key of its result, its limits, and the errors raised if there is no result."""

import pickle
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Job:
    """A module-level function to be called by a worker; its arguments are pickled.

    Its result is bytes; what it raises is raised to the caller. `key` names the result: a hash of all that it
    depends on. A job on files has its result beside them, in `folder`, and its `key` is a name there; such a
    job may take long.
    """

    key: str
    function: Callable[..., bytes]
    arguments: tuple[Any, ...] = ()
    folder: Path | None = None

    @property
    def is_long(self) -> bool:
        """True if it may take minutes."""
        return self.folder is not None

    @property
    def name(self) -> str:
        """The unique name of this job."""
        return self.key if self.folder is None else f"{self.folder.name}/{self.key}"


def compute_key(*parts: str) -> str:
    """The key of a result: a hash of all that it depends on."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]


PAGE_TIMEOUT = 2.0
"""Seconds that a page waits for a job before it shows that it is under way."""


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """The limits of one process of the server."""

    workers: int = 2
    """Jobs that are done at once; this is a setting."""
    worker_seconds: float = 120
    """Seconds that a job may take."""
    long_seconds: float = 3600
    """Seconds that a job on files may take."""
    worker_memory: float = 1500
    """Megabytes (of addresses) that a worker may have."""
    page_timeout: float = field(default_factory=lambda: PAGE_TIMEOUT)

    waiting: int = 3
    """Pages that may wait at once; all other threads are for pages that need no job."""
    per_browser: int = 4
    """Unfinished jobs that one browser may have."""
    per_group: int = 16
    """Unfinished jobs that all unknown browsers at one address may have together."""
    in_all: int = 60
    """Unfinished jobs that all browsers may have together."""
    grown: float = 250
    """A worker whose peak memory exceeded this many megabytes is replaced after its job."""
    max_jobs: int = 200
    """A worker is replaced after this many jobs."""
    idle_seconds: float = 300
    """A worker is stopped after this many idle seconds."""

    @property
    def long_jobs(self) -> int:
        """The number of long jobs that run at once: of several workers, one is left for short jobs."""
        return max(1, self.workers - 1)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a job: for how many `seconds` it has been known, and how many others come `before` it.

    `before` is None once a worker has it. `count` of `total` pieces are done, if the job reports that.
    """

    seconds: float
    before: int | None = None
    count: int = 0
    total: int = 0


class UnderWay(Exception):
    """The job is queued or running; asking again will return the result."""

    def __init__(self, progress: Progress) -> None:
        super().__init__(progress)
        self.progress = progress


class NotTaken(Exception):
    """The job was not accepted; it may be asked for again in `wait` seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait


class QueueFull(NotTaken):
    """The queue is full."""


class AskedTooMuch(NotTaken):
    """This browser has as many unfinished jobs as it may."""


class NoAnswer(Exception):
    """The job was started, and has no result; `wait` as above."""

    wait = 60


class TookTooLong(NoAnswer):
    """The job exceeded its time limit."""


class OutOfMemory(NoAnswer):
    """The job exceeded its memory limit."""


class WorkerEnded(NoAnswer):
    """The worker process died, and so did a second one; or none could be started."""

    wait = 10


def make_portable(error: Exception) -> Exception:
    """A picklable copy of an error; a note says where it was raised."""
    where = "".join(traceback.format_exception(error))
    try:
        copy = pickle.loads(pickle.dumps(error.with_traceback(None)))
        portable = copy if isinstance(copy, Exception) else RuntimeError(repr(error))
    except Exception:  # noqa: BLE001  # whatever may be wrong with it
        portable = RuntimeError(repr(error))
    if not hasattr(portable, "__notes__"):
        portable.add_note(where)
    return portable
