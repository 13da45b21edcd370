"""Matches in memory, where there is no database: the store tells what it changes, for somebody to keep."""

from .store import MemoryStore
from .tables import HeldMatch, Tables

__all__ = ["HeldMatch", "MemoryStore", "Tables"]
