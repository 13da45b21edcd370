"""Matches out of sight, in the database."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, String, bindparam, delete, func, select, update

from companion.store.faults import raises_unavailable
from companion.store.interface import ListedMatch
from companion.store.storable_text import is_storable
from companion.store.tables import EventRow, GrantRow, LinkRow, LinkUseRow, MatchRow, begin_writing, db

_AT_ONCE = 50
"""Matches erased per transaction, so that others do not wait long."""
_OLD = select(MatchRow.id).where(MatchRow.deleted_at < bindparam("before", type_=String)).limit(1)
_OWN_OLD = _OLD.where(MatchRow.owner == bindparam("owner", type_=String))


@raises_unavailable
class SqlTrash:
    """Matches out of sight in the database that `engine.open_database` opened; needs its app's context."""

    def put_away(self, match_id: str, at: str | None) -> None:
        self._hide(match_id, MatchRow.deleted_at.is_(None), put_away_at=at)

    def delete_match(self, match_id: str, at: str) -> None:
        self._hide(match_id, MatchRow.deleted_at.is_(None), deleted_at=at)

    def bring_back(self, match_id: str) -> None:
        self._hide(match_id, MatchRow.deleted_at.is_not(None), deleted_at=None, put_away_at=None)

    def _hide(self, match_id: str, which: ColumnElement[bool], **times: str | None) -> None:
        if not is_storable(match_id):
            return
        connection = begin_writing()
        values = {**times, "access": MatchRow.access + 1}
        connection.execute(update(MatchRow).where(MatchRow.id == match_id, which).values(values))
        db.session.commit()

    def list_put_away(self, owner: str) -> list[ListedMatch]:
        shown = _select_hidden(owner, MatchRow.put_away_at)
        shown = shown.where(MatchRow.deleted_at.is_(None), MatchRow.put_away_at.is_not(None))
        return _read(shown.order_by(MatchRow.changed_at.desc(), MatchRow.id))

    def list_deleted(self, owner: str) -> list[ListedMatch]:
        shown = _select_hidden(owner, MatchRow.deleted_at).where(MatchRow.deleted_at.is_not(None))
        return _read(shown.order_by(MatchRow.deleted_at.desc(), MatchRow.id))

    def erase_deleted(self, before: str, owner: str | None = None) -> int:
        old = select(MatchRow.id).where(MatchRow.deleted_at < before)
        if owner is not None:
            old = old.where(MatchRow.owner == owner)
        erased = 0
        look, values = _OLD if owner is None else _OWN_OLD, {"before": before, "owner": owner}
        # Checked first without a lock: nearly always there is none.
        while db.session.connection().execute(look, values).first() is not None:
            erased += _erase(old.order_by(MatchRow.id).limit(_AT_ONCE))
        return erased

    def erase_match(self, match_id: str) -> None:
        if is_storable(match_id):
            _erase(select(MatchRow.id).where(MatchRow.id == match_id, MatchRow.deleted_at.is_not(None)))

    def list_ids(self, owner: str | None = None) -> Sequence[str]:
        query = select(MatchRow.id).where(MatchRow.deleted_at.is_(None))
        if owner is not None:
            query = query.where(MatchRow.owner == owner)
        return db.session.connection().scalars(query.order_by(MatchRow.created_at, MatchRow.id)).all()


def _erase(which: Select[Any]) -> int:
    """Erase these matches with everything that belongs to them; how many there were."""
    connection = begin_writing()
    ids = list(connection.scalars(which.with_for_update()))
    for table in (LinkUseRow, LinkRow, GrantRow, EventRow):
        connection.execute(delete(table).where(table.match_id.in_(ids)))
    connection.execute(delete(MatchRow).where(MatchRow.id.in_(ids)))
    db.session.commit()
    return len(ids)


def _select_hidden(owner: str, hidden_at: Any) -> Select[Any]:
    last = select(func.max(EventRow.seq)).where(EventRow.match_id == MatchRow.id)
    length = last.correlate(MatchRow).scalar_subquery()
    return select(
        MatchRow.id,
        MatchRow.owner,
        MatchRow.head,
        MatchRow.created_at,
        MatchRow.changed_at,
        hidden_at.label("hidden_at"),
        MatchRow.cache,
        MatchRow.cached,
        length.label("length"),
    ).where(MatchRow.owner == owner)


def _read(query: Select[Any]) -> list[ListedMatch]:
    return [
        ListedMatch(
            row.id,
            row.head,
            row.created_at,
            row.changed_at,
            row.cache if row.cached == (row.length or 0) else None,
            row.owner,
            hidden_at=row.hidden_at,
        )
        for row in db.session.connection().execute(query)
    ]
