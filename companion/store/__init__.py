"""The storage of matches: an append-only log of events for each, and saved rulings.

`Store` is the interface, implemented by `memory.MemoryStore` of a phone; `ServerStore` is that of
`sql.SqlStore`, in a database. Nothing here scores.
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
    Visibility,
)
