"""The workers of one process of the app, and the choice of their next job."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING, Generic, TypeVar

from .job import AskedTooMuch, Job, QueueFull, WorkerEnded, WorkerLimits
from .results import Reservation, Results

ItemT = TypeVar("ItemT")


class FairQueue(Generic[ItemT]):
    """A round-robin queue: one item of each browser, then the next of each.

    An item that was taken counts as its browser's until it is finished. Not thread-safe by itself.
    """

    def __init__(self, in_all: int) -> None:
        self._in_all = in_all
        self._lines = OrderedDict[str, deque[ItemT]]()
        """The items of each browser; the browser whose turn is next comes first."""
        self._held = dict[str, int]()
        """The number of each browser's unfinished items, those that were taken included."""

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    @property
    def held(self) -> int:
        """The number of unfinished items."""
        return sum(self._held.values())

    def add(self, browser: str, item: ItemT, share: int, wait: int = 1) -> None:
        """Put an item at the end of its browser's line.

        `share` is the most items of this browser; `wait` the seconds after which a refused one may come
        again.

        :raises AskedTooMuch: if this browser has its share.
        :raises QueueFull: if there is no room for anybody.
        """
        if self._held.get(browser, 0) >= share:
            raise AskedTooMuch(wait)
        if self.held >= self._in_all:
            raise QueueFull(wait)
        self._held[browser] = self._held.get(browser, 0) + 1
        self._lines.setdefault(browser, deque()).append(item)

    def take(self, may_take: Callable[[ItemT], bool] = lambda item: True) -> ItemT | None:
        """Take the next item that may be taken, or None."""
        for browser, line in self._lines.items():
            for item in line:
                if may_take(item):
                    line.remove(item)
                    if line:
                        self._lines.move_to_end(browser)
                    else:
                        del self._lines[browser]
                    return item
        return None

    def finish(self, browser: str) -> None:
        """Count an item of this browser that was taken as finished."""
        self._held[browser] -= 1
        if not self._held[browser]:
            del self._held[browser]

    def count_before(self, item: ItemT) -> int | None:
        """The number of items before one that waits; None if it does not wait."""
        for turn, line in enumerate(self._lines.values()):
            if item in line:
                place = line.index(item)
                others = enumerate(self._lines.values())
                return sum(
                    place if at == turn else min(len(other), place + (at < turn)) for at, other in others
                )
        return None


if TYPE_CHECKING:
    from .worker import Worker

GROUP = "address "
"""Prefix of the name of a group of unknown browsers."""
_LONGEST_WAIT = 60
"""The longest wait in seconds announced to a refused browser."""


class Order:
    """A requested job: who asked first, and its outcome.

    Without `results` nobody waits for the result, and it is not stored.
    """

    def __init__(
        self, job: Job, browser: str, results: Results | None = None, reservation: Reservation | None = None
    ) -> None:
        self.job, self.browser = job, browser
        self._results, self._reservation = results, reservation
        self.is_group = browser.startswith(GROUP)
        self.done = threading.Event()
        self.result = b""
        self.error: Exception | None = None
        self.before: int | None = 0
        """The number of jobs before it; None once a worker has it."""

    def note(self, before: int | None) -> None:
        """Store the number of jobs before it, for callers in this or another process."""
        if before != self.before:
            self.before = before
            if self._reservation is not None:
                self._reservation.note(before)

    def finish(self, result: bytes = b"", error: Exception | None = None) -> None:
        """Store its outcome, then wake all waiting threads."""
        self.result, self.error = result, error
        if self._results is not None:
            if error is None:
                self._results.put(self.job.key, result)
            else:
                self._results.put_error(self.job.key, error)
        self.cancel()
        self.done.set()

    def cancel(self) -> None:
        """Give the job up, so that others may do it."""
        if self._reservation is not None:
            self._reservation.end()


class WorkerPool:
    """A few workers and their queue. Threads and processes are started when they are needed."""

    def __init__(self, limits: WorkerLimits) -> None:
        self.limits = limits
        self._changed = threading.Condition()
        self._queue: FairQueue[Order] = FairQueue(limits.in_all)
        self._orders: dict[str, Order] = {}
        self._long = 0
        """The number of long jobs being done."""
        self._threads: list[threading.Thread] = []
        self._idle: list[threading.Thread] = []
        """Idle workers; the one that worked last is last, and the first to work again."""
        self._usual = 1.0
        """Recent average duration of a short job, in seconds."""
        self._closed = False

    def find(self, name: str) -> Order | None:
        """The order of this job, until it is finished."""
        with self._changed:
            return self._orders.get(name)

    def add(self, order: Order) -> None:
        """Put an order into the queue.

        :raises NotTaken: if its browser, or all of them, have as many as they may.
        """
        with self._changed:
            share = self.limits.per_group if order.is_group else self.limits.per_browser
            self._queue.add(order.browser, order, share, self._estimate_wait())
            self._orders[order.job.name] = order
            if not self._idle and len(self._threads) < self.limits.workers:
                thread = threading.Thread(target=self._work, daemon=True, name="companion-worker")
                self._threads.append(thread)
                thread.start()
            self._note_places()
            self._changed.notify_all()

    @property
    def held(self) -> int:
        """The number of jobs waiting or being done."""
        with self._changed:
            return len(self._orders)

    @property
    def is_idle(self) -> bool:
        """True if no job is waiting or being done."""
        return self.held == 0

    def close(self) -> None:
        """Stop all processes once they have done their job; waiting jobs are given up."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            threads = list(self._threads)
            while (order := self._queue.take()) is not None:
                order.finish(error=WorkerEnded())
                self._forget(order)
        for thread in threads:
            thread.join()
        with self._changed:
            self._threads, self._idle, self._closed = [], [], False

    def _work(self) -> None:
        from .worker import Worker  # only now: a phone has no processes, and nothing to make them with

        worker = Worker(self.limits)
        try:
            while (order := self._wait_for_order(worker)) is not None:
                began = time.monotonic()
                try:
                    result, error = worker.do(order.job), None
                except Exception as raised:  # noqa: BLE001  # it is raised where it was asked
                    result, error = b"", raised
                order.finish(result, error)
                with self._changed:
                    if order.job.is_long:
                        self._long -= 1
                        self._changed.notify_all()
                    else:
                        self._usual += (time.monotonic() - began - self._usual) / 4
                    self._forget(order)
        finally:
            worker.stop()

    def _wait_for_order(self, worker: "Worker") -> Order | None:
        """The next order; None once the pool is closed."""
        me = threading.current_thread()
        with self._changed:
            self._idle.append(me)
            while not self._closed:
                if self._idle[-1] is me and (order := self._queue.take(self._may_begin)) is not None:
                    self._idle.pop()
                    self._long += order.job.is_long
                    order.note(None)
                    self._note_places()
                    self._changed.notify_all()  # there may be work for the next one
                    return order
                if not self._changed.wait(self.limits.idle_seconds):
                    worker.stop()
        return None

    def _may_begin(self, order: Order) -> bool:
        return not order.job.is_long or self._long < self.limits.long_jobs

    def _forget(self, order: Order) -> None:
        del self._orders[order.job.name]
        self._queue.finish(order.browser)

    def _note_places(self) -> None:
        for order in self._orders.values():
            if order.before is not None:
                order.note(self._queue.count_before(order))

    def _estimate_wait(self) -> int:
        """Estimated seconds until there is room in the queue."""
        seconds = self._usual * self._queue.held / self.limits.workers / 2
        return max(2, min(_LONGEST_WAIT, ceil(seconds)))
