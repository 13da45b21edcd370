"""Files that hold names, and the key to write in matches: no other user of the machine may read them."""

import os
from contextlib import suppress
from pathlib import Path

_COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite puts beside its file; new ones are as private as that."""


def make_private_folder(folder: Path) -> None:
    """Make the instance folder, where there is none, and close it to all but this user.

    :raises OSError: when it cannot be made.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    _close(folder, 0o700)


def make_private_file(name: str | None) -> None:
    """Make an empty database file, where there is none, and close it and what lies beside it.

    Whatever is in the way of that is said when the database is opened.
    """
    if not name or name == ":memory:" or name.startswith("file:"):
        return
    with suppress(OSError):
        os.close(os.open(name, os.O_RDWR | os.O_CREAT, 0o600))
    for ending in ("", *_COMPANIONS):
        _close(Path(f"{name}{ending}"), 0o600)


def _close(place: Path, mode: int) -> None:
    with suppress(OSError):  # not there, or another user's
        if place.stat().st_mode & 0o077:
            place.chmod(mode)
