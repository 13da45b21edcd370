"""One deal of a match: read from its entry, checked, applied to the state of the game."""
