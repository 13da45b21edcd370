"""A kept ruling lies there as it was given."""

from flask import Flask

from companion.store import SavedRuling
from companion.store.sql import SqlStore

RULING = SavedRuling(
    "r-1", "me", "2026-11-20T19:00:00+00:00", {"ruling": {"verdict": "legal"}, "names": {"A": "Żaneta"}}
)


def test_a_ruling_is_found_again(app: Flask) -> None:
    """By its id, with everything in it; one that was never kept is not found."""
    SqlStore().save_ruling(RULING)
    assert SqlStore().find_ruling("r-1") == RULING
    assert SqlStore().find_ruling("r-2") is None


def test_keeping_it_again_changes_nothing(app: Flask) -> None:
    """What was answered once stays answered so."""
    SqlStore().save_ruling(RULING)
    SqlStore().save_ruling(SavedRuling("r-1", "somebody", "later", {}))
    assert SqlStore().find_ruling("r-1") == RULING
