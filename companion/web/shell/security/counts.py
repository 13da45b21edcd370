"""Where it is counted how often somebody did something: in a table that all processes of all servers share.

With PostgreSQL it lies there, else in a SQLite file of its own beside the database, which several processes
write in. What stands in it is worth nothing after a day: it is in no backup, and may be deleted at any time.
"""

import time
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import finalize

from flask import Flask
from limits.storage import Storage
from sqlalchemy import URL, Engine, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from companion.store import CannotStart
from companion.store.folder import close_file, make_folder

FILE = "limits.sqlite"
_CLEANING = 60
"""Seconds between two looks for what is over."""
_PRAGMAS = ("busy_timeout=1000", "journal_mode=WAL", "synchronous=OFF")
_HASTE = ("lock_timeout = 1000", "synchronous_commit = off")
_CONNECT_ARGS = {"connect_timeout": 2}

_TABLE = (
    "CREATE {kind} TABLE IF NOT EXISTS limit_count"
    " (name VARCHAR(200) PRIMARY KEY, count INTEGER NOT NULL, ends_at DOUBLE PRECISION NOT NULL)"
)
_COUNT = text(
    "INSERT INTO limit_count (name, count, ends_at) VALUES (:name, :more, :ends_at)"
    " ON CONFLICT (name) DO UPDATE SET"
    " count = CASE WHEN limit_count.ends_at <= :now THEN 0 ELSE limit_count.count END + :more,"
    " ends_at = CASE WHEN limit_count.ends_at <= :now THEN :ends_at ELSE limit_count.ends_at END"
    " RETURNING count"
)
_FIND = text("SELECT count, ends_at FROM limit_count WHERE name = :name AND ends_at > :now")
_FORGET = text("DELETE FROM limit_count WHERE name = :name")
_FORGET_ENDED = text("DELETE FROM limit_count WHERE ends_at <= :now")
_FORGET_ALL = text("DELETE FROM limit_count")


def open_counts(app: Flask) -> Engine:
    """The database in which this app counts; opened when something is counted first, closed with the app."""
    address: URL = app.config["SQLALCHEMY_DATABASE_URI"]
    if address.get_backend_name() == "postgresql":
        engine = create_engine(
            address,
            connect_args=_CONNECT_ARGS,
            isolation_level="AUTOCOMMIT",
            pool_pre_ping=True,
            pool_size=2,
            max_overflow=2,
            pool_timeout=1,
        )
        event.listen(engine, "connect", _hurry)
    else:
        file = Path(app.instance_path) / FILE
        with suppress(CannotStart):  # then each process counts for itself
            make_folder(file.parent)
            close_file(file)
        engine = create_engine(URL.create("sqlite", database=str(file)), isolation_level="AUTOCOMMIT")
        event.listen(engine, "connect", _set_up)
    finalize(app, engine.dispose)
    return engine


class SharedCounts(Storage):
    """The counts of `limits`, in the database of an engine."""

    STORAGE_SCHEME = ["companion"]  # noqa: RUF012  # as the library has it
    base_exceptions = SQLAlchemyError

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions)
        self._engine: Engine = options["engine"]
        self._lock, self._is_ready, self._cleaned_at = Lock(), False, 0.0

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count so much more under a name, for so many seconds from the first; what it comes to."""
        now = time.time()
        said = {"name": key, "more": amount, "now": now, "ends_at": now + expiry}
        with self._connect() as connection:
            if now - self._cleaned_at > _CLEANING:
                self._cleaned_at = now
                connection.execute(_FORGET_ENDED, {"now": now})
            return int(connection.execute(_COUNT, said).scalar_one())

    def get(self, key: str) -> int:
        """What was counted under a name."""
        return int(self._find(key)[0])

    def get_expiry(self, key: str) -> float:
        """When counting under a name begins anew, in seconds since 1970."""
        return self._find(key)[1]

    def check(self) -> bool:
        """Whether counting is possible."""
        try:
            self._find("")
        except SQLAlchemyError:
            return False
        return True

    def reset(self) -> int | None:
        """Forget everything; how much that was."""
        with self._connect() as connection:
            return int(connection.execute(_FORGET_ALL).rowcount)

    def clear(self, key: str) -> None:
        """Forget what was counted under a name."""
        with self._connect() as connection:
            connection.execute(_FORGET, {"name": key})

    def _find(self, name: str) -> tuple[int, float]:
        now = time.time()
        with self._connect() as connection:
            found = connection.execute(_FIND, {"name": name, "now": now}).first()
        return (0, now) if found is None else (found.count, found.ends_at)

    def _connect(self) -> Any:
        with self._lock:
            if not self._is_ready:
                # Nothing in it is worth a write-ahead log.
                kind = "UNLOGGED" if self._engine.dialect.name == "postgresql" else ""
                with self._engine.connect() as connection:
                    connection.execute(text(_TABLE.format(kind=kind)))
                self._is_ready = True
        return self._engine.connect()


def _set_up(dbapi: Any, _record: Any) -> None:
    for pragma in _PRAGMAS:
        dbapi.execute(f"PRAGMA {pragma}")


def _hurry(dbapi: Any, _record: Any) -> None:
    for setting in _HASTE:
        dbapi.execute(f"SET {setting}")
    dbapi.commit()
