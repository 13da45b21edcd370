"""Basics shared by all card games: cards, seats, cited rules, rulings. Pure."""
