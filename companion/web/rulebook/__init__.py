"""Pages of the rulebook: one game, two tables side by side, search."""

from .table import rule_table, sits

__all__ = ["rule_table", "sits"]
