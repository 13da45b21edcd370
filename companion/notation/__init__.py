"""Drawings of a score: the pencil tally, matchsticks, a chart of totals.

They know integers and strings, but no card, no game and no player's rights.
"""
