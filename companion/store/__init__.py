"""Where matches are kept: an append-only log in a database. Two verbs, append and load; no score."""

from .engine import init_app
from .log import Listed, Stale, Stored, append, create, has, listing, load, remember

__all__ = ["Listed", "Stale", "Stored", "append", "create", "has", "init_app", "listing", "load", "remember"]
