"""What whoever asks is told in place of an answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of work is: since how many `seconds`, and how many others come `before` it.

    `before` is None once a worker is at it.
    """

    seconds: float
    before: int | None = None


class UnderWay(Exception):
    """The work has begun, or waits for its turn; whoever asks again gets the answer some day."""

    def __init__(self, progress: Progress) -> None:
        super().__init__(progress)
        self.progress = progress


class NotTaken(Exception):
    """Nothing was begun; `wait` is in how many seconds it may be asked again."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait


class QueueFull(NotTaken):
    """As much is waiting as may."""


class AskedTooMuch(NotTaken):
    """This browser has asked as much as it may before it is answered."""


class NoAnswer(Exception):
    """The work was begun, and there will be no answer; `wait` as above."""

    wait = 60


class TookTooLong(NoAnswer):
    """It took longer than work may take."""


class OutOfMemory(NoAnswer):
    """It needed more memory than work may have."""


class WorkerEnded(NoAnswer):
    """The process that was at it ended, and so did the one after it; or there was none to be had."""

    wait = 10
