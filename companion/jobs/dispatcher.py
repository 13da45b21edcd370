"""The entry point for jobs: results are looked up, or computed by a worker."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from .job import Job, NotTaken, UnderWay, WorkerLimits
from .pool import GROUP, Order, WorkerPool
from .results import ResultCache, Results

_POLL_INTERVAL = 0.05
"""Seconds between two checks for a result that another process is computing."""


class Dispatcher:
    """Provides the results of one instance, computed by the workers of this process."""

    def __init__(self, folder: Path, limits: WorkerLimits) -> None:
        """Set up the dispatcher; `folder` stores the results that depend only on their key."""
        self._cache, self._pool, self._limits = ResultCache(folder), _find_pool(limits), limits
        self._ordering = threading.Lock()
        self._may_wait = threading.Semaphore(limits.waiting)
        self._prepared = dict[Callable[[], bytes], float]()

    def ask(self, job: Job, browser: str) -> bytes:
        """The result, at once or after a short wait, in the turn of `browser` (see `address_group`).

        If too many are waiting already, there is no wait.

        :raises UnderWay: if it takes longer; ask again.
        :raises NotTaken: if too much was asked, by this browser or by all.
        :raises NoAnswer: if the job ended without a result.
        :raises Exception: what the job raises.
        """
        results = self._results_of(job)
        result = results.find(job.key)
        if result is not None:
            return result
        with self._ordering:
            order = self._pool.find(job.name) or self._place_order(job, browser, results)
        if not self._may_wait.acquire(blocking=False):
            return self._wait(job, order, results, 0)
        try:
            return self._wait(job, order, results, self._limits.page_timeout)
        finally:
            self._may_wait.release()

    def do_now(self, job: Job) -> bytes:
        """The result of a job that is short enough to run in this thread.

        :raises UnderWay: if another thread or process is doing it.
        :raises Exception: what the job raises, now or when it was done.
        """
        results = self._results_of(job)
        result = results.find(job.key)
        if result is not None:
            return result
        order = self._reserve(job, "", results)
        if order is None:
            raise UnderWay(results.look_up(job.key))
        if not order.done.is_set():
            try:
                order.finish(job.function(*job.arguments))
            except Exception as error:
                order.finish(error=error)
                raise
        return order.result

    def prepare(self, function: Callable[[], bytes]) -> None:
        """Let a worker call this to prepare for coming jobs; does not wait."""
        now = time.monotonic()
        if now < self._prepared.get(function, now) or not self._pool.is_idle:
            return
        self._prepared[function] = now + self._limits.idle_seconds / 2
        key = f"prepare {function.__module__}.{function.__qualname__}"
        with suppress(NotTaken):
            self._pool.add(Order(Job(key, function), ""))

    @property
    def held(self) -> int:
        """The number of jobs of this process that are waiting or being done."""
        return self._pool.held

    def close(self) -> None:
        """Stop the workers; they are started again by the next job."""
        self._pool.close()
        self._prepared.clear()

    def _results_of(self, job: Job) -> Results:
        return self._cache if job.folder is None else Results(job.folder)

    def _place_order(self, job: Job, browser: str, results: Results) -> Order | None:
        """Order a job of the workers; None while another process does it."""
        order = self._reserve(job, browser, results)
        if order is not None and not order.done.is_set():
            try:
                self._pool.add(order)
            except NotTaken:
                order.cancel()
                raise
        return order

    def _reserve(self, job: Job, browser: str, results: Results) -> Order | None:
        """An order reserved on this machine; already finished if there is a result."""
        reservation = results.reserve(job.key)
        if reservation is None:
            return None
        order = Order(job, browser, results, reservation)
        try:
            found = results.find(job.key)  # another process may have finished it just now
        except Exception:
            order.cancel()
            raise
        if found is not None:
            order.cancel()
            order.result = found
            order.done.set()
        return order

    def _wait(self, job: Job, order: Order | None, results: Results, timeout: float) -> bytes:
        if order is not None:
            if not order.done.wait(timeout):
                raise UnderWay(results.look_up(job.key))
            if order.error is not None:
                raise order.error
            return order.result
        until = time.monotonic() + timeout
        while True:
            result = results.find(job.key)
            if result is not None:
                return result
            if time.monotonic() >= until:
                raise UnderWay(results.look_up(job.key))
            time.sleep(_POLL_INTERVAL)


def address_group(address: str) -> str:
    """The name that all unknown browsers at one address share in the queue."""
    return GROUP + address


@lru_cache(maxsize=8)
def _find_pool(limits: WorkerLimits) -> WorkerPool:
    """The worker pool of this process, shared by all instances it serves."""
    return WorkerPool(limits)
