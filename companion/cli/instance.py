"""The instance that commands work on: its folder, and its matches, while a server may run."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion import create_app, library
from companion.matches import Matches
from companion.operate.settings import find_folder, read_settings
from companion.rules.message import Message

from .language import render
from .reading import Refused, refuse


@dataclass(frozen=True)
class Instance:
    """The data of an instance: its folder, and the address of its database."""

    folder: Path
    address: str | None

    @property
    def is_postgres(self) -> bool:
        """True if its matches are in PostgreSQL."""
        return (self.address or "").startswith("postgres")

    @property
    def database(self) -> Path:
        """The file of its database. :raises Refused: if that is no file."""
        from sqlalchemy import make_url
        from sqlalchemy.exc import ArgumentError

        if self.address is None:
            return self.folder / "companion.sqlite"
        try:
            name = make_url(self.address).database
        except ArgumentError:
            name = None
        if not name or self.is_postgres:
            raise Refused(Message("COMPANION_DATABASE: must be an address such as sqlite:////folder/file"))
        return Path(name).resolve()

    @property
    def key_file(self) -> Path:
        """The file of the key by which browsers are recognised, unless the settings name another."""
        return self.folder / "secret-key"


def find_instance() -> Instance:
    """Find the instance that the variables name, or the usual one."""
    settings = read_settings(os.environ)
    return Instance(find_folder(settings["INSTANCE"], os.environ), settings["DATABASE"])


@contextmanager
def open_matches(instance: Instance, settings: dict[str, Any] | None = None) -> Iterator[Matches]:
    """Open the matches of an existing instance.

    :raises Refused: if it does not exist.
    :raises CannotStart: if its database is unusable.
    """
    if settings is None and not instance.is_postgres and not instance.database.is_file():
        problem = Message("no matches here; name the folder with COMPANION_INSTANCE")
        raise refuse(instance.database, problem)
    known = {"DATABASE_EXISTS": True, "HOST_FILES": library.GAMES.host}
    app = create_app(known | (settings or {}))
    with app.app_context():
        from companion.store.tables import db

        matches: Matches = app.extensions["matches"]
        try:
            yield matches
        finally:
            db.session.remove()
            db.engine.dispose()


@contextmanager
def show_progress(line: Message) -> Iterator[Callable[[int, int], None]]:
    """Show the progress on one line of a terminal, and nothing elsewhere.

    The message has a placeholder for the finished `percent`.
    """
    last = ""

    def show(done: int, total: int) -> None:
        nonlocal last
        percent = 100 * done // total if total else 100
        share = render(Message(line.template, **line.facts, percent=percent))
        if sys.stderr.isatty() and share != last:
            last = share
            print(f"\r{share} ", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if last:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
