"""Stores for tests: PostgreSQL, many matches at once, and a look behind the verbs of any kind of store."""
