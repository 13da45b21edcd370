"""Figures: who sat in this browser's matches, what they come to for a player, the deals behind them."""
