"""The pages of a family whose table plays deals for points: telling a deal, its scoreboard, its entries."""
