"""The database: a SQLite file in the instance folder, or what `DATABASE` names; and what its errors mean."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, wraps
from pathlib import Path
from random import random
from time import sleep
from typing import Any, TypeVar
from urllib.parse import quote

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from flask import Flask
from sqlalchemy import URL, Connection, Engine, and_, bindparam, event, make_url, select, text, tuple_, update
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    DBAPIError,
    DisconnectionError,
    IntegrityError,
    InterfaceError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from companion.rules.message import Message

from .folder import close_file, make_folder, measure_free_space
from .interface import CannotStart, StoreUnavailable
from .search_text import make_searched
from .sharding import PROBED
from .tables import WRITING, EventRow, GrantRow, MatchRow, db

MIGRATIONS = Path(__file__).with_name("migrations")
PRAGMAS: tuple[str, ...] = ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
_LONGEST_WAIT = 10_000
"""Milliseconds that PostgreSQL waits for a lock of another connection, as SQLite does."""
_ANSWERING = {
    "connect_timeout": 5,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""How long to wait for a server that stopped responding: in seconds, the last one in milliseconds."""
_SHORT_WAIT, _ATTEMPTS = 2_000, 30
"""Milliseconds for which a migration blocks a table it waits for, and how often it tries."""
_LOCK = 0x636F6D70616E  # any number, the same in every process
_DRIVERS = {"sqlite": "sqlite", "postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}

_LEAST_ROOM = 1_000_000
"""Bytes on its disk without which a database file counts as full; a deal takes some 20,000 for a while."""
_REASONS = {
    "away": "the database does not answer",
    "busy": "the database is kept by others",
    "full": "the database has no room left",
    "part": "a part of the database does not answer",
}


def open_database(app: Flask) -> None:
    """Open the app's database and bring it up to date; several processes may do so at once.

    A SQLite file is made where there is none, unless the setting `DATABASE_EXISTS` says that there is.

    :raises CannotStart: when there is none, or none that this version can use.
    """
    address = _read_address(app)
    app.config["SQLALCHEMY_DATABASE_URI"] = address
    if address.get_backend_name() == "postgresql":
        # A connection lost while idle is noticed before it is used.
        options = {"pool_pre_ping": True, "pool_timeout": 10, "connect_args": _ANSWERING}
        app.config.setdefault("SQLALCHEMY_ENGINE_OPTIONS", options)
    try:
        db.init_app(app)
        app.teardown_appcontext(_end_session)
        with app.app_context():
            is_file, exists = _is_file(db.engine.url), app.config.get("DATABASE_EXISTS")
            if db.engine.dialect.name == "sqlite":
                if is_file and not exists:
                    close_file(Path(str(db.engine.url.database)))
                event.listen(db.engine, "connect", _connect)
                event.listen(db.engine, "begin", _begin)
            else:
                event.listen(db.engine, "connect", _limit_waiting)
            if is_file and exists:
                _stay_with_the_file(db.engine)
            try:
                upgrade(db.engine)
                with suppress(OperationalError):  # on a full disk, for instance: it is searched instead
                    fill_in(db.engine)
            finally:
                close_connections()  # a server forks after this
            if is_file and not exists:
                _stay_with_the_file(db.engine)
    except (CommandError, OSError, SQLAlchemyError) as error:
        raise CannotStart(explain_start(address, error)) from error


def _is_file(address: URL) -> bool:
    """Whether the database is a single file, given by its path alone."""
    name = address.database or ""
    return address.get_backend_name() == "sqlite" and name not in ("", ":memory:") and name[:5] != "file:"


def close_connections() -> None:
    """Close all of this process's connections; needs the app's context.

    A connection that is open while the process forks can lose acknowledged writes: SQLite's locks are not
    inherited, but the child believes that it has them.
    """
    db.session.remove()
    db.engine.dispose()


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Run the missing migrations, each in a transaction, one process at a time.

    Servers of the previous version go on meanwhile and afterwards.
    """
    config = _migrations()
    with engine.connect() as connection:
        if _goes_on_with(connection, config):
            return
    if engine.dialect.name != "postgresql":
        with engine.connect().execution_options(**WRITING) as connection, connection.begin():
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
        return
    with engine.connect() as connection, _alone(connection):
        config.attributes["connection"] = connection
        for attempt in range(_ATTEMPTS):
            try:
                command.upgrade(config, revision)
                break
            except OperationalError as error:
                connection.rollback()
                if attempt == _ATTEMPTS - 1 or classify(error) != "busy":
                    raise


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def _goes_on_with(connection: Connection, config: Config) -> bool:
    """Whether a newer version has upgraded the database, and only added to what this one uses.

    Within a hundred of the migrations' numbers nothing is removed, so the processes of a server can be
    replaced while one of the next version is already running.
    """
    found = MigrationContext.configure(connection).get_current_revision() or ""
    newest = ScriptDirectory.from_config(config).get_current_head() or ""
    return found.isdecimal() and int(found) > int(newest) and found[:-2] == newest[:-2]


@contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    """Hold the lock by which only one process upgrades the PostgreSQL database; wait briefly for tables that
    others use.

    Waiting for a table blocks everybody behind, so the wait is given up and repeated.
    """
    key = {"key": _LOCK}
    # In a transaction of its own each time: an index that is built waits for those that began before.
    while not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), key).scalar():
        connection.rollback()
        sleep(0.1)
    connection.execute(text(f"SET lock_timeout = {_SHORT_WAIT}"))
    connection.commit()
    try:
        yield
    finally:
        connection.rollback()
        connection.execute(text(f"SET lock_timeout = {_LONGEST_WAIT}"))
        connection.execute(text("SELECT pg_advisory_unlock(:key)"), key)
        connection.commit()


def _read_address(app: Flask) -> URL:
    """The address of the database, with the bundled driver."""
    given = app.config["DATABASE"]
    if not given:
        folder = Path(app.instance_path)
        make_folder(folder)
        return URL.create("sqlite", database=str(folder / "companion.sqlite"))
    try:
        address = make_url(given)
        return address.set(drivername=_DRIVERS[address.get_backend_name()])
    except (ArgumentError, KeyError, TypeError):
        raise CannotStart(
            Message(
                "COMPANION_DATABASE: must be an address such as postgresql://user:password@host/name"
                " or sqlite:////folder/file"
            )
        ) from None


def _connect(dbapi: Any, _record: Any) -> None:
    dbapi.isolation_level = None  # SQLAlchemy, not the driver, begins transactions
    for pragma in PRAGMAS:
        dbapi.execute(f"PRAGMA {pragma}")


def _limit_waiting(dbapi: Any, _record: Any) -> None:
    dbapi.execute(f"SET lock_timeout = {_LONGEST_WAIT}")
    dbapi.commit()


def _begin(connection: Connection) -> None:
    mode = connection.get_execution_options().get("sqlite_begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {mode}")


def _stay_with_the_file(engine: Engine) -> None:
    """Write only into the file of that name: not into one that was deleted or replaced, nor into a new
    one.
    """
    name = str(engine.url.database)

    def identify() -> tuple[int, int] | None:
        try:
            found = os.stat(name)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @event.listens_for(engine, "do_connect")
    def open_existing(_dialect: Any, record: Any, arguments: list[Any], named: dict[str, Any]) -> None:
        arguments[0] = f"file:{quote(name)}?mode=rw"
        named["uri"] = True
        record.info["file"] = identify()

    @event.listens_for(engine, "checkout")
    def compare(_dbapi: Any, record: Any, _proxy: Any) -> None:
        if record.info.get("file") != identify():
            raise DisconnectionError(f"{name} was replaced")


def find_problem() -> str | None:
    """Why the database cannot be used just now, without details; None if it can.

    One that a newer version has upgraded can be used: it lacks nothing that this one needs.
    """
    try:
        with db.engine.connect() as connection:
            found = MigrationContext.configure(connection).get_current_revision()
            known = _list_revisions()
            if found is None or found in known[1:]:
                return "the database lacks what the newest migration adds"
            if reason := _look_everywhere(connection):
                return reason
    except SQLAlchemyError as error:
        return _REASONS[classify(error)]
    if _is_file(db.engine.url):
        folder = Path(str(db.engine.url.database)).parent
        return _REASONS["full"] if measure_free_space(folder) < _LEAST_ROOM else None
    return None


def _look_everywhere(connection: Connection) -> str | None:
    """Why rows cannot be read, of one machine at least where tables are spread; None if they can."""
    try:
        for table in PROBED:
            connection.exec_driver_sql(f"SELECT 1 FROM {table} LIMIT 1")
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        reason = classify(error)
        return _REASONS["part" if reason == "away" else reason]
    return None


@lru_cache(maxsize=1)
def _list_revisions() -> list[str]:
    """The revisions that this version knows, the newest first."""
    return [script.revision for script in ScriptDirectory.from_config(_migrations()).walk_revisions()]


_AT_ONCE = 500
"""Rows per transaction, so that others wait only some hundredths of a second."""


def fill_in(engine: Engine) -> None:
    """Fill in what lists need and a server of the previous version left empty, a little at a time.

    Nobody waits for it; several processes may do so at once, or stop midway.
    """
    for column, fill in ((MatchRow.searched, _fill_matches), (GrantRow.listed_at, _fill_grants)):
        is_left = True
        while is_left:
            with engine.connect() as looking:
                is_left = looking.execute(select(1).where(column.is_(None)).limit(1)).first() is not None
            if is_left:  # nothing is written where there is nothing to do
                with engine.connect().execution_options(**WRITING) as connection, connection.begin():
                    fill(connection)


def _fill_matches(connection: Connection) -> None:
    empty = MatchRow.searched.is_(None)
    query = select(MatchRow.id, MatchRow.head, MatchRow.created_at).where(empty).limit(_AT_ONCE)
    rows = sorted(connection.execute(query))  # in one order, so that no two wait for each other
    ids = [row.id for row in rows]
    corrections: dict[str, list[Any]] = defaultdict(list)
    heads = and_(EventRow.match_id.in_(ids), EventRow.kind == "head")
    for id, payload in connection.execute(
        select(EventRow.match_id, EventRow.payload).where(heads).order_by(EventRow.match_id, EventRow.seq)
    ):
        corrections[id].append(payload)
    filled = [
        {
            "of": row.id,
            "words": make_searched(row.head, row.created_at, corrections[row.id]),
            "earlier": row.head.get("follows"),
        }
        for row in rows
    ]
    if filled:
        change = update(MatchRow).where(MatchRow.id == bindparam("of"), empty)
        change = change.values(searched=bindparam("words"), follows=bindparam("earlier"))
        connection.execute(change, filled)


def _fill_grants(connection: Connection) -> None:
    key, empty = tuple_(GrantRow.match_id, GrantRow.browser), GrantRow.listed_at.is_(None)
    some = select(GrantRow.match_id, GrantRow.browser).where(empty).limit(_AT_ONCE)
    written = select(MatchRow.changed_at).where(MatchRow.id == GrantRow.match_id).scalar_subquery()
    change = update(GrantRow).where(key.in_(connection.execute(some).all()), empty)
    connection.execute(change.values(listed_at=written))


def begin_writing() -> Connection:
    """A connection in a new transaction that will write: SQLite must take its lock before it reads."""
    db.session.rollback()
    return db.session.connection(execution_options=WRITING)


_OURS = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
"""Errors of a database that is available and working."""
_FULL = {"SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "53100"}
_BUSY = {"SQLITE_BUSY", "SQLITE_LOCKED", "53300", "55P03", "57014", "40001", "40P01"}
_AGAIN = {"40001", "40P01"}
"""PostgreSQL aborts one of two transactions in a deadlock; repeated, it succeeds."""
_REPEATS, _PAUSE = 8, 0.02
"""How often that is repeated, and the seconds before it, doubled each time."""

S = TypeVar("S")


def raises_unavailable(store: type[S]) -> type[S]:
    """Decorate a store so that its methods raise `StoreUnavailable` when the database fails.

    A lost connection is reopened and the method repeated once, and again while PostgreSQL aborts it for
    others: each may safely be done twice, because every write has a key.
    """
    for name, verb in vars(store).copy().items():
        if not name.startswith("_") and callable(verb):
            setattr(store, name, _answering(verb))
    return store


def _answering(verb: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(verb)
    def ask(*arguments: Any, **named: Any) -> Any:
        for attempt in range(_REPEATS):
            try:
                return verb(*arguments, **named)
            except _OURS:
                raise
            except (DatabaseError, InterfaceError, PoolTimeout) as error:
                _let_go()
                lost = isinstance(error, DBAPIError) and error.connection_invalidated
                stale = _code(error) in _AGAIN and attempt < _REPEATS - 1
                if not (stale or lost and attempt == 0):
                    raise StoreUnavailable(classify(error), _first_line(error)) from error
                if stale:  # so that they do not all retry at the same moment
                    sleep(random() * _PAUSE * 2**attempt)
        raise AssertionError("unreachable")

    return ask


def _end_session(_error: BaseException | None) -> None:
    """Return the connection at the end of a request; one that is lost by then changes no answer."""
    try:
        db.session.remove()
    except SQLAlchemyError:
        db.session().invalidate()


def _let_go() -> None:
    """End the failed transaction, so that the next query begins a new one."""
    try:
        db.session.rollback()
    except SQLAlchemyError:
        db.session.remove()


def classify(error: SQLAlchemyError) -> str:
    """The reason that `StoreUnavailable` gives."""
    code = _code(error)
    if code in _FULL:
        return "full"
    return "busy" if code in _BUSY or isinstance(error, PoolTimeout) else "away"


def _code(error: SQLAlchemyError) -> str:
    """The database's own name of the error: SQLite's, or PostgreSQL's five characters."""
    cause = getattr(error, "orig", None)
    name = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or ""
    # Extended names say more than matters here: SQLITE_BUSY_SNAPSHOT is SQLITE_BUSY.
    return next((known for known in ("SQLITE_BUSY", "SQLITE_LOCKED") if name.startswith(known)), name)


def explain_start(address: URL, error: Exception) -> Message:
    """Why a database cannot be opened, and what to do about it, in one line."""
    is_file, detail = address.get_backend_name() == "sqlite", _first_line(error)
    where: Message | str = address.render_as_string(hide_password=True)
    if is_file:
        where = address.database or Message("the database")
    if isinstance(error, CommandError) and "locate revision" in detail:
        return Message("{place} was written by a newer version of this program; update this one", place=where)
    if is_file:
        return _explain_sqlite(where, error)
    if isinstance(error, SQLAlchemyError) and _code(error) in _BUSY:
        return Message(
            "{place} is busy ({detail}); try again, or stop the program that is using it",
            place=where,
            detail=detail,
        )
    if "does not exist" in detail and isinstance(error, OperationalError):
        return Message(
            "{place}: {detail}; create it, or correct COMPANION_DATABASE", place=where, detail=detail
        )
    if isinstance(error, OperationalError):
        return Message(
            "{place} cannot be reached ({detail}); start the database, or correct COMPANION_DATABASE",
            place=where,
            detail=detail,
        )
    return Message("{place} cannot be used: {detail}", place=where, detail=detail)


def _explain_sqlite(place: Message | str, error: Exception) -> Message:
    file = Path(str(place))
    code = _code(error) if isinstance(error, SQLAlchemyError) else ""
    if code.startswith("SQLITE_CANTOPEN"):
        if not file.parent.is_dir():
            return Message("{place} is not a folder; create it, or name another database", place=file.parent)
        return Message(
            "{place} cannot be opened; let this user read and write it, and its folder", place=place
        )
    if code.startswith("SQLITE_READONLY"):
        return Message("{place} cannot be written; let this user write it, and its folder", place=place)
    if code == "SQLITE_NOTADB" or code.startswith("SQLITE_CORRUPT"):
        return Message(
            "{place} is not a database, or is damaged; restore a copy of it, or move it away", place=place
        )
    if code.startswith("SQLITE_IOERR"):
        return Message(
            "{place} cannot be read or written; check whether the disk is full or damaged", place=place
        )
    match classify(error) if isinstance(error, SQLAlchemyError) else "":
        case "full":
            return Message("{place} cannot grow: the disk is full; free some space", place=place)
        case "busy":
            return Message("{place} is in use by another program; end that, then start again", place=place)
    return Message("{place} cannot be used: {detail}", place=place, detail=_first_line(error))


def _first_line(error: Exception) -> str:
    """What the database's driver says, in one line and without the statement."""
    cause = getattr(error, "orig", None) or error
    return next((line.strip() for line in str(cause).splitlines() if line.strip()), type(cause).__name__)
