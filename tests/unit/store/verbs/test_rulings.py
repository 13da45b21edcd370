"""A kept ruling lies there as it was given."""

from companion.store import SavedRuling, Store

RULING = SavedRuling(
    "r-1", "me", "2026-11-20T19:00:00+00:00", {"ruling": {"verdict": "legal"}, "names": {"A": "Żaneta"}}
)


def test_a_ruling_is_found_again(store: Store) -> None:
    """By its id, with everything in it; one that was never kept is not found."""
    store.save_ruling(RULING)
    assert store.find_ruling("r-1") == RULING
    assert store.find_ruling("r-2") is None


def test_keeping_it_again_changes_nothing(store: Store) -> None:
    """What was answered once stays answered so."""
    store.save_ruling(RULING)
    store.save_ruling(SavedRuling("r-1", "somebody", "later", {}))
    assert store.find_ruling("r-1") == RULING
