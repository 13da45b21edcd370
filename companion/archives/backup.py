"""A whole instance in one file: copied while it serves, checked, and restored into an empty instance.

The file is a SQLite database. It also holds the key by which browsers are recognised, unless that is stored
elsewhere or left out: without it nobody could write in their matches any more.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, create_engine, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from companion.matches import Matches, NoSuchMatch
from companion.matches.match import is_complete, summarize_match
from companion.rules.errors import Explained, Unreadable, explain_system
from companion.rules.message import Message
from companion.store.tables import Base, db

from .writing import Progress, report

_PAGES = 1000
"""Pages of 4 kB that are copied at a time."""
_TABLES = ("match", "event", "ruling", "move")
_NOTE = "backup"
"""The additional table of a copy: the time of the backup, and the key."""


class NoBackup(Explained):
    """A file that cannot be restored, or an instance that cannot be restored into."""


def _refuse(where: Path | str, requirement: Message | str) -> NoBackup:
    return NoBackup(Message("{place}: {requirement}", place=where, requirement=requirement))


@dataclass(frozen=True)
class Counted:
    """The numbers of rows in an instance."""

    matches: int
    events: int
    rulings: int
    moves: int

    @property
    def is_empty(self) -> bool:
        """True if nobody has anything there."""
        return not (self.matches or self.rulings or self.moves)


@dataclass(frozen=True)
class Verified:
    """The result of folding every match outside the trash: the numbers of `matches` and of those `compared`.

    `unreadable` are those that this version cannot read, `different` those whose totals differ from those
    shown earlier of the same log.
    """

    matches: int
    compared: int
    unreadable: tuple[str, ...] = ()
    different: tuple[str, ...] = ()

    @property
    def is_true(self) -> bool:
        """True if every match is unchanged."""
        return not (self.unreadable or self.different)


def back_up(database: Path, file: Path, key: str | None, progress: Progress | None = None) -> Counted:
    """Copy a consistent state of a SQLite database while others write in it, and check the copy.

    The file is written whole, or not at all; only this user can read it. `key` is stored in it.

    :raises NoBackup: if the database is invalid or unreadable, or the copy would be damaged.
    """
    if not database.is_file():
        raise NoBackup(
            Message(
                "{place} does not exist; name the folder of the instance with COMPANION_INSTANCE",
                place=database,
            )
        )
    if file.exists() and file.samefile(database):
        raise NoBackup(Message("{place} is the database itself; name another file", place=file))
    with _made_whole(file) as half:
        _copy(database, half, progress)
        with _opened(half) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without companion files
            copy.execute(f"DROP TABLE IF EXISTS {_NOTE}")
            copy.execute(f"CREATE TABLE {_NOTE} (made_at TEXT NOT NULL, secret_key TEXT)")
            made_at = datetime.now(UTC).isoformat(timespec="seconds")
            copy.execute(f"INSERT INTO {_NOTE} VALUES (?, ?)", (made_at, key))
            _check(copy, database)
            return _count(copy)


def look_into(file: Path) -> tuple[Counted, str | None]:
    """Inspect a backup: its numbers of rows, and the key, if it has one.

    :raises NoBackup: if it is invalid or damaged.
    """
    if not file.is_file():
        raise _refuse(file, Message("no such file"))
    with _opened(file, "mode=ro") as found:
        _check(found, file)
        has_note = found.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_NOTE,)).fetchone()
        note = found.execute(f"SELECT secret_key FROM {_NOTE}").fetchone() if has_note else None
        return _count(found), note[0] if note else None


def count_there(database: Path) -> Counted:
    """Count the rows in the database of an instance; zero if it does not exist.

    :raises NoBackup: if it is not a database of ours.
    """
    if not database.exists():
        return Counted(0, 0, 0, 0)
    with _opened(database) as found:
        return _count(found)


@contextmanager
def unpacked(file: Path, beside: Path, progress: Progress | None = None) -> Iterator[Path]:
    """Copy a backup beside its destination, without the parts that only a backup has.

    :raises NoBackup: if it cannot be copied.
    """
    half = beside.with_name(f"{beside.name}.restoring")
    try:
        _make_private(half)
        _copy(file, half, progress)
        with _opened(half) as copy:
            copy.execute(f"DROP TABLE IF EXISTS {_NOTE}")
        yield half
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            Path(f"{half}{ending}").unlink(missing_ok=True)


def put_in_place(half: Path, database: Path) -> None:
    """Write a database into that of an instance, which must be empty, in one transaction.

    :raises NoBackup: if the instance is no longer empty, or it cannot be written.
    """
    there = count_there(database)
    if not there.is_empty:
        raise NoBackup(Message("{place} is no longer empty", place=database))
    _make_private(database)
    _copy(half, database, None, at_once=True)
    with _opened(database) as restored:
        _check(restored, database)


def verify(matches: Matches, progress: Progress | None = None) -> Verified:
    """Fold every match, and compare its totals with those last shown."""
    ids = matches.store.list_ids()
    unreadable, different, compared = [], [], 0
    for done, id in enumerate(ids):
        report(progress, done, len(ids))
        try:
            match = matches.open(id)
        except (Unreadable, NoSuchMatch):
            unreadable.append(id)
            continue
        shown = matches.store.recall_summary(id, match.seq)
        if shown is not None and is_complete(shown):
            compared += 1
            if summarize_match(match)["totals"] != shown["totals"]:
                different.append(id)
    report(progress, len(ids), len(ids))
    return Verified(len(ids), compared, tuple(unreadable), tuple(different))


def _copy(source: Path, target: Path, progress: Progress | None, at_once: bool = False) -> None:
    mode = "mode=rw" if os.access(source, os.W_OK) else "mode=ro"
    with _opened(source, mode) as read, _opened(target) as written:
        # Reading fixes the snapshot: later writes of others are not in the copy and do no harm.
        read.execute("BEGIN")
        read.execute("SELECT count(*) FROM sqlite_master").fetchone()
        pages = -1 if at_once else _PAGES
        read.backup(
            written, pages=pages, progress=lambda _status, left, total: report(progress, total - left, total)
        )


def _check(database: sqlite3.Connection, name: Path) -> None:
    """Refuse a database that is damaged, or not ours."""
    found = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"match", "event", "alembic_version"} <= found:
        raise NoBackup(
            Message("{place}: must be the database of an instance, or a copy that backup made", place=name)
        )
    if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
        raise NoBackup(Message("{place} is damaged; use another copy", place=name))
    if database.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise NoBackup(
            Message("{place} is incomplete: it has entries without their match; use another copy", place=name)
        )


def _count(database: sqlite3.Connection) -> Counted:
    there = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    counts = (
        database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] if table in there else 0
        for table in _TABLES
    )
    return Counted(*counts)


@contextmanager
def _opened(file: Path, mode: str = "mode=rw") -> Iterator[sqlite3.Connection]:
    """Open a database file; every statement is a transaction. :raises NoBackup: if it cannot be opened."""
    try:
        address = f"file:{quote(str(file))}?{mode}"
        with closing(sqlite3.connect(address, uri=True, timeout=10, isolation_level=None)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise NoBackup(
            Message("{place} cannot be used as a database: {reason}", place=file, reason=error)
        ) from error


@contextmanager
def _made_whole(file: Path) -> Iterator[Path]:
    """A file that gets its name once it is complete; after a failure nothing is left."""
    half = file.with_name(f"{file.name}.part")
    try:
        _make_private(half, again=True)
        yield half
        with half.open("rb") as written:
            os.fsync(written.fileno())
        os.replace(half, file)
    except OSError as error:
        raise _refuse(file, explain_system(error)) from error
    finally:
        half.unlink(missing_ok=True)
        Path(f"{half}-journal").unlink(missing_ok=True)


def _make_private(file: Path, again: bool = False) -> None:
    """Create an empty file that only this user can read."""
    try:
        if again:
            file.unlink(missing_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        file.chmod(0o600)
    except OSError as error:
        raise _refuse(file, explain_system(error)) from error


_ROWS = 500
"""Rows written per statement."""


def is_file_backup(file: Path) -> bool:
    """True for a backup of a SQLite file; false for those of PostgreSQL's own programs."""
    try:
        with file.open("rb") as opened:
            return opened.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def transfer(half: Path, progress: Progress | None = None) -> Counted:
    """Write all rows of a SQLite database, which is up to date, into the app's own, which must be empty.

    All rows or none. Needs its app's context.

    :raises NoBackup: if it is not empty, or a row cannot be written.
    """
    tables = Base.metadata.sorted_tables
    source = create_engine(f"sqlite:///{half}")
    try:
        with source.connect() as read, db.engine.begin() as written:
            for table in tables:
                if _count_rows(written, table.name):
                    raise NoBackup(
                        Message(
                            "{place}: must be empty, but has rows in {table}",
                            place=_say_where(),
                            table=table.name,
                        )
                    )
            counts = {table.name: _count_rows(read, table.name) for table in tables}
            done = 0
            for table in tables:
                rows = read.execution_options(yield_per=_ROWS).execute(select(table))
                for part in rows.mappings().partitions(_ROWS):
                    written.execute(insert(table), [dict(row) for row in part])
                    done += len(part)
                    report(progress, done, sum(counts.values()))
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise _refuse(_say_where(), reason) from error
    finally:
        source.dispose()
    return Counted(counts["match"], counts["event"], counts["ruling"], counts["move"])


def _count_rows(connection: Connection, table: str) -> int:
    query = select(func.count()).select_from(Base.metadata.tables[table])
    return int(connection.execute(query).scalar() or 0)


def _say_where() -> str:
    return db.engine.url.render_as_string(hide_password=True)
