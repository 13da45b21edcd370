"""Pages of the rulebook: one game, two tables side by side, search."""
