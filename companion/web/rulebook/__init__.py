"""Pages of the rulebook: one game, two tables side by side, search."""

from .search import RuleSearch
from .table import describe_seating, rule_table
from .words import find_words

__all__ = ["RuleSearch", "describe_seating", "find_words", "rule_table"]
