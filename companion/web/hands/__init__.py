"""The pages of a family whose table plays hands for a loser: telling a hand, its scoreboard, its entries."""

FAMILY = "beating"
"""The family these pages are made for; an address of theirs leads nowhere in a match of another."""
