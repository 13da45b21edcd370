"""A queue in which every browser has its turn, however much another one has asked."""

from collections import OrderedDict, deque
from typing import Generic, TypeVar

from .errors import AskedTooMuch, QueueFull

WorkT = TypeVar("WorkT")


class FairQueue(Generic[WorkT]):
    """Work in the order in which it is to be done: one piece for each browser, then the next for each.

    What was taken out counts as its browser's until it is `finished`. Not safe by itself between threads.
    """

    def __init__(self, in_all: int) -> None:
        self._in_all = in_all
        self._lines = OrderedDict[str, deque[WorkT]]()
        """What each browser waits for; whose turn is next, first."""
        self._held = dict[str, int]()
        """How much each browser has asked that is not finished, what is being done among it."""

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    @property
    def held(self) -> int:
        """How much is not finished."""
        return sum(self._held.values())

    def add(self, browser: str, work: WorkT, share: int, wait: int = 1) -> None:
        """Put something at the end of its browser's line.

        `share` is how much this browser may have; `wait` what is said where it has that, or nobody has room.

        :raises AskedTooMuch: when this browser has to wait for others of its own first.
        :raises QueueFull: when there is no room for anybody.
        """
        if self._held.get(browser, 0) >= share:
            raise AskedTooMuch(wait)
        if self.held >= self._in_all:
            raise QueueFull(wait)
        self._held[browser] = self._held.get(browser, 0) + 1
        self._lines.setdefault(browser, deque()).append(work)

    def take(self) -> WorkT | None:
        """The next piece; None where nothing waits."""
        if not self._lines:
            return None
        browser, line = self._lines.popitem(last=False)
        work = line.popleft()
        if line:
            self._lines[browser] = line  # behind all others
        return work

    def finish(self, browser: str) -> None:
        """Something that was taken out for this browser is done."""
        self._held[browser] -= 1
        if not self._held[browser]:
            del self._held[browser]

    def count_before(self, work: WorkT) -> int | None:
        """How many come before something that waits; None where it does not wait."""
        for turn, line in enumerate(self._lines.values()):
            if work in line:
                place = line.index(work)
                others = enumerate(self._lines.values())
                return sum(
                    place if at == turn else min(len(other), place + (at < turn)) for at, other in others
                )
        return None
