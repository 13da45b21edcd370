"""The workers of one process of the app, and who of those that wait is served next."""

import threading
import time
from math import ceil
from typing import TYPE_CHECKING

from .errors import Progress, WorkerEnded
from .fair_queue import FairQueue
from .limits import WorkerLimits
from .result_cache import Reservation, Shelf
from .task import HeavyTask

if TYPE_CHECKING:
    from .worker import Worker

CROWD = "crowd "
"""How the name begins of those who cannot be told apart."""
_LONGEST_WAIT = 60
"""Seconds until whoever is refused is asked to come again, at most."""


class Order:
    """A piece of work that was asked for: who asked first, and what came of it.

    Without a shelf nobody waits for the answer, and it is kept nowhere.
    """

    def __init__(
        self, task: HeavyTask, browser: str, shelf: Shelf | None = None, held: Reservation | None = None
    ) -> None:
        self.task, self.browser = task, browser
        self._shelf, self._reservation = shelf, held
        self.is_crowd = browser.startswith(CROWD)
        self._began = time.monotonic()
        self.done = threading.Event()
        self.answer = b""
        self.fault: Exception | None = None
        self.before: int | None = 0
        """How many come before it; None once a worker is at it."""

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return Progress(time.monotonic() - self._began, self.before)

    def note(self, before: int | None) -> None:
        """Keep how many come before it, for whoever asks here or in another process."""
        if before != self.before:
            self.before = before
            if self._reservation is not None:
                self._reservation.note(before)

    def finish(self, answer: bytes = b"", fault: Exception | None = None) -> None:
        """Put what came of it on the shelf, then tell all that wait."""
        self.answer, self.fault = answer, fault
        if self._shelf is not None:
            if fault is None:
                self._shelf.put(self.task.key, answer)
            else:
                self._shelf.put_fault(self.task.key, fault)
        if self._reservation is not None:
            self._reservation.end()
        self.done.set()


class WorkerPool:
    """A few workers and the queue before them. Threads and processes are made when they are first needed."""

    def __init__(self, limits: WorkerLimits) -> None:
        self.limits = limits
        self._changed = threading.Condition()
        self._queue: FairQueue[Order] = FairQueue(limits.in_all)
        self._orders: dict[str, Order] = {}
        self._threads: list[threading.Thread] = []
        self._idle: list[threading.Thread] = []
        """Those whose workers have nothing to do; who worked last is last, and the first to work again."""
        self._usual = 1.0
        """Seconds that a piece of work took of late."""
        self._closed = False

    def find(self, key: str) -> Order | None:
        """What was asked for by this key and is not done yet."""
        with self._changed:
            return self._orders.get(key)

    def add(self, order: Order) -> None:
        """Put an order into the queue.

        :raises NotTaken: when its browser, or all of them, have asked as much as they may.
        """
        with self._changed:
            share = self.limits.per_crowd if order.is_crowd else self.limits.per_browser
            self._queue.add(order.browser, order, share, self._estimate_wait())
            self._orders[order.task.key] = order
            if not self._idle and len(self._threads) < self.limits.workers:
                thread = threading.Thread(target=self._work, daemon=True, name="companion-crew")
                self._threads.append(thread)
                thread.start()
            self._note_places()
            self._changed.notify_all()

    @property
    def held(self) -> int:
        """How much is being done, or waits."""
        with self._changed:
            return len(self._orders)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being done, and nothing waits."""
        with self._changed:
            return not self._orders

    def close(self) -> None:
        """Let all processes go when they have done what they are at; what waits is given up."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            threads = list(self._threads)
            while (order := self._queue.take()) is not None:
                order.finish(fault=WorkerEnded())
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
                    answer, fault = worker.do(order.task), None
                except Exception as error:  # noqa: BLE001  # it is raised where it was asked
                    answer, fault = b"", error
                order.finish(answer, fault)
                with self._changed:
                    self._usual += (time.monotonic() - began - self._usual) / 4
                    self._forget(order)
        finally:
            worker.let_go()

    def _wait_for_order(self, worker: "Worker") -> Order | None:
        """The next order; None when the crew is closed."""
        me = threading.current_thread()
        with self._changed:
            self._idle.append(me)
            while not self._closed:
                if self._idle[-1] is me and (order := self._queue.take()) is not None:
                    self._idle.pop()
                    order.note(None)
                    self._note_places()
                    self._changed.notify_all()  # there may be work for the next one
                    return order
                if not self._changed.wait(self.limits.idle_seconds):
                    worker.let_go()
        return None

    def _forget(self, order: Order) -> None:
        del self._orders[order.task.key]
        self._queue.finish(order.browser)

    def _note_places(self) -> None:
        for order in self._orders.values():
            if order.before is not None:
                order.note(self._queue.count_before(order))

    def _estimate_wait(self) -> int:
        """In how many seconds there will be room, as things go."""
        seconds = self._usual * self._queue.held / self.limits.workers / 2
        return max(2, min(_LONGEST_WAIT, ceil(seconds)))
