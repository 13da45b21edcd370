"""The store in a database: SQLite or PostgreSQL, through SQLAlchemy."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from companion.record.log import Event, are_appended, is_same_form
from companion.rules.schema import is_storable
from companion.store.engine import begin_writing, raises_unavailable
from companion.store.interface import SavedRuling, StaleWrite, StoredMatch
from companion.store.search_text import searchable_text
from companion.store.tables import ErasedRow, EventRow, GrantRow, MatchRow, RulingRow, db

from .grants import SqlGrants
from .lists import SqlLists, mark_erased

_EVENT = (
    EventRow.seq,
    EventRow.kind,
    EventRow.entry,
    EventRow.payload,
    EventRow.author,
    EventRow.at,
    EventRow.undoes,
    EventRow.arrived_at,
)
_MATCH = (
    MatchRow.id,
    MatchRow.owner,
    MatchRow.head,
    MatchRow.created_at,
    MatchRow.rulebook,
    MatchRow.deleted_at,
)
_RULING = (RulingRow.id, RulingRow.owner, RulingRow.at, RulingRow.content)

# The queries of every entry, built once: building a statement takes longer than executing it.
_ID: BindParameter[str] = bindparam("match")
_LATER = and_(EventRow.match_id == MatchRow.id, EventRow.seq > bindparam("after"))
_LOAD_MATCH = (
    select(*_MATCH, *_EVENT)
    .join_from(MatchRow, EventRow, _LATER, isouter=True)
    .where(MatchRow.id == _ID)
    .order_by(EventRow.seq)
)
_LOAD_EVENTS = (
    select(*_EVENT).where(EventRow.match_id == _ID, EventRow.seq > bindparam("after")).order_by(EventRow.seq)
)
_OF_FORM = and_(EventRow.match_id == _ID, EventRow.form_key == bindparam("key"))
_FIND_EVENT = select(*_EVENT).where(_OF_FORM)
_STANDING = and_(MatchRow.id == _ID, MatchRow.deleted_at.is_(None))
_LOCK = select(MatchRow.access).where(_STANDING).with_for_update()
_CHANGE = update(MatchRow).where(_STANDING).values(changed_at=bindparam("at")).returning(MatchRow.access)
_LENGTH = select(func.coalesce(func.max(EventRow.seq), 0)).where(EventRow.match_id == _ID)
_LENGTH_AND_FORM = select(_LENGTH.scalar_subquery(), exists().where(_OF_FORM))
_INSERT = insert(EventRow)


@raises_unavailable
class SqlStore(SqlGrants, SqlLists):
    """Matches, rulings and rights in the database that `engine.open_database` opened.

    Needs its app's context.
    """

    def create_match(self, match: StoredMatch) -> None:
        corrections = (event.payload for event in match.events if event.kind == "head")
        began = match.arrived or match.created_at
        changed_at = match.events[-1].written_at if match.events else began
        connection = begin_writing()
        try:
            connection.execute(
                insert(MatchRow).values(
                    id=match.id,
                    owner=match.owner,
                    head=dict(match.head),
                    rulebook=match.rulebook,
                    created_at=match.created_at,
                    changed_at=changed_at,
                    cache=None,
                    cached=0,
                    searched=searchable_text(match.head, match.created_at, corrections),
                    follows=match.head.get("follows"),
                )
            )
            _insert_events(connection, match.id, 0, match.events)
            _take_id(connection, match)
            db.session.commit()
        except IntegrityError:  # it exists already, perhaps since a moment ago
            db.session.rollback()
            owner = select(MatchRow.owner).where(MatchRow.id == match.id)
            if db.session.connection().execute(owner).scalar() != match.owner:
                raise StaleWrite(match.id, ()) from None

    def append_event(self, match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
        connection = begin_writing()
        try:
            # Locked until the end: of two simultaneous writers the second sees what the first has written.
            access = _lock_log(connection, match_id, event.written_at)
            named = {"match": match_id, "key": form_key if is_storable(form_key) else ""}
            length, is_written = connection.execute(_LENGTH_AND_FORM, named).one()
            present = _find_event(connection, match_id, form_key) if is_written else None
            if present is not None:
                if is_same_form(present, event):
                    return present
                raise StaleWrite(
                    match_id, _load_events(connection, match_id, min(expected_seq, present.seq - 1))
                )
            if length != expected_seq:
                raise StaleWrite(match_id, _load_events(connection, match_id, expected_seq))
            written = replace(event, seq=length + 1, payload=json.loads(json.dumps(event.payload)))
            connection.execute(_INSERT, _event_values(match_id, written.seq, event, form_key))
            if event.kind == "head":
                _update_search_text(connection, match_id)
            _move_up(connection, match_id, event.written_at, access)
            db.session.commit()
            return written
        finally:
            db.session.rollback()

    def append_events(self, match_id: str, expected_seq: int, events: Sequence[Event]) -> None:
        connection = begin_writing()
        try:
            access = _lock_log(connection, match_id)
            if are_appended(_load_events(connection, match_id, expected_seq), events):
                return
            if connection.execute(_LENGTH, {"match": match_id}).scalar_one() != expected_seq:
                raise StaleWrite(match_id, _load_events(connection, match_id, expected_seq))
            _insert_events(connection, match_id, expected_seq, events)
            last = max((event.written_at for event in events), default="")
            later = update(MatchRow).where(MatchRow.id == match_id, MatchRow.changed_at < last)
            if connection.execute(later.values(changed_at=last)).rowcount:
                _move_up(connection, match_id, last, access)
            if any(event.kind == "head" for event in events):
                _update_search_text(connection, match_id)
            db.session.commit()
        finally:
            db.session.rollback()

    def find_event(self, match_id: str, form_key: str) -> Event | None:
        return _find_event(db.session.connection(), match_id, form_key)

    def load_match(self, match_id: str, after: int = 0) -> StoredMatch | None:
        if not is_storable(match_id):
            return None
        # One statement, so that head and log are consistent; a match without such events has one row.
        rows = db.session.connection().execute(_LOAD_MATCH, {"match": match_id, "after": after}).all()
        if not rows:
            return None
        events = tuple(_read_event(row) for row in rows if row.seq is not None)
        first = rows[0]
        return StoredMatch(
            first.id, first.owner, first.head, events, first.created_at, first.rulebook, first.deleted_at
        )

    def recall_summary(self, match_id: str, seq: int) -> Mapping[str, Any] | None:
        query = select(MatchRow.cache).where(MatchRow.id == match_id, MatchRow.cached == seq)
        stored: Mapping[str, Any] | None = db.session.connection().execute(query).scalar()
        return stored

    def save_ruling(self, ruling: SavedRuling) -> None:
        connection = begin_writing()
        row = {"id": ruling.id, "owner": ruling.owner, "at": ruling.at, "content": dict(ruling.content)}
        try:
            connection.execute(insert(RulingRow).values(row))
            db.session.commit()
        except IntegrityError:  # it exists already
            db.session.rollback()

    def find_ruling(self, id: str) -> SavedRuling | None:
        if not is_storable(id):
            return None
        row = db.session.connection().execute(select(*_RULING).where(RulingRow.id == id)).first()
        return None if row is None else SavedRuling(*row)

    def list_rulings(self, owner: str) -> list[SavedRuling]:
        if not is_storable(owner):
            return []
        mine = select(*_RULING).where(RulingRow.owner == owner).order_by(RulingRow.at, RulingRow.id)
        return [SavedRuling(*row) for row in db.session.connection().execute(mine)]


def _take_id(connection: Connection, match: StoredMatch) -> None:
    """Take the id of a new match, which may belong to an erased one.

    Checked after the match was added, so that nobody erases one of this id meanwhile.

    :raises StaleWrite: if another owner erased it; nothing is written.
    """
    erased = ErasedRow.id == match.id
    owner = connection.execute(select(ErasedRow.owner).where(erased)).scalar()
    if owner is None:
        return
    if owner != mark_erased(match.id, match.owner):
        db.session.rollback()
        raise StaleWrite(match.id, ())
    connection.execute(delete(ErasedRow).where(erased))


def _read_event(row: Row[Any]) -> Event:
    said = (row.seq, row.kind, row.entry, row.payload, row.author, row.at, row.undoes)
    return Event(*said, arrived=row.arrived_at or "")


def _find_event(connection: Connection, match_id: str, form_key: str) -> Event | None:
    if not is_storable(match_id) or not is_storable(form_key):
        return None
    row = connection.execute(_FIND_EVENT, {"match": match_id, "key": form_key}).first()
    return None if row is None else _read_event(row)


def _update_search_text(connection: Connection, match_id: str) -> None:
    """Update the search text after a correction of the match's head."""
    query = select(MatchRow.head, MatchRow.created_at).where(MatchRow.id == match_id)
    head, created_at = connection.execute(query).one()
    heads = select(EventRow.payload).where(EventRow.match_id == match_id, EventRow.kind == "head")
    searched = searchable_text(head, created_at, connection.scalars(heads.order_by(EventRow.seq)))
    connection.execute(update(MatchRow).where(MatchRow.id == match_id).values(searched=searched))


