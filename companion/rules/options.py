"""What a family of games says of their files: the tables, the options it knows, what it cites.

A game's file is data; a family's code asks it by name. The family declares every name it will ask for, so
that a file can be judged when it is read and not when a match is folded.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .cards import RANKS
from .errors import Unreadable
from .rulebook import Rulebook
from .schema import Choice, Kind, ListOf, Table
from .seats import Ring

NOWHERE = Table(Ring(2), frozenset())
"""The table at which game files are read: none, for nothing in them depends on who plays."""
RANK = Choice(RANKS)
"""A rank as game files write it."""
ORDER = ListOf(RANK, 0, len(RANKS))
"""Ranks from the top."""

Tables = Mapping[str, Any]
"""The numbers and orders of a game by section, as its file has them; see `FamilyData.sections`."""


@dataclass(frozen=True)
class OptionScope:
    """What a game can come to at one table or another.

    `options` are the values that each option can have there, of a number the usual one and its bounds;
    `tables` the numbers and orders, in every way in which conventions change them.
    """

    book: Rulebook
    options: Mapping[str, frozenset[Any]]
    tables: Sequence[Tables]

    def may(self, option: str, *values: Any) -> bool:
        """Whether an option can have one of these values; without values, any but false and nothing."""
        possible = self.options.get(option, frozenset())
        return bool(possible & set(values)) if values else any(possible)


Condition = Callable[[OptionScope], bool]


def always(scope: OptionScope) -> bool:
    """Whatever the game."""
    return True


def never(scope: OptionScope) -> bool:
    """Not in any game: it may be there, and nothing depends on it."""
    return False


def optional(scope: OptionScope) -> bool:
    """Required in no game; a game that has the rule is judged by it."""
    return False


def may(option: str, *values: Any) -> Condition:
    """In games where an option can have one of these values, or any but false and nothing."""
    return lambda scope: scope.may(option, *values)


def in_tables(test: Callable[[Tables], object]) -> Condition:
    """In games where the numbers and orders of one of the ways to play are so."""
    return lambda scope: any(map(test, scope.tables))


@dataclass(frozen=True, slots=True)
class Option:
    """A named way of doing something: the values that the family's procedures match, and who must say it.

    `if_absent` is what a flat copy means that does not name it: what was done before there was the option.
    None: every copy names it.
    """

    kind: Kind
    needed: Condition = always
    if_absent: Any = None


@dataclass(frozen=True)
class FamilyData:
    """What a family says of its games' files.

    `sections` are the shapes of the tables of numbers and orders; `stated` the values in them, such as
    `cards.trump_order`, that name the rule which states them. `options`, `keys` (of rules, as code cites
    them) and `words` are all there are, each with the games that must have it. `check_tables` judges numbers
    that must fit each other and so many players, `check_outlook` what options need of each other; both raise
    `Unreadable`.
    """

    sections: Mapping[str, type]
    stated: frozenset[str]
    options: Mapping[str, Option]
    keys: Mapping[str, Condition]
    words: Mapping[str, Condition]
    check_tables: Callable[[Tables, Sequence[int]], None]
    check_scope: Callable[[OptionScope], None]


def listed(words: Iterable[object]) -> str:
    """Words with commas between them, as an error lists what is allowed."""
    return ", ".join(map(str, words))


def check_ranks(ranks: Sequence[str], path: str, pack: Sequence[str], *, whole: bool = False) -> None:
    """Ranks, each once, and all of the pack (or `whole`: all that there are).

    :raises Unreadable: for any other.
    """
    for place, rank in enumerate(ranks):
        if rank not in pack:
            raise Unreadable(f"{path}[{place}]", f"a rank of the pack: {listed(pack)}", rank)
        if rank in ranks[:place]:
            raise Unreadable(f"{path}[{place}]", "another rank, as each stands once", rank)
    absent = [rank for rank in pack if rank not in ranks]
    if whole and absent:
        expected = f"all ranks of the pack, {listed(absent)} too"
        raise Unreadable(path, expected, " ".join(ranks))
