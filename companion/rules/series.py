"""An append-only sequence that shares its items with the shorter sequences it was made from.

A game's state has a row for every entry. As tuples, the rows of all states of a long match would be copied at
each entry; as series each state adds one row.

>>> before = Series("ab")
>>> after = before.lengthen("c")
>>> list(before), list(after), after[-1], len(after[:1])
(['a', 'b'], ['a', 'b', 'c'], 'c', 1)
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar, overload

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

_BLOCK = 64


class Series(Sequence[T_co]):
    """An immutable sequence; `lengthen` adds at its end without copying what is before.

    It equals any series or tuple with the same items. The items are stored in full blocks, and the rest in
    one that is not full.
    """

    __slots__ = ("_blocks", "_rest")

    _blocks: tuple[tuple[T_co, ...], ...]
    _rest: tuple[T_co, ...]

    def __init__(self, items: Iterable[T_co] = ()) -> None:
        everything = tuple(items)
        full = len(everything) // _BLOCK * _BLOCK
        self._blocks = tuple(everything[at : at + _BLOCK] for at in range(0, full, _BLOCK))
        self._rest = everything[full:]

    def lengthen(self: "Series[T]", *more: T) -> "Series[T]":
        """The sequence with further items added."""
        rest = (*self._rest, *more)
        if len(rest) < _BLOCK:
            return _join(self._blocks, rest)
        added = Series(rest)
        return _join(self._blocks + added._blocks, added._rest)

    def __len__(self) -> int:
        return len(self._blocks) * _BLOCK + len(self._rest)

    def __iter__(self) -> Iterator[T_co]:
        return chain(chain.from_iterable(self._blocks), self._rest)

    def __reversed__(self) -> Iterator[T_co]:
        return chain(reversed(self._rest), chain.from_iterable(map(reversed, reversed(self._blocks))))

    @overload
    def __getitem__(self, at: int) -> T_co: ...

    @overload
    def __getitem__(self, at: slice) -> "Series[T_co]": ...

    def __getitem__(self, at: int | slice) -> "T_co | Series[T_co]":
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            if (start, step) == (0, 1):
                return self._begin(stop)
            return Series([self[n] for n in range(start, stop, step)])
        index = at + len(self) if at < 0 else at
        if not 0 <= index < len(self):
            raise IndexError(at)
        block, within = divmod(index, _BLOCK)
        return self._blocks[block][within] if block < len(self._blocks) else self._rest[within]

    def _begin(self, length: int) -> "Series[T_co]":
        """The first `length` items."""
        block, within = divmod(length, _BLOCK)
        last = self._blocks[block] if block < len(self._blocks) else self._rest
        return _join(self._blocks[:block], last[:within])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Series):
            return self._blocks == other._blocks and self._rest == other._rest
        return tuple(self) == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Series({list(self)!r})"


def _join(blocks: tuple[tuple[T, ...], ...], rest: tuple[T, ...]) -> Series[T]:
    """Make a series of full blocks and a partial one."""
    series = Series[T].__new__(Series)
    series._blocks, series._rest = blocks, rest
    return series
