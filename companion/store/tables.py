"""The tables: a match and the events of its log, saved rulings, and who may do what in a match."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from random import random
from time import sleep
from typing import Any, TypeVar

from alembic.util import CommandError
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    JSON,
    URL,
    Boolean,
    Connection,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    text,
)
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
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from companion.rules.message import Message

from .interface import StoreUnavailable


class Base(DeclarativeBase):
    """All tables; constraints are named, so that migrations can speak of them on every database."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def _some(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """A partial index, of the rows for which a condition holds."""
    holds = text(where)
    return Index(name, *columns, unique=unique, sqlite_where=holds, postgresql_where=holds)


db = SQLAlchemy(model_class=Base, disable_autonaming=True)
WRITING = {"sqlite_begin": "IMMEDIATE"}
"""Options of a connection that will write: SQLite takes its lock at once, others ignore it."""


def begin_writing() -> Connection:
    """A connection in a new transaction that will write: SQLite must take its lock before it reads."""
    db.session.rollback()
    return db.session.connection(execution_options=WRITING)


class MatchRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """One match: who made it, its head as it was first written, and the rulebook it is played by.

    `cache`, made from the first `cached` events, is what lists show; it may be dropped at any time. `access`
    counts the changes of who may do what. A match that was put away is in none of its owner's lists but that
    of such matches; one that was deleted is in the trash, until it is erased. `searched` is what a search in
    lists looks into, `follows` the match before it, as the head has it; both are empty where a server of
    before made the match, until they are filled in.
    """

    __tablename__ = "match"
    __table_args__ = (
        # Includes everything a search looks at, so that it reads only the matches it finds.
        _some(
            "ix_match_listed",
            "owner",
            "changed_at",
            "id",
            "searched",
            "put_away_at",
            "deleted_at",
            where="put_away_at IS NULL AND deleted_at IS NULL",
        ),
        _some("ix_match_unfilled", "owner", where="searched IS NULL"),
        _some("ix_match_hidden", "owner", where="put_away_at IS NOT NULL OR deleted_at IS NOT NULL"),
        _some("ix_match_follows", "follows", where="follows IS NOT NULL"),
    )

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64), index=True)
    head: Mapped[dict[str, Any]] = mapped_column(JSON)
    rulebook: Mapped[str] = mapped_column(String(16), server_default="")
    created_at: Mapped[str] = mapped_column(String(32))
    changed_at: Mapped[str] = mapped_column(String(32))
    cache: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    cached: Mapped[int] = mapped_column(Integer, default=0)
    access: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    put_away_at: Mapped[str | None] = mapped_column(String(32))
    deleted_at: Mapped[str | None] = mapped_column(String(32))
    searched: Mapped[str | None] = mapped_column(Text)
    follows: Mapped[str | None] = mapped_column(String(80))


class EventRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """One appended event; never changed, and erased only with its whole match.

    `arrived_at` is when it came from a phone that had recorded it without network, empty for all others.
    """

    __tablename__ = "event"
    __table_args__ = (UniqueConstraint("match_id", "form_key"),)

    match_id: Mapped[str] = mapped_column(ForeignKey("match.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(16))
    entry: Mapped[int | None] = mapped_column(Integer)
    payload: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    author: Mapped[str] = mapped_column(String(64))
    at: Mapped[str] = mapped_column(String(32))
    undoes: Mapped[int | None] = mapped_column(Integer)
    form_key: Mapped[str] = mapped_column(String(64))
    arrived_at: Mapped[str | None] = mapped_column(String(32))


class RulingRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """One ruling that somebody saved: the question, the rulebook version, the answer. Never changed."""

    __tablename__ = "ruling"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64), index=True)
    at: Mapped[str] = mapped_column(String(32))
    content: Mapped[dict[str, Any]] = mapped_column(JSON)


class LinkRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """One link that invites to a match; of its secret there is only the digest."""

    __tablename__ = "link"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("match.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    side: Mapped[str | None] = mapped_column(String(1))
    once: Mapped[bool] = mapped_column(Boolean)
    made_at: Mapped[str] = mapped_column(String(32))
    revoked_at: Mapped[str | None] = mapped_column(String(32))


class GrantRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """What one browser may do in one match.

    `listed_at` is when the match was last written in, as the browser's list is ordered by it; empty where a
    server of before gave the grant, until it is filled in.
    """

    __tablename__ = "match_grant"  # GRANT is a word of SQL
    __table_args__ = (
        UniqueConstraint("id"),
        _some("ix_match_grant_listed", "browser", "listed_at", "match_id", where="revoked_at IS NULL"),
        _some("ix_match_grant_unlisted", "browser", where="listed_at IS NULL"),
    )

    match_id: Mapped[str] = mapped_column(ForeignKey("match.id"), primary_key=True)
    browser: Mapped[str] = mapped_column(String(64), primary_key=True, index=True)
    id: Mapped[str] = mapped_column(String(64))
    side: Mapped[str | None] = mapped_column(String(1))
    has_pencil: Mapped[bool] = mapped_column(Boolean)
    phone: Mapped[str] = mapped_column(String(80))
    at: Mapped[str] = mapped_column(String(32))
    revoked_at: Mapped[str | None] = mapped_column(String(32))
    listed_at: Mapped[str | None] = mapped_column(String(32))


class LinkUseRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """That a browser joined by a link of a match; a trigger fills the match in for a server of before."""

    __tablename__ = "link_use"

    link_id: Mapped[str] = mapped_column(ForeignKey("link.id"), primary_key=True)
    grant_id: Mapped[str] = mapped_column(ForeignKey("match_grant.id"), primary_key=True, index=True)
    match_id: Mapped[str | None] = mapped_column(String(64), index=True)


class MoveRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """One way for another phone to become the same person; of its secret there is only the digest."""

    __tablename__ = "move"
    __table_args__ = (
        _some("uq_move_words", "owner", where="kind = 'words' AND used_at IS NULL", unique=True),
    )

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    made_at: Mapped[str] = mapped_column(String(32))
    ends_at: Mapped[str | None] = mapped_column(String(32))
    used_at: Mapped[str | None] = mapped_column(String(32))


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
