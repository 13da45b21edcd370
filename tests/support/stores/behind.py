"""A look, and a hand, behind the verbs of a store: what lies in it, of whatever kind it is."""

from typing import Any

from sqlalchemy import delete, select

from companion.store import Store
from companion.store.memory import MemoryStore, Tables
from companion.store.memory.tables import RowKey
from companion.store.tables import Base, EventRow, MatchRow, db


def list_rows(tables: Tables) -> list[tuple[RowKey, Any]]:
    """All rows that a store in memory is saved in."""
    row_keys: list[RowKey] = [("ruling", id) for id in tables.rulings]
    for id in tables.matches:
        row_keys += tables._list_keys(id)
    return [(row_key, tables._show(row_key)) for row_key in row_keys]


class Behind:
    """Behind one store: in its database, or in its memory."""

    def __init__(self, store: Store) -> None:
        self._tables = store.tables if isinstance(store, MemoryStore) else None

    def read_everything(self) -> dict[str, list[str]]:
        """All rows as text, by their kinds."""
        rows: dict[str, list[str]] = {}
        if self._tables is not None:
            for row_key, value in list_rows(self._tables):
                rows.setdefault(str(row_key[0]), []).append(repr((row_key, value)))
        else:
            db.session.rollback()
            for table in Base.metadata.sorted_tables:
                rows[table.name] = [repr(row) for row in db.session.execute(select(table))]
        return {kind: sorted(found) for kind, found in rows.items() if found}

    def end_log(self, match_id: str, length: int) -> None:
        """Let a log be as long as it was before."""
        if self._tables is not None:
            self._tables.cut_log(match_id, length)
        else:
            self._do(delete(EventRow).where(EventRow.match_id == match_id, EventRow.seq > length))

    def lose_match(self, match_id: str) -> None:
        """Let a match be as if it had never been."""
        if self._tables is not None:
            self._tables.erase_match(match_id)
        else:
            self.end_log(match_id, 0)
            self._do(delete(MatchRow).where(MatchRow.id == match_id))

    def _do(self, statement: Any) -> None:
        db.session.execute(statement)
        db.session.commit()
