"""Temporary files: each process has a folder for its own, which is deleted when it ends.

A process that is killed deletes nothing. So the folder is locked as long as its process lives, and the next
process to begin deletes those that are not.
"""

import atexit
import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

_PREFIX, _NEW = "companion-tmp-", "companion-new-"
"""The prefixes of folders; a new one is locked before it gets the first, so that none lacks its lock."""
_OLD = 3600
"""Seconds after which a folder without its name was left behind."""
_own: dict[int, tuple[Path, int]] = {}
"""The folder of this process and its lock, by process number: a forked process does not share it."""


def use_scratch() -> None:
    """Put the temporary files of this process into a folder of its own, and delete what others left behind.

    If no folder can be created, everything stays as it was.
    """
    if os.getpid() in _own:
        return
    sweep()
    with suppress(OSError):
        new = Path(tempfile.mkdtemp(prefix=_NEW, dir=_find_root()))
        lock = os.open(new, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = new.rename(new.with_name(new.name.replace(_NEW, _PREFIX, 1)))
        _own[os.getpid()] = folder, lock
        tempfile.tempdir = str(folder)
        atexit.register(remove_scratch)


def remove_scratch() -> None:
    """Delete the folder of this process, if it has one, with all that is in it."""
    folder, lock = _own.pop(os.getpid(), (None, None))
    if folder is not None and lock is not None:
        tempfile.tempdir = str(folder.parent)
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def sweep() -> None:
    """Delete the folders of processes that were killed."""
    with suppress(OSError):
        for folder in _find_root().iterdir():
            if folder.name.startswith(_PREFIX) or (folder.name.startswith(_NEW) and _is_old(folder)):
                _delete_if_free(folder)


def _find_root() -> Path:
    """The system's folder for temporary files."""
    root = Path(tempfile.gettempdir())
    return root.parent if root.name.startswith(_PREFIX) else root


def _is_old(folder: Path) -> bool:
    try:
        return folder.lstat().st_mtime < time.time() - _OLD
    except OSError:
        return False


def _delete_if_free(folder: Path) -> None:
    """Delete a folder of this user whose process has ended; others may use the same place."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        if os.fstat(lock).st_uid == os.getuid():
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    except OSError:  # its process is alive
        pass
    finally:
        os.close(lock)
