"""What is raised in place of a result."""

import pickle
import traceback
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is: for how many `seconds` it has been known, and how many others come `before` it.

    `before` is None once a worker is at it. `count` of `total` pieces are done, where the job says so.
    """

    seconds: float
    before: int | None = None
    count: int = 0
    total: int = 0


class UnderWay(Exception):
    """The job waits for its turn or is being done; whoever asks again gets the result in the end."""

    def __init__(self, progress: Progress) -> None:
        super().__init__(progress)
        self.progress = progress


class NotTaken(Exception):
    """The job was not taken; it may be asked for again in `wait` seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait


class QueueFull(NotTaken):
    """The queue is full."""


class AskedTooMuch(NotTaken):
    """This browser has as many unfinished jobs as it may."""


class NoAnswer(Exception):
    """The job was begun, and has no result; `wait` as above."""

    wait = 60


class TookTooLong(NoAnswer):
    """It took longer than a job may take."""


class OutOfMemory(NoAnswer):
    """It needed more memory than a job may have."""


class WorkerEnded(NoAnswer):
    """Its process ended, and so did a second one; or none could be started."""

    wait = 10


def make_portable(error: Exception) -> Exception:
    """The same error, so that it can be pickled; a note says where it was raised."""
    where = "".join(traceback.format_exception(error))
    try:
        copy = pickle.loads(pickle.dumps(error.with_traceback(None)))
        portable = copy if isinstance(copy, Exception) else RuntimeError(repr(error))
    except Exception:  # noqa: BLE001  # whatever may be wrong with it
        portable = RuntimeError(repr(error))
    if not hasattr(portable, "__notes__"):
        portable.add_note(where)
    return portable
