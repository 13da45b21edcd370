"""Matches in memory, where there is no database: the store lists its changes, so that they can be saved."""

from .store import MemoryStore
from .tables import HeldMatch, Tables
