"""Stores for tests: one in memory, and PostgreSQL for the others."""

from .memory import MemoryStore

__all__ = ["MemoryStore"]
