"""The store in a database, a module for each part of what a store can be asked."""

from .store import SqlStore
