"""A family's declaration of its game files: the tables, the options it knows, the rules it cites.

A game's file is data that a family's code looks up by name. The family declares every name it looks up, so
that a file is checked when it is read and not when a match is folded.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .cards import RANKS
from .errors import Unreadable
from .message import Message
from .rulebook import Rulebook
from .schema import Choice, Kind, ListOf, Table
from .seats import Ring

NOWHERE = Table(Ring(2), frozenset())
"""The table at which game files are read: nobody's, for nothing in them depends on who plays."""
RANK = Choice(RANKS)
"""A rank as game files write it."""
ORDER = ListOf(RANK, 0, len(RANKS))
"""Ranks from the top."""

Tables = Mapping[str, Any]
"""The numbers and orders of a game by section, as in its file; see `FamilyData.sections`."""


@dataclass(frozen=True)
class OptionScope:
    """The possible ways to play a game, over all tables.

    `options` are the possible values of each option, for a number its default and bounds; `tables` the
    numbers and orders in every variant that conventions make.
    """

    book: Rulebook
    options: Mapping[str, frozenset[Any]]
    tables: Sequence[Tables]

    def may(self, option: str, *values: Any) -> bool:
        """True if an option can have one of these values; without values, any but false and nothing."""
        possible = self.options.get(option, frozenset())
        return bool(possible & set(values)) if values else any(possible)


Condition = Callable[[OptionScope], bool]


def always(scope: OptionScope) -> bool:
    """Holds for every game."""
    return True


def never(scope: OptionScope) -> bool:
    """Holds for no game: the item may be present, and nothing depends on it."""
    return False


def optional(scope: OptionScope) -> bool:
    """Required in no game; a game that has the rule is judged by it."""
    return False


def may(option: str, *values: Any) -> Condition:
    """Holds for games where an option can have one of these values, or any but false and nothing."""
    return lambda scope: scope.may(option, *values)


def in_tables(test: Callable[[Tables], object]) -> Condition:
    """Holds for games where a test of the numbers and orders succeeds for some way to play."""
    return lambda scope: any(map(test, scope.tables))


@dataclass(frozen=True, slots=True)
class Option:
    """A named procedure: the values that the family's code matches, and the games that must state it.

    `if_absent` is its value in a flat copy that predates the option. None: every copy names it.
    """

    kind: Kind
    needed: Condition = always
    if_absent: Any = None


@dataclass(frozen=True)
class FamilyData:
    """The declarations of a family about its games' files.

    `sections` are the shapes of the tables of numbers and orders; `stated` the values in them, such as
    `cards.trump_order`, that name the rule which states them. `options`, `keys` (of rules, as code cites
    them) and `words` are complete lists, each with the games that must have the item. `groups` are the heads
    under which tables choose conventions, in order, each with the first parts of the keys of their rules.
    `check_tables` checks numbers against each other and the number of players, `check_scope` options against
    each other; both raise `Unreadable`.
    """

    sections: Mapping[str, type]
    stated: frozenset[str]
    options: Mapping[str, Option]
    keys: Mapping[str, Condition]
    words: Mapping[str, Condition]
    groups: Mapping[Message, tuple[str, ...]]
    check_tables: Callable[[Tables, Sequence[int]], None]
    check_scope: Callable[[OptionScope], None]


def listed(words: Iterable[object]) -> str:
    """Join words with commas, as an error lists what is allowed."""
    return ", ".join(map(str, words))


def check_ranks(ranks: Sequence[str], path: str, pack: Sequence[str], *, whole: bool = False) -> None:
    """Check ranks: each once, and all of the pack (`whole`: no others are left).

    :raises Unreadable: at the first rank that does not fit, or if some are missing.
    """
    for index, rank in enumerate(ranks):
        if rank not in pack:
            raise Unreadable(f"{path}[{index}]", f"a rank of the pack: {listed(pack)}", rank)
        if rank in ranks[:index]:
            raise Unreadable(f"{path}[{index}]", "another rank, as each stands once", rank)
    absent = [rank for rank in pack if rank not in ranks]
    if whole and absent:
        expected = f"all ranks of the pack, {listed(absent)} too"
        raise Unreadable(path, expected, " ".join(ranks))
