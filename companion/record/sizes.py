"""How large one match may become.

A table that plays fifty deals an evening, each week, has ten thousand after four years; a history of fifty
thousand is what all of them come to, with a draft, a correction or two and what the sides say of each.
"""

MAX_ENTRIES = 10_000
"""Entries of a match, withdrawn ones too."""
MAX_EVENTS = 50_000
"""Changes in the history of a match."""
MAX_BESIDE = 40_000
"""So long a history takes drafts, remarks and rulings too; what is left is for entries alone."""
MAX_RULINGS = 1000
"""Rulings that were ever attached to a match, and go along with its record."""