def _load_events(connection: Connection, match_id: str, after: int) -> tuple[Event, ...]:
    rows = connection.execute(_LOAD_EVENTS, {"match": match_id, "after": after})
    return tuple(_read_event(row) for row in rows)


def _lock_log(connection: Connection, match_id: str, at: str | None = None) -> int:
    """Lock a match until the end of the transaction, as changed `at`; how often its access was changed.

    :raises KeyError: if nobody can write in it.
    """
    lock, named = (_LOCK, {}) if at is None else (_CHANGE, {"at": at})
    access = None
    if is_storable(match_id):
        access = connection.execute(lock, {"match": match_id, **named}).scalar()
    if access is None:
        raise KeyError(match_id)
    return access


def _move_up(connection: Connection, match_id: str, at: str, access: int) -> None:
    """Move a match up in the lists of those who joined it; `access` is 0 if nobody can have joined."""
    if access:
        shared = update(GrantRow).where(GrantRow.match_id == match_id)
        connection.execute(shared.values(listed_at=at))


def _insert_events(connection: Connection, match_id: str, after: int, events: Sequence[Event]) -> None:
    rows = [
        _event_values(match_id, seq, event, f"{match_id}-{seq}")
        for seq, event in enumerate(events, after + 1)
    ]
    if rows:
        connection.execute(_INSERT, rows)


def _event_values(match_id: str, seq: int, event: Event, form_key: str) -> dict[str, Any]:
    return {
        "match_id": match_id,
        "seq": seq,
        "kind": event.kind,
        "entry": event.entry,
        "payload": event.payload,
        "author": event.author,
        "at": event.at,
        "undoes": event.undoes,
        "form_key": form_key,
        "arrived_at": event.arrived or None,
    }
