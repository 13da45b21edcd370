"""The match record: a log of what was observed at the table, and the fold that derives the rest. Pure."""
