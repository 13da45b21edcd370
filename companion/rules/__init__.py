"""What every card game shares: cards, seats, rules that are cited, rulings. Pure."""
