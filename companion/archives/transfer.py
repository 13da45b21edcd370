"""Restores a backup of a SQLite file into PostgreSQL: every row as it was."""

from pathlib import Path

from sqlalchemy import Connection, create_engine, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from companion.rules.message import Message
from companion.store.tables import Base, db

from .backup import Counted, NoBackup
from .writing import Progress, report

_ROWS = 500
"""Rows written per statement."""


def is_file_backup(file: Path) -> bool:
    """Whether this is a backup of a SQLite file; those of PostgreSQL's own programs are not."""
    try:
        with file.open("rb") as opened:
            return opened.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def transfer(half: Path, progress: Progress | None = None) -> Counted:
    """Write all rows of a SQLite database, which is up to date, into the app's own, which must be empty.

    All of it or nothing. Needs its app's context.

    :raises NoBackup: when something is there, or a row cannot be written.
    """
    tables = Base.metadata.sorted_tables
    source = create_engine(f"sqlite:///{half}")
    try:
        with source.connect() as read, db.engine.begin() as written:
            for table in tables:
                if _count(written, table.name):
                    raise NoBackup(
                        Message(
                            "{place}: must be empty, but has rows in {table}",
                            place=_say_where(),
                            table=table.name,
                        )
                    )
            counts = {table.name: _count(read, table.name) for table in tables}
            done = 0
            for table in tables:
                rows = read.execution_options(yield_per=_ROWS).execute(select(table))
                for part in rows.mappings().partitions(_ROWS):
                    written.execute(insert(table), [dict(row) for row in part])
                    done += len(part)
                    report(progress, done, sum(counts.values()))
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise NoBackup(Message("{place}: {requirement}", place=_say_where(), requirement=reason)) from error
    finally:
        source.dispose()
    return Counted(counts["match"], counts["event"], counts["ruling"], counts["move"])


def _count(connection: Connection, table: str) -> int:
    query = select(func.count()).select_from(Base.metadata.tables[table])
    return int(connection.execute(query).scalar() or 0)


def _say_where() -> str:
    return db.engine.url.render_as_string(hide_password=True)
