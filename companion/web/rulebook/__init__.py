"""Pages of the rulebook: one game, two tables side by side, search."""

from .table import describe_seating, rule_table

__all__ = ["describe_seating", "rule_table"]
