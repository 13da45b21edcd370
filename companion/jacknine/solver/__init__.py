"""Searches over cards: a deal that comes to the stated counts, and the side that can take the rest."""
