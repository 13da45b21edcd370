"""The pages of a family whose table plays deals for points: recording a deal, its scoreboard, its entries."""

FAMILY = "jacknine"
"""The family these pages are made for; an address of theirs leads nowhere in a match of another."""
