"""The key that signs cookies and makes ids: generated on the first start, and the same ever after."""

import fcntl
import os
import re
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask

from companion.rules.errors import explain_system
from companion.rules.message import Message
from companion.store import CannotStart
from companion.store.folder import make_folder

SHORTEST = 16
"""The fewest characters of a key."""


def read_key(app: Flask) -> str:
    """The key of the settings (`SECRET_KEY`), or the one in the instance folder.

    :raises CannotStart: if it is unusable.
    """
    given = app.config["SECRET_KEY"]
    if given is None:
        return _read_file(Path(app.instance_path))
    if len(str(given).strip()) < SHORTEST:
        raise CannotStart(
            Message(
                "COMPANION_SECRET_KEY: must have at least {count} characters;"
                " with another key every browser loses the right to write in its matches",
                count=SHORTEST,
            )
        )
    return str(given)


def read_former_keys(setting: Any) -> list[str]:
    """The keys that signed cookies before: a list, or a text with spaces or commas between them.

    :raises CannotStart: if one is too short, so that anybody could find it and sign with it.
    """
    written = [setting] if isinstance(setting, str | bytes | int) else setting or ()
    texts = [key.decode() if isinstance(key, bytes) else str(key) for key in written]
    keys = [key for text in texts for key in re.split(r"[\s,]+", text) if key]
    if any(len(key) < SHORTEST for key in keys):
        raise CannotStart(
            Message(
                "COMPANION_SECRET_KEY_FALLBACKS: each key must have at least {count} characters",
                count=SHORTEST,
            )
        )
    return keys


def _read_file(folder: Path) -> str:
    make_folder(folder)
    place = folder / "secret-key"
    try:
        if not place.exists():
            with _alone(folder):
                if not place.exists():
                    _write_key(place)
        key = place.read_text(encoding="ascii")
    except UnicodeDecodeError:
        key = ""
    except OSError as error:
        raise CannotStart(
            Message(
                "{place} cannot be read or made ({why}); let this user read and write it, and its folder",
                place=place,
                why=explain_system(error),
            )
        ) from error
    if len(key.strip()) < SHORTEST:
        raise CannotStart(
            Message(
                "{place} holds no key, or one that is too short; restore a copy of it, or delete it"
                " (with another key every browser loses the right to write in its matches)",
                place=place,
            )
        )
    return key


def _write_key(place: Path) -> None:
    """Write a new key: all of it or nothing, whatever happens meanwhile."""
    handle, half = tempfile.mkstemp(dir=place.parent, prefix=place.name)  # readable to this user alone
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32))
            file.flush()
            os.fsync(handle)
        os.replace(half, place)
    except OSError:
        Path(half).unlink(missing_ok=True)
        raise


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the folder, so that processes that start at once take turns."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
