"""The match record: a log of the facts observed at the table, and the fold that derives the rest. Pure."""
