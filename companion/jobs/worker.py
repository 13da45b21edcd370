"""One worker: a process that is made when it is first needed, and replaced when it ended or has grown."""

import multiprocessing
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from pebble import ProcessExpired, ProcessPool

from . import worker_process
from .errors import OutOfMemory, TookTooLong, WorkerEnded
from .limits import WorkerLimits
from .task import HeavyTask

_TRIALS = 2
"""The system may have taken a process's memory away: once more with a new one."""


class Worker:
    """Does one piece of work after the other, each in a process that is not this one. For one thread."""

    def __init__(self, limits: WorkerLimits) -> None:
        self._limits = limits
        self._pool: Any = None
        self._done = 0

    def do(self, task: HeavyTask) -> bytes:
        """The answer.

        :raises TookTooLong: when it is not there in time; its process is ended.
        :raises OutOfMemory: when the process has no more memory for it.
        :raises WorkerEnded: when the process ended, and the one after it too; or the system gives none.
        :raises Exception: what the work itself raises.
        """
        done = self._find(task)
        self._done += 1
        if (
            done.megabytes > self._limits.grown
            or self._done >= self._limits.most_tasks
            or isinstance(done.fault, MemoryError)
        ):
            self.let_go()
        if isinstance(done.fault, MemoryError):
            raise OutOfMemory from done.fault
        if done.fault is not None:
            raise done.fault
        return done.answer

    def _find(self, task: HeavyTask) -> worker_process.DoneWork:
        for trial in range(_TRIALS):
            try:
                done: worker_process.DoneWork = self._schedule(task).result()
            except TimeoutError as error:
                self.let_go()
                raise TookTooLong from error
            except (ProcessExpired, BrokenProcessPool, RuntimeError, OSError) as error:
                self.let_go()
                if trial == _TRIALS - 1:
                    raise WorkerEnded from error
            else:
                return done
        raise AssertionError("unreachable")

    def let_go(self) -> None:
        """Let the process go, if there is one."""
        pool, self._pool, self._done = self._pool, None, 0
        if pool is not None:
            pool.stop()
            pool.join()

    def _schedule(self, task: HeavyTask) -> Any:
        if self._pool is None:
            self._pool = ProcessPool(
                1,
                initializer=worker_process.begin,
                initargs=(self._limits.worker_memory,),
                context=multiprocessing.get_context("spawn"),
            )
        return self._pool.schedule(
            worker_process.do_work, (task.function, task.arguments), timeout=self._limits.worker_seconds
        )
