"""The errors raised in place of a result."""

import pickle
import traceback
from dataclasses import dataclass


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
