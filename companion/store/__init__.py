"""Where matches are kept: an append-only log in a database. Two verbs, append and load; no score.

Beside it lie rulings that somebody kept; they never change either.
"""

from .engine import init_app
from .log import ListedMatch, Stale, StoredMatch, append, create, has, listing, load, remember
from .rulings import SavedRuling, find_ruling, save_ruling

__all__ = [
    "ListedMatch",
    "SavedRuling",
    "Stale",
    "StoredMatch",
    "append",
    "create",
    "find_ruling",
    "has",
    "init_app",
    "listing",
    "load",
    "remember",
    "save_ruling",
]
