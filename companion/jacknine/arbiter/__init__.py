"""Rulings: a request comes in, a ruling with its rules goes out."""
