"""Search over cards: which deal carries the counts that are told, and who can take the rest."""
