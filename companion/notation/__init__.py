"""Ways of writing down a score: the pencil tally, its drawing, a chart of totals.

Knows integers and strings; knows no card, no game and no player's rights.
"""
