"""Where heavy work is asked for: on the shelf, or from a worker, for a moment."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from .errors import NotTaken, UnderWay
from .limits import WorkerLimits
from .pool import CROWD, Order, WorkerPool
from .result_cache import Shelf
from .task import HeavyTask

_LOOK = 0.05
"""Seconds between two looks at the shelf for what another process is finding."""


class Dispatcher:
    """Asks for the answers of one instance folder; the workers are those of this process."""

    def __init__(self, folder: Path, limits: WorkerLimits) -> None:
        self._shelf, self._pool, self._limits = Shelf(folder), _find_pool(limits), limits
        self._ordering = threading.Lock()
        self._may_wait = threading.Semaphore(limits.waiting)
        self._prepared = dict[Callable[[], bytes], float]()

    def ask(self, task: HeavyTask, browser: str) -> bytes:
        """The answer, at once or after a short wait; `browser` is whose turn it takes (see `name_crowd`).

        Where too many wait already it is not waited for.

        :raises UnderWay: when it takes longer; ask again.
        :raises NotTaken: when too much was asked, by this browser or by all.
        :raises NoAnswer: when there is none.
        :raises Exception: what the work raises.
        """
        answer = self._shelf.find(task.key)
        if answer is not None:
            return answer
        with self._ordering:
            order = self._pool.find(task.key) or self._place_order(task, browser)
        patience = 0.0
        if self._may_wait.acquire(blocking=False):
            try:
                patience = self._limits.worker_patience
                return self._wait(task, order, patience)
            finally:
                self._may_wait.release()
        return self._wait(task, order, patience)

    def prepare(self, function: Callable[[], bytes]) -> None:
        """Let a worker get ready for what may be asked next, by calling this; waits for nothing."""
        now = time.monotonic()
        if now < self._prepared.get(function, now) or not self._pool.is_idle:
            return
        self._prepared[function] = now + self._limits.idle_seconds / 2
        key = f"prepare {function.__module__}.{function.__qualname__}"
        with suppress(NotTaken):
            self._pool.add(Order(HeavyTask(key, function), ""))

    @property
    def held(self) -> int:
        """How much this process has under way, waiting or being done."""
        return self._pool.held

    def close(self) -> None:
        """Let the workers go; they come back when something is asked."""
        self._pool.close()
        self._prepared.clear()

    def _place_order(self, task: HeavyTask, browser: str) -> Order | None:
        """The order for it; None while another process has one."""
        reservation = self._shelf.reserve(task.key)
        if reservation is None:
            return None
        order = Order(task, browser, self._shelf, reservation)
        try:
            found = self._shelf.find(task.key)  # another process may have put it there just now
            if found is None:
                self._pool.add(order)
        except Exception:
            reservation.end()
            raise
        if found is not None:
            reservation.end()
            order.answer = found
            order.done.set()
        return order

    def _wait(self, task: HeavyTask, order: Order | None, patience: float) -> bytes:
        if order is not None:
            if not order.done.wait(patience):
                raise UnderWay(order.progress)
            if order.fault is not None:
                raise order.fault
            return order.answer
        until = time.monotonic() + patience
        while True:
            answer = self._shelf.find(task.key)
            if answer is not None:
                return answer
            if time.monotonic() >= until:
                raise UnderWay(self._shelf.look_up(task.key))
            time.sleep(_LOOK)


def name_crowd(address: str) -> str:
    """What those are called who cannot be told apart, but for where they come from."""
    return CROWD + address


@lru_cache(maxsize=8)
def _find_pool(limits: WorkerLimits) -> WorkerPool:
    """The workers of this process, whatever instances it serves."""
    return WorkerPool(limits)
