"""Kinds of facts that only some values of a rule set can take: a run's length and top, a four's rank."""

from dataclasses import dataclass
from typing import Any

from companion.rules.schema import Integer, Table, Text

from .ruleset import JackNineRuleset


@dataclass(frozen=True, slots=True)
class LengthOf(Integer):
    """How many cards of a suit follow each other in a run."""

    def choices(self, ruleset: JackNineRuleset) -> tuple[int, ...]:
        """The lengths a run can have in this game."""
        return tuple(range(min(ruleset.run_points), min(len(ruleset.run_order), ruleset.hand) + 1))


@dataclass(frozen=True, slots=True)
class Rank(Text):
    """A rank, the ten as a number or a letter."""

    most: int = 2
    least: int = 1

    def read(self, value: Any, path: str, table: Table) -> str:
        """The rank as cards write it."""
        rank = Text.read(self, value, path, table)
        return "10" if rank == "T" else rank


@dataclass(frozen=True, slots=True)
class RankOf(Rank):
    """The top card of a run, by its rank."""

    def choices(self, ruleset: JackNineRuleset) -> tuple[str, ...]:
        """The ranks a run can start from, highest first."""
        return ruleset.run_order[: len(ruleset.run_order) - min(ruleset.run_points) + 1]


@dataclass(frozen=True, slots=True)
class FourOf(Rank):
    """The rank of four of a kind."""

    def choices(self, ruleset: JackNineRuleset) -> tuple[str, ...]:
        """The ranks of which four are a meld, best first."""
        return tuple(rank for rank in ruleset.fours_order if rank in ruleset.fours)
