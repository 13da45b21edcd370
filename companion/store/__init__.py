"""Where matches are stored: an append-only log of events for each, and rulings that somebody saved.

`Store` is the interface, `sql.SqlStore` the one in a database, `memory.MemoryStore` that of a phone. Nothing
here scores.
"""

from .grants import Grant, GrantStore, Link, Move, is_open_to
from .interface import (
    CannotStart,
    ListedMatch,
    ListPlace,
    MatchVersion,
    NewsStore,
    SavedRuling,
    StaleWrite,
    Store,
    StoredMatch,
    StoreUnavailable,
)
