"""Where matches are kept: an append-only log in a database. Two verbs, append and load; no score.

Beside it lie rulings that somebody kept; they never change either.
"""

from .engine import init_app
from .log import Listed, Stale, Stored, append, create, has, listing, load, remember
from .rulings import KeptRuling, find_ruling, keep_ruling

__all__ = [
    "KeptRuling",
    "Listed",
    "Stale",
    "Stored",
    "append",
    "create",
    "find_ruling",
    "has",
    "init_app",
    "keep_ruling",
    "listing",
    "load",
    "remember",
]
