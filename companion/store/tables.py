"""The tables: a match and the events of its log, saved rulings, and rights in a match."""

from typing import Any

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    JSON,
    Boolean,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The base of all tables; constraints are named, so that migrations can name them on every database."""

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


class MatchRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """One match: its owner, its head as it was first written, and its rulebook version.

    `cache`, made from the first `cached` events, is its summary for lists; it may be dropped at any time.
    `access` counts the changes of rights. An archived match is only in its owner's list of those; a deleted
    one is in the trash, until it is erased; `visibility_at` is the time of that choice. `searched` is the
    text for searches, `follows` the previous match, as in the head; both are empty in a match from an earlier
    server, until they are filled in.
    """

    __tablename__ = "match"
    __table_args__ = (
        # Includes all columns of a search, so that it reads only the matches it finds.
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
    visibility_at: Mapped[str | None] = mapped_column(String(32))
    searched: Mapped[str | None] = mapped_column(Text)
    follows: Mapped[str | None] = mapped_column(String(80))


class EventRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """One appended event; never changed, and erased only with its whole match.

    `arrived_at` is the arrival from a phone that had recorded it without network, empty for all others.
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


class ErasedRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """The id of an erased match, and the digest of its owner: nobody else can have the id."""

    __tablename__ = "erased"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))


class RulingRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """One saved ruling: the question, the rulebook version, the answer; or a note of a journal.

    Never changed.
    """

    __tablename__ = "ruling"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64), index=True)
    at: Mapped[str] = mapped_column(String(32))
    content: Mapped[dict[str, Any]] = mapped_column(JSON)


class LinkRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """One link that invites to a match; only the digest of its secret is stored."""

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
    """The rights of one browser in one match.

    `listed_at` is the time of the match's last event, by which the browser's list is ordered; empty in a
    grant from an earlier server, until it is filled in.
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
    """One browser's use of a link of a match; for earlier servers a trigger fills in the match."""

    __tablename__ = "link_use"

    link_id: Mapped[str] = mapped_column(ForeignKey("link.id"), primary_key=True)
    grant_id: Mapped[str] = mapped_column(ForeignKey("match_grant.id"), primary_key=True, index=True)
    match_id: Mapped[str | None] = mapped_column(String(64), index=True)


class MoveRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """One way for another phone to become the same person; only the digest of its secret is stored."""

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
    generation: Mapped[int] = mapped_column(Integer, default=0, server_default="0")


class TokenRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """A token of a program; only the digest of its secret is stored."""

    __tablename__ = "token"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    id: Mapped[str] = mapped_column(String(64))
    owner: Mapped[str] = mapped_column(String(64), index=True)
    match_id: Mapped[str | None] = mapped_column(String(64))
    role: Mapped[str] = mapped_column(String(16))
    side: Mapped[str | None] = mapped_column(String(1))
    made_at: Mapped[str] = mapped_column(String(32))
    used_at: Mapped[str | None] = mapped_column(String(32))
    revoked_at: Mapped[str | None] = mapped_column(String(32))
    ends_at: Mapped[str | None] = mapped_column(String(32))
    generation: Mapped[int] = mapped_column(Integer, default=0, server_default="0")


class RenewalRow(db.Model):  # type: ignore[name-defined,misc]  # made by the extension
    """The last time an owner was signed out everywhere; owners who never were have no row."""

    __tablename__ = "renewal"

    owner: Mapped[str] = mapped_column(String(64), primary_key=True)
    generation: Mapped[int] = mapped_column(Integer)
    key: Mapped[str] = mapped_column(String(64))
    at: Mapped[str] = mapped_column(String(32))
