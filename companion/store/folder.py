"""The instance folder, which holds all the program's data: other users cannot read it."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from companion.rules.errors import explain_system
from companion.rules.message import Message

from .interface import CannotStart


def make_folder(folder: Path) -> None:
    """Create the instance folder if it is missing, and make it private to this user.

    :raises CannotStart: if it cannot be created.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise CannotStart(
            Message(
                "{place} is not a folder and cannot be made one; name another with COMPANION_INSTANCE",
                place=folder,
            )
        ) from None
    except OSError as error:
        raise CannotStart(
            Message(
                "{place} cannot be made ({why}); make it for this user,"
                " or name another with COMPANION_INSTANCE",
                place=folder,
                why=explain_system(error),
            )
        ) from error
    _close(folder, 0o700)


def close_file(file: Path) -> None:
    """Create an empty database file if it is missing, and make it and its companion files private.

    Problems are reported when the database is opened.
    """
    with suppress(OSError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    for ending in ("", "-wal", "-shm", "-journal"):
        _close(Path(f"{file}{ending}"), 0o600)


def measure_free_space(folder: Path) -> float:
    """The free bytes on the disk of a folder."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0


_BACKUP_MARK = "last-backup"


def note_backup(folder: Path) -> None:
    """Note in the instance folder that a backup was made just now."""
    with suppress(OSError):  # it may be another user's
        (folder / _BACKUP_MARK).touch(mode=0o600)


def find_last_backup(folder: Path) -> float:
    """The time of the last backup, in seconds since 1970; 0 without one."""
    try:
        return (folder / _BACKUP_MARK).stat().st_mtime
    except OSError:
        return 0


def _close(path: Path, mode: int) -> None:
    with suppress(OSError):  # missing, or another user's
        if path.stat().st_mode & 0o077:
            path.chmod(mode)
