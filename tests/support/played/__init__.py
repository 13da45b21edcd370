"""Durak played by naive rules, to be set beside what the core says of it."""
