"""The pages of a family whose table plays hands for a loser: telling a hand, its scoreboard, its entries."""
