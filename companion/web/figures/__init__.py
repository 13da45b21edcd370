"""Figures: the players of this browser's matches, a player's figures, and the deals behind them."""
