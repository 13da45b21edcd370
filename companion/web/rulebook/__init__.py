"""Pages of the rulebook: one game, two tables side by side, search."""

from .search import RuleSearch, find_words
from .table import rule_table
