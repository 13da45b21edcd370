"""The meaning of the database's own errors, at the start of the program and while it runs."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from random import random
from time import sleep
from typing import Any, TypeVar

from alembic.util import CommandError
from sqlalchemy import URL
from sqlalchemy.exc import (
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from companion.rules.message import Message

from .interface import StoreUnavailable
from .tables import db

_OURS = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
"""Errors of a database that is available and working."""
_FULL = {"SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "53100"}
_BUSY = {"SQLITE_BUSY", "SQLITE_LOCKED", "53300", "55P03", "57014", "40001", "40P01"}
_AGAIN = {"40001", "40P01"}
"""PostgreSQL aborts one of two transactions in a deadlock; repeated, it succeeds."""
_ATTEMPTS, _PAUSE = 6, 0.02
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
        for attempt in range(_ATTEMPTS):
            try:
                return verb(*arguments, **named)
            except _OURS:
                raise
            except (DatabaseError, InterfaceError, PoolTimeout) as error:
                _let_go()
                lost = isinstance(error, DBAPIError) and error.connection_invalidated
                stale = _code(error) in _AGAIN and attempt < _ATTEMPTS - 1
                if not (stale or lost and attempt == 0):
                    raise StoreUnavailable(classify(error), _first_line(error)) from error
                if stale:  # so that they do not all retry at the same moment
                    sleep(random() * _PAUSE * 2**attempt)
        raise AssertionError("unreachable")

    return ask


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
