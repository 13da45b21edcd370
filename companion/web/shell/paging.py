"""Pages of long lists, the newest first, with links to older and newer ones."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from flask import request

LENGTH = 50
"""The number of lines on a page."""


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list whose lines are numbered from 1: the `numbers` on it, the newest first.

    `older` and `newer` are true if there are such lines; a link to them has `before` the last number, or
    `after` the first.
    """

    numbers: tuple[int, ...]
    older: bool
    newer: bool

    @property
    def first(self) -> int:
        """The number of the newest line."""
        return self.numbers[0] if self.numbers else 0

    @property
    def last(self) -> int:
        """The number of the oldest line."""
        return self.numbers[-1] if self.numbers else 0


def turn_to_page(length: int, is_shown: Callable[[int], bool] = lambda number: True) -> ListPage:
    """The page that the address asks for: the lines `before` a number, those `after` one, else the newest.

    `is_shown` is true for the numbers that are lines at all.
    """
    before, after = (request.args.get(key, type=int) for key in ("before", "after"))

    def take(numbers: Iterable[int], most: int = LENGTH) -> list[int]:
        return list(islice(filter(is_shown, numbers), most))

    found: list[int] = []
    if after is not None:
        found = take(range(max(after, 0) + 1, length + 1))[::-1]
        found = found if len(found) == LENGTH else []  # all newer ones fit on the newest page
    elif before is not None:
        found = take(range(min(before - 1, length), 0, -1))
    found = found or take(range(length, 0, -1))
    if not found:
        return ListPage((), older=False, newer=False)
    older, newer = range(found[-1] - 1, 0, -1), range(found[0] + 1, length + 1)
    return ListPage(tuple(found), bool(take(older, 1)), bool(take(newer, 1)))
