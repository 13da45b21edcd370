"""Search over cards: which deal comes to the stated counts, and who can take the rest."""
