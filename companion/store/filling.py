"""Fills in what a server of the previous version left empty, a little at a time, so that nobody waits for
it.
"""

from collections import defaultdict
from typing import Any

from sqlalchemy import Connection, Engine, and_, bindparam, select, tuple_, update

from .search_text import make_searched
from .tables import WRITING, EventRow, GrantRow, MatchRow

_AT_ONCE = 500
"""Rows per transaction, so that others wait only some hundredths of a second."""


def fill_in(engine: Engine) -> None:
    """Fill in what lists need, wherever it is missing; several processes may do so at once, or stop
    midway.
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
