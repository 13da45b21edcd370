"""Rulings that were kept, so that a link shows the same answer later. Two verbs: keep and find."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select

from .engine import WRITING
from .tables import RulingRow, db


@dataclass(frozen=True, slots=True)
class SavedRuling:
    """A ruling as it was given: `content` holds request, facts as typed, names, answer, rulebook version."""

    id: str
    owner: str
    at: str
    content: Mapping[str, Any]


def save_ruling(ruling: SavedRuling) -> None:
    """Keep a ruling; the same id again changes nothing."""
    db.session.rollback()
    connection = db.session.connection(execution_options=WRITING)
    if connection.execute(select(RulingRow.id).where(RulingRow.id == ruling.id)).scalar() is None:
        connection.execute(
            insert(RulingRow).values(
                id=ruling.id, owner=ruling.owner, at=ruling.at, content=dict(ruling.content)
            )
        )
    db.session.commit()


def find_ruling(id: str) -> SavedRuling | None:
    """The ruling kept under this id, or None."""
    query = select(RulingRow.id, RulingRow.owner, RulingRow.at, RulingRow.content).where(RulingRow.id == id)
    row = db.session.connection().execute(query).first()
    return None if row is None else SavedRuling(row.id, row.owner, row.at, row.content)
