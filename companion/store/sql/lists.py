"""The lists of a browser in the database, and its hidden matches.

Only these read many matches at once, and so many shards if there are any (`sharding`).
"""

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from functools import lru_cache
from hashlib import sha256
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Row,
    Select,
    String,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    union_all,
    update,
)

from companion.rules.schema import is_storable, is_storable_text
from companion.store.engine import begin_writing, raises_unavailable
from companion.store.interface import ListedMatch, ListPlace, MatchVersion, Visibility
from companion.store.search_text import Search, add_names, read_search, searchable_text
from companion.store.tables import ErasedRow, EventRow, GrantRow, LinkRow, LinkUseRow, MatchRow, RulingRow, db

_IS_LEFT = MatchRow.deleted_at.is_(None)
_IS_OPEN = and_(MatchRow.put_away_at.is_(None), _IS_LEFT)
"""The condition for the owner's list; joined browsers still see a match when its owner has archived it."""
_HOLDS = GrantRow.revoked_at.is_(None)
_LAST = select(func.max(EventRow.seq)).where(EventRow.match_id == MatchRow.id)
_LENGTH = _LAST.correlate(MatchRow).scalar_subquery()
_LISTED = (
    MatchRow.id,
    MatchRow.head,
    MatchRow.created_at,
    MatchRow.changed_at,
    MatchRow.cache,
    MatchRow.cached,
    MatchRow.owner,
    _LENGTH.label("length"),
)
"""The columns for `_read_listed`."""


