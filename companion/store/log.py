"""The verbs of the store: create a match, append to its log, load it, list them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError

from companion.record.log import Event

from .engine import WRITING
from .tables import EventRow, MatchRow, db


class Stale(Exception):
    """Somebody else wrote in the match meanwhile: `events` are what was added since."""

    def __init__(self, match_id: str, events: Sequence[Event]) -> None:
        super().__init__(f"{len(events)} events were added meanwhile")
        self.match_id = match_id
        self.events = tuple(events)


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as it lies in the store; `cache` holds only if it was made from all `events`."""

    id: str
    owner: str
    head: Mapping[str, Any]
    events: tuple[Event, ...]
    created_at: str
    rulebook: str = ""


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a list: its head, when it was last written in, and the cache if it still holds."""

    id: str
    head: Mapping[str, Any]
    created_at: str
    changed_at: str
    cache: Mapping[str, Any] | None


def create(
    head: Mapping[str, Any], owner: str, now: str, id: str, events: Sequence[Event] = (), rulebook: str = ""
) -> str:
    """A new match, with the first events of its log where it begins with some.

    `rulebook` is the version of the game's rules that it is played by.

    The same id again, by the same owner, changes nothing: a form sent twice is one match.
    """
    connection = _write()
    taken = connection.execute(select(MatchRow.owner).where(MatchRow.id == id)).scalar()
    if taken is None:
        connection.execute(
            insert(MatchRow).values(
                id=id,
                owner=owner,
                head=dict(head),
                rulebook=rulebook,
                created_at=now,
                changed_at=now,
                cache=None,
                cached=0,
            )
        )
        for seq, event in enumerate(events, 1):
            _insert(connection, id, seq, event, f"{id}-{seq}")
    db.session.commit()
    if taken not in (None, owner):
        raise Stale(id, ())
    return id


def append(match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
    """Add one event to the log and give it back with its number.

    `expected_seq` is the log's length the writer had seen. The same form sent again (same key, same
    content) gives the event that is already there.

    :raises Stale: when others were added since; nothing is written.
    :raises KeyError: when there is no such match.
    """
    connection = _write()
    try:
        if connection.execute(select(MatchRow.id).where(MatchRow.id == match_id)).scalar() is None:
            raise KeyError(match_id)
        again = connection.execute(
            _EVENT.where(EventRow.match_id == match_id, EventRow.form_key == form_key)
        ).first()
        if again is not None:
            there = _event(again)
            if (there.kind, there.entry, there.payload) == (event.kind, event.entry, event.payload):
                return there
            raise Stale(match_id, _since(connection, match_id, min(expected_seq, there.seq - 1)))
        last = (
            connection.execute(select(func.max(EventRow.seq)).where(EventRow.match_id == match_id)).scalar()
            or 0
        )
        if last != expected_seq:
            raise Stale(match_id, _since(connection, match_id, expected_seq))
        try:
            _insert(connection, match_id, last + 1, event, form_key)
        except IntegrityError:  # only where the database lets two writers in at once
            db.session.rollback()
            raise Stale(match_id, _since(db.session.connection(), match_id, expected_seq)) from None
        connection.execute(update(MatchRow).where(MatchRow.id == match_id).values(changed_at=event.at))
        db.session.commit()
        return Event(last + 1, event.kind, event.entry, event.payload, event.author, event.at, event.undoes)
    finally:
        db.session.rollback()


def has(match_id: str, form_key: str) -> bool:
    """Whether this form has been written already."""
    query = select(EventRow.seq).where(EventRow.match_id == match_id, EventRow.form_key == form_key)
    return db.session.connection().execute(query).first() is not None


def load(match_id: str) -> StoredMatch | None:
    """A match with its whole log, or None."""
    connection = db.session.connection()
    row = connection.execute(
        select(MatchRow.id, MatchRow.owner, MatchRow.head, MatchRow.created_at, MatchRow.rulebook).where(
            MatchRow.id == match_id
        )
    ).first()
    if row is None:
        return None
    return StoredMatch(
        row.id, row.owner, row.head, _since(connection, match_id, 0), row.created_at, row.rulebook
    )


def listing(owner: str | None, search: str = "") -> list[ListedMatch]:
    """The owner's matches, the one last written in first; `search` looks into names and place."""
    if owner is None:
        return []
    last = select(func.count()).where(EventRow.match_id == MatchRow.id).correlate(MatchRow).scalar_subquery()
    rows = db.session.connection().execute(
        select(
            MatchRow.id,
            MatchRow.head,
            MatchRow.created_at,
            MatchRow.changed_at,
            MatchRow.cache,
            MatchRow.cached,
            last.label("length"),
        )
        .where(MatchRow.owner == owner)
        .order_by(MatchRow.changed_at.desc(), MatchRow.created_at.desc(), MatchRow.id)
    )
    words = search.casefold().split()
    found = []
    for row in rows:
        cache = row.cache if row.cached == row.length else None
        one = ListedMatch(row.id, row.head, row.created_at, row.changed_at, cache)
        if all(word in _searched(one) for word in words):
            found.append(one)
    return found


def remember(match_id: str, length: int, cache: Mapping[str, Any]) -> None:
    """Keep what lists show of a match, made from the first `length` events; it may be dropped any time."""
    connection = _write()
    connection.execute(
        update(MatchRow)
        .where(MatchRow.id == match_id, MatchRow.cached <= length)
        .values(cache=dict(cache), cached=length)
    )
    db.session.commit()


_EVENT = select(
    EventRow.seq,
    EventRow.kind,
    EventRow.entry,
    EventRow.payload,
    EventRow.author,
    EventRow.at,
    EventRow.undoes,
)


def _write() -> Any:
    # The first statement of a writing transaction: SQLite must take its lock before it reads.
    db.session.rollback()
    return db.session.connection(execution_options=WRITING)


def _event(row: Any) -> Event:
    return Event(row.seq, row.kind, row.entry, row.payload, row.author, row.at, row.undoes)


def _since(connection: Any, match_id: str, seq: int) -> tuple[Event, ...]:
    rows = connection.execute(
        _EVENT.where(EventRow.match_id == match_id, EventRow.seq > seq).order_by(EventRow.seq)
    )
    return tuple(_event(row) for row in rows)


def _insert(connection: Any, match_id: str, seq: int, event: Event, form_key: str) -> None:
    connection.execute(
        insert(EventRow).values(
            match_id=match_id,
            seq=seq,
            kind=event.kind,
            entry=event.entry,
            payload=event.payload,
            author=event.author,
            at=event.at,
            undoes=event.undoes,
            form_key=form_key,
        )
    )


def _searched(one: ListedMatch) -> str:
    head = one.head
    now = (one.cache or {}).get("players", ())  # names may have been put right since
    parts = [*head.get("players", ()), *now, head.get("place", ""), head.get("game", ""), one.created_at[:10]]
    return " ".join(map(str, parts)).casefold()
