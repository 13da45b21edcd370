"""The limits of heavy work, as they are set."""

from typing import Any

import pytest

from companion import create_app
from companion.jobs import WorkerLimits
from companion.store import CannotStart


def test_what_is_set_counts() -> None:
    """All else is as usual."""
    assert WorkerLimits.read({}) == WorkerLimits()
    chosen = {"WORKERS": 3, "WORKER_SECONDS": 1.5, "WORKER_MEMORY": 900, "WORKER_PATIENCE": 0}
    read = WorkerLimits.read(chosen)
    assert (read.workers, read.worker_seconds, read.worker_memory, read.worker_patience) == (3, 1.5, 900, 0)


@pytest.mark.parametrize(
    ("name", "value", "range"),
    [
        ("WORKERS", 0, "a whole number from 1 to 64, not 0"),
        ("WORKERS", 1.5, "a whole number from 1 to 64, not 1.5"),
        ("WORKERS", True, "a whole number from 1 to 64, not True"),
        ("WORKERS", "many", "a whole number from 1 to 64, not many"),
        ("WORKER_SECONDS", 0, "a number from 1 to 3600, not 0"),
        ("WORKER_MEMORY", 100, "a number from 400 to 1000000, not 100"),
        ("WORKER_PATIENCE", 60, "a number from 0 to 50, not 60"),
    ],
)
def test_what_cannot_be_kept_is_refused(tmp_path: Any, name: str, value: Any, range: str) -> None:
    """With what would be right, before anything is served."""
    said = f"COMPANION_{name}: must be {range}"
    with pytest.raises(ValueError, match=said):
        WorkerLimits.read({name: value})
    with pytest.raises(CannotStart, match=said):
        create_app({"INSTANCE": str(tmp_path), name: value})
