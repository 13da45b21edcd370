"""A queue in which every browser has its turn, no matter how much another one has asked for."""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Generic, TypeVar

from .job import AskedTooMuch, QueueFull

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
        """How many unfinished items each browser has, those that were taken included."""

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    @property
    def held(self) -> int:
        """How many items are not finished."""
        return sum(self._held.values())

    def add(self, browser: str, item: ItemT, share: int, wait: int = 1) -> None:
        """Put an item at the end of its browser's line.

        `share` is how many this browser may have; `wait` in how many seconds a refused one may come again.

        :raises AskedTooMuch: when this browser has its share.
        :raises QueueFull: when there is no room for anybody.
        """
        if self._held.get(browser, 0) >= share:
            raise AskedTooMuch(wait)
        if self.held >= self._in_all:
            raise QueueFull(wait)
        self._held[browser] = self._held.get(browser, 0) + 1
        self._lines.setdefault(browser, deque()).append(item)

    def take(self, may_take: Callable[[ItemT], bool] = lambda item: True) -> ItemT | None:
        """The next item that may be taken; None where there is none."""
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
        """How many come before an item that waits; None where it does not wait."""
        for turn, line in enumerate(self._lines.values()):
            if item in line:
                place = line.index(item)
                others = enumerate(self._lines.values())
                return sum(
                    place if at == turn else min(len(other), place + (at < turn)) for at, other in others
                )
        return None