@raises_unavailable
class SqlLists:
    """Lists in the database that `engine.open_database` opened; needs its app's context."""

    def list_matches(
        self,
        owner: str | None,
        search: str = "",
        limit: int | None = None,
        after: ListPlace | None = None,
        before: ListPlace | None = None,
        zone: tzinfo | None = None,
    ) -> list[ListedMatch]:
        sought = read_search(search, zone)
        places = [part for place in (after, before) if place for part in (place.at, place.id)]
        if owner is None or not (is_storable(owner, *places) and is_storable_text(search)):
            return []
        found: list[ListedMatch] = []
        while True:
            rows = _read_page(owner, sought, limit, after, before)
            for row in rows:
                # A match of a server of the previous version is searched here, until its text is filled in.
                if row.searched is not None or _finds(sought, row):
                    found.append(_read_listed_in_page(row))
            if limit is None or len(rows) < limit or len(found) >= limit:
                break
            last = ListPlace(rows[-1].at, rows[-1].id)
            after, before = (after, last) if before else (last, before)
        found = found if limit is None else found[:limit]
        return found[::-1] if before else found

    def count_matches(self, owner: str | None) -> int:
        if owner is None or not is_storable(owner):
            return 0
        own = select(func.count()).where(MatchRow.owner == owner, _IS_OPEN)
        joined = select(func.count()).select_from(GrantRow).join(MatchRow, MatchRow.id == GrantRow.match_id)
        joined = joined.where(GrantRow.browser == owner, _HOLDS, MatchRow.owner != owner, _IS_LEFT)
        connection = db.session.connection()
        return int(connection.execute(own).scalar_one() + connection.execute(joined).scalar_one())

    def find_successor(self, match_id: str, owner: str) -> str | None:
        if not is_storable(match_id, owner):
            return None
        # A match from a server of the previous version has this only in its head, until it is filled in.
        unfilled = and_(MatchRow.searched.is_(None), MatchRow.head["follows"].as_string() == match_id)
        connection = db.session.connection()
        found = [
            row
            for follows in (MatchRow.follows == match_id, unfilled)
            for row in connection.execute(
                select(MatchRow.created_at, MatchRow.id)
                .where(MatchRow.owner == owner, _IS_LEFT, follows)
                .order_by(MatchRow.created_at, MatchRow.id)
                .limit(1)
            )
        ]
        return min(found).id if found else None

    def remember_summary(self, match_id: str, seq: int, summary: Mapping[str, Any]) -> None:
        connection = begin_writing()
        of = MatchRow.id == match_id
        head = (MatchRow.head, MatchRow.created_at, MatchRow.changed_at, MatchRow.searched, MatchRow.access)
        row = connection.execute(select(*head).where(of).with_for_update()).first()
        if row is not None:
            searched = row.searched or searchable_text(row.head, row.created_at)
            searched = add_names(searched, summary.get("players", ()))
            values = {"cache": dict(summary), "cached": seq, "searched": searched}
            values["follows"] = row.head.get("follows")
            connection.execute(update(MatchRow).where(of, MatchRow.cached <= seq).values(values))
            if row.access:
                late = and_(GrantRow.match_id == match_id, GrantRow.listed_at != row.changed_at)
                connection.execute(update(GrantRow).where(late).values(listed_at=row.changed_at))
        db.session.commit()

    def owns_anything(self, owner: str) -> bool:
        columns = (MatchRow.owner, RulingRow.owner, GrantRow.browser)
        connection = db.session.connection()
        return any(
            connection.execute(select(column).where(column == owner).limit(1)).first() for column in columns
        )

    # --- out of sight -----------------------------------------------------------------------------

    def set_visibility(
        self, match_id: str, visibility: Visibility, at: str, chosen_at: str | None = None
    ) -> bool:
        if not is_storable(match_id):
            return False
        connection, latest = begin_writing(), MatchRow.visibility_at
        change = update(MatchRow).where(MatchRow.id == match_id)
        if chosen_at is not None:
            change = change.where(or_(latest.is_(None), latest <= chosen_at))
        times: dict[str, Any] = {
            "put_away_at": at if visibility == "archived" else None,
            "deleted_at": func.coalesce(MatchRow.deleted_at, at) if visibility == "deleted" else None,
            "visibility_at": chosen_at or at,
        }
        changed = connection.execute(change.values({**times, "access": MatchRow.access + 1}))
        db.session.commit()
        return changed.rowcount > 0

    def list_put_away(self, owner: str) -> list[ListedMatch]:
        return _list_hidden(owner, MatchRow.put_away_at, MatchRow.changed_at, MatchRow.deleted_at.is_(None))

    def list_deleted(self, owner: str) -> list[ListedMatch]:
        return _list_hidden(owner, MatchRow.deleted_at, MatchRow.deleted_at)

    def erase_deleted(self, before: str, owner: str | None = None) -> int:
        look, values = _OLD if owner is None else _OWN_OLD, {"before": before, "owner": owner}
        # Searched without a lock: Citus has none across machines, and usually nothing is found.
        ids = db.session.connection().scalars(look, values).all()
        return sum(_erase(id, MatchRow.deleted_at < before) for id in ids)

    def erase_match(self, match_id: str) -> None:
        if is_storable(match_id):
            _erase(match_id, MatchRow.deleted_at.is_not(None))

    def list_ids(self, owner: str | None = None) -> Sequence[str]:
        query = select(MatchRow.id).where(MatchRow.deleted_at.is_(None))
        if owner is not None:
            query = query.where(MatchRow.owner == owner)
        return db.session.connection().scalars(query.order_by(MatchRow.created_at, MatchRow.id)).all()

    # --- news for phones ---------------------------------------------------------------------------

    def list_versions(self, browser: str) -> list[MatchVersion]:
        is_left, holds = MatchRow.deleted_at.is_(None), GrantRow.revoked_at.is_(None)
        own = select(*_VERSION, literal(False), null(), literal(False))
        joined = select(*_VERSION, literal(True), GrantRow.side, GrantRow.has_pencil)
        joined = joined.join_from(GrantRow, MatchRow, MatchRow.id == GrantRow.match_id)
        connection = db.session.connection()
        rows = [
            *connection.execute(own.where(MatchRow.owner == browser)),
            *connection.execute(
                joined.where(GrantRow.browser == browser, holds, MatchRow.owner != browser, is_left)
            ),
        ]
        found = [MatchVersion(*row) for row in rows]
        return sorted(found, key=lambda version: (version.changed_at, version.id), reverse=True)

    def list_keys(self, match_id: str, author: str, after: int) -> Mapping[int, str]:
        if not is_storable(match_id, author):
            return {}
        query = select(EventRow.seq, EventRow.form_key).where(
            EventRow.match_id == match_id, EventRow.seq > after, EventRow.author == author
        )
        return {row.seq: row.form_key for row in db.session.connection().execute(query)}

    def list_ruling_places(self, owner: str) -> Sequence[tuple[str, str]]:
        query = select(RulingRow.at, RulingRow.id).where(RulingRow.owner == owner)
        rows = db.session.connection().execute(query.order_by(RulingRow.at, RulingRow.id))
        return [(row.at, row.id) for row in rows]


