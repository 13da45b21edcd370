"""Counts of requests, in a table that all processes of all servers share.

It is in PostgreSQL, or else in a SQLite file of its own beside the database, which several processes write
in. It is worth nothing after a day: it is in no backup, and may be deleted at any time.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import finalize

from flask import Flask
from sqlalchemy import URL, Engine, StaticPool, TextClause, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from companion.store import CannotStart
from companion.store.folder import close_file, make_folder

FILE = "limits.sqlite"
_CLEANING, _RETRY = 60, 10
"""Seconds between two deletions of ended counts, and until a table that failed is tried again."""
_PRAGMAS = ("PRAGMA busy_timeout=1000", "PRAGMA journal_mode=WAL", "PRAGMA synchronous=OFF")
_PG_SETTINGS = ("SET lock_timeout = 1000", "SET synchronous_commit = off")

_TABLE = (
    "CREATE {kind} TABLE IF NOT EXISTS limit_count"
    " (name VARCHAR(200) PRIMARY KEY, count INTEGER NOT NULL, ends_at DOUBLE PRECISION NOT NULL)"
)
_ADD = text(
    "INSERT INTO limit_count (name, count, ends_at) VALUES (:name, :more, :ends_at)"
    " ON CONFLICT (name) DO UPDATE SET"
    " count = CASE WHEN limit_count.ends_at <= :now THEN 0 ELSE limit_count.count END + :more,"
    " ends_at = CASE WHEN limit_count.ends_at <= :now THEN :ends_at ELSE limit_count.ends_at END"
    " RETURNING count, ends_at"
)
_FIND = text("SELECT count, ends_at FROM limit_count WHERE name = :name AND ends_at > :now")
_DELETE_ENDED = text("DELETE FROM limit_count WHERE ends_at <= :now")
_DELETE_ALL = text("DELETE FROM limit_count RETURNING name")


class Counts:
    """Counts by name, each for a period that begins with the first; in this process if all else fails."""

    def __init__(self, app: Flask) -> None:
        alone = create_engine(
            "sqlite://",
            isolation_level="AUTOCOMMIT",
            poolclass=StaticPool,
            connect_args={"check_same_thread": False},
        )
        self._shared, self._alone, self._shared_from = _Table(_open(app)), _Table(alone), 0.0
        self._logger = app.logger
        for table in (self._shared, self._alone):
            finalize(app, table.engine.dispose)

    def add(self, name: str, seconds: int, more: int = 1) -> tuple[int, float]:
        """Add to a count; return it, and when its period ends (seconds since 1970)."""
        [(count, ends_at)] = self._execute(_ADD, name=name, more=more, ends_at=time.time() + seconds)
        return count, ends_at

    def find(self, name: str) -> tuple[int, float]:
        """Return a count, and when its period ends."""
        for count, ends_at in self._execute(_FIND, name=name):
            return count, ends_at
        return 0, time.time()

    def reset(self) -> None:
        """Delete all counts."""
        self._execute(_DELETE_ALL)

    def _execute(self, statement: TextClause, **values: Any) -> Sequence[Any]:
        values["now"] = now = time.time()
        if now >= self._shared_from:
            try:
                rows, self._shared_from = self._shared.execute(statement, values), 0.0
            except SQLAlchemyError as error:
                if not self._shared_from:
                    self._logger.warning("the limits are counted by this process alone for now: %s", error)
                self._shared_from = now + _RETRY
            else:
                return rows
        return self._alone.execute(statement, values)


class _Table:
    def __init__(self, engine: Engine) -> None:
        self.engine, self._lock, self._is_made, self._cleaned_at = engine, Lock(), False, time.time()
        # Nothing in it is worth a write-ahead log.
        self._make = text(_TABLE.format(kind="UNLOGGED" if engine.dialect.name == "postgresql" else ""))

    def execute(self, statement: TextClause, values: dict[str, Any]) -> Sequence[Any]:
        with self.engine.connect() as connection:
            with self._lock:
                if not self._is_made:
                    connection.execute(self._make)
                    self._is_made = True
                is_time = values["now"] - self._cleaned_at > _CLEANING
                if is_time:
                    self._cleaned_at = values["now"]
            if is_time:
                with suppress(SQLAlchemyError):  # the request is counted all the same
                    connection.execute(self._make)
                    connection.execute(_DELETE_ENDED, values)
            return connection.execute(statement, values).all()


def _open(app: Flask) -> Engine:
    """Open the database of the counts; it is connected at the first count."""
    address: URL = app.config["SQLALCHEMY_DATABASE_URI"]
    if address.get_backend_name() == "postgresql":
        engine = create_engine(
            address,
            connect_args={"connect_timeout": 2},
            isolation_level="AUTOCOMMIT",
            pool_pre_ping=True,
            pool_size=2,
            max_overflow=2,
            pool_timeout=1,
        )
        event.listen(engine, "connect", _configure_postgres)
        return engine
    file = Path(app.instance_path) / FILE
    with suppress(CannotStart):  # then each process counts for itself
        make_folder(file.parent)
        close_file(file)
    engine = create_engine(URL.create("sqlite", database=str(file)), isolation_level="AUTOCOMMIT")
    event.listen(engine, "connect", _configure_sqlite)
    return engine


def _configure_sqlite(dbapi: Any, _record: Any) -> None:
    for pragma in _PRAGMAS:
        dbapi.execute(pragma)


def _configure_postgres(dbapi: Any, _record: Any) -> None:
    for setting in _PG_SETTINGS:
        dbapi.execute(setting)
    dbapi.commit()
