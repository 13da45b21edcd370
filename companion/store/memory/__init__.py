"""Matches in memory, for phones without a database: the store lists its changes to be saved."""

from .store import MemoryStore
from .tables import HeldMatch, Tables
