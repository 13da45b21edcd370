"""The store in a database, with a module for each part of its interface."""

from .store import SqlStore
