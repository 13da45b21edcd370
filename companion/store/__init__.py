"""Where matches are stored: an append-only log of events for each, and rulings that somebody saved.

`Store` is the interface, which `memory.MemoryStore` of a phone has; `ServerStore` that of `sql.SqlStore`, in
a database. Nothing here scores.
"""

from .grants import Grant, Link, Move, Renewal, Token, is_open_to
from .interface import (
    CannotStart,
    ListedMatch,
    ListPlace,
    MatchVersion,
    SavedRuling,
    ServerStore,
    StaleWrite,
    Store,
    StoredMatch,
    StoreUnavailable,
)
