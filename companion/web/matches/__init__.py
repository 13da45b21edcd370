"""Pages of matches: the list, a new one, the scoreboard, entries, history, names, sheets."""