def _read_page(
    owner: str, sought: Search, limit: int | None, after: ListPlace | None, before: ListPlace | None
) -> Sequence[Row[Any]]:
    """The matches next to a position in a list, the nearest first; including those without search text."""
    dialect = db.engine.dialect.name
    lengths = len(sought.words), len(sought.days)
    query = _page_query(dialect, *lengths, limit is not None, after is not None, before is not None)
    values: dict[str, Any] = {"owner": owner, "limit": limit}
    values |= {f"word_{number}": word for number, word in enumerate(sought.words)}
    for number, (begin, end) in enumerate(sought.days):
        values |= {f"begin_{number}": begin, f"end_{number}": end}
    for name, place in (("after", after), ("before", before)):
        if place is not None:
            values |= {f"{name}_at": place.at, f"{name}_id": place.id}
    return db.session.connection().execute(query, values).all()


@lru_cache(maxsize=64)
def _page_query(
    dialect: str, words: int, days: int, has_limit: bool, has_after: bool, has_before: bool
) -> Select[*tuple[Any, ...]]:
    """The query for such a page; built once for each shape, because building takes longer than running it."""
    # Quicker than LIKE, and needs no escaping.
    find = func.strpos if dialect == "postgresql" else func.instr
    limit = bindparam("limit", type_=Integer) if has_limit else None

    def turn(at: Any, id: Any) -> list[Any]:
        return [at.asc(), id.asc()] if has_before else [at.desc(), id.desc()]

    def part(query: Select[*tuple[Any, ...]], at: Any, id: Any) -> Any:
        wanted = [_is_after(at, id)] if has_after else []
        wanted += [_is_before(at, id)] if has_before else []
        named = [
            find(MatchRow.searched, bindparam(f"word_{number}", type_=String)) > 0 for number in range(words)
        ]
        wanted += [or_(MatchRow.searched.is_(None), and_(*named))] if words else []
        wanted += [
            or_(*(_is_within(number, moment) for moment in (MatchRow.created_at, MatchRow.changed_at)))
            for number in range(days)
        ]
        # Each part is read in its own order, and no further than one page.
        return select(query.where(*wanted).order_by(*turn(at, id)).limit(limit).subquery())

    asks = bindparam("owner", type_=String)

    def joined(at: Any) -> Select[*tuple[Any, ...]]:
        own = (GrantRow.match_id.label("id"), at.label("at"), GrantRow.side, GrantRow.has_pencil)
        query = select(*own).join(MatchRow, MatchRow.id == GrantRow.match_id)
        return query.where(GrantRow.browser == asks, _HOLDS, MatchRow.owner != asks, _IS_LEFT)

    nothing = (null().label("side"), literal(False).label("has_pencil"))
    own = select(MatchRow.id, MatchRow.changed_at.label("at"), *nothing)
    parts = union_all(
        part(own.where(MatchRow.owner == asks, _IS_OPEN), MatchRow.changed_at, MatchRow.id),
        part(
            joined(GrantRow.listed_at).where(GrantRow.listed_at.is_not(None)),
            GrantRow.listed_at,
            GrantRow.match_id,
        ),
        part(
            joined(MatchRow.changed_at).where(GrantRow.listed_at.is_(None)),
            MatchRow.changed_at,
            GrantRow.match_id,
        ),
    ).subquery()
    at, id = parts.c.at, parts.c.id
    page = select(parts).order_by(*turn(at, id)).limit(limit).subquery()
    query = select(*_LISTED, MatchRow.searched, page.c.at, page.c.side, page.c.has_pencil)
    query = query.join_from(page, MatchRow, MatchRow.id == page.c.id)
    return query.order_by(*turn(page.c.at, page.c.id))


def _is_within(number: int, at: Any) -> ColumnElement[bool]:
    """The condition that a moment is within one of the days of a search."""
    begin, end = (bindparam(f"{name}_{number}", type_=String) for name in ("begin", "end"))
    return and_(at >= begin, at < end)


def _is_before(at: Any, id: Any) -> ColumnElement[bool]:
    """The condition for rows before the cursor, written so that the index is used."""
    cursor_at, cursor_id = bindparam("before_at", type_=String), bindparam("before_id", type_=String)
    return and_(at >= cursor_at, or_(at > cursor_at, id > cursor_id))


def _is_after(at: Any, id: Any) -> ColumnElement[bool]:
    """The condition for rows after the cursor, written so that the index is used."""
    cursor_at, cursor_id = bindparam("after_at", type_=String), bindparam("after_id", type_=String)
    return and_(at <= cursor_at, or_(at < cursor_at, id < cursor_id))


def _finds(sought: Search, row: Row[Any]) -> bool:
    cache = row.cache or {}
    searched = add_names(searchable_text(row.head, row.created_at), cache.get("players", ()))
    return sought.finds(searched, row.created_at, row.changed_at)


def _read_listed_in_page(row: Row[Any]) -> ListedMatch:
    place = ListPlace(row.at, row.id)
    return _read_listed(row, side=row.side, has_pencil=bool(row.has_pencil), place=place)


def _read_listed(row: Row[Any], **more: Any) -> ListedMatch:
    """Read a match in a list, with the values for that list only."""
    summary = row.cache if row.cached == (row.length or 0) else None
    return ListedMatch(row.id, row.head, row.created_at, row.changed_at, summary, row.owner, **more)


_OLD = select(MatchRow.id).where(MatchRow.deleted_at < bindparam("before", type_=String))
_OWN_OLD = _OLD.where(MatchRow.owner == bindparam("owner", type_=String))


def _erase(match_id: str, is_due: ColumnElement[bool]) -> bool:
    """Erase a match that is still due, with everything that belongs to it; true if it was."""
    connection = begin_writing()
    due = select(MatchRow.owner).where(MatchRow.id == match_id, is_due).with_for_update()
    owner = connection.execute(due).scalar()
    if owner is not None:
        for table in (LinkUseRow, LinkRow, GrantRow, EventRow):
            connection.execute(delete(table).where(table.match_id == match_id))
        connection.execute(delete(MatchRow).where(MatchRow.id == match_id))
        connection.execute(insert(ErasedRow).values(id=match_id, owner=mark_erased(match_id, owner)))
    db.session.commit()
    return owner is not None


def mark_erased(match_id: str, owner: str) -> str:
    """The trace of the owner of an erased match: enough to recognise the same one."""
    return sha256(f"erased:{match_id}:{owner}".encode()).hexdigest()


def _list_hidden(owner: str, hidden_at: Any, order: Any, *which: ColumnElement[bool]) -> list[ListedMatch]:
    """An owner's matches that were hidden since a time, the latest by an order first."""
    query = select(*_LISTED, hidden_at.label("hidden_at"))
    query = query.where(MatchRow.owner == owner, hidden_at.is_not(None), *which)
    rows = db.session.connection().execute(query.order_by(order.desc(), MatchRow.id))
    return [_read_listed(row, hidden_at=row.hidden_at) for row in rows]


_LENGTH_OR_0 = func.coalesce(_LENGTH, 0)
_VERSION = (
    MatchRow.id,
    _LENGTH_OR_0,
    MatchRow.access,
    MatchRow.changed_at,
    MatchRow.put_away_at,
    MatchRow.deleted_at,
    MatchRow.visibility_at,
)
