"""However many matches there are: what a page shows is found by an index, on both databases."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from derda import HEAD
from flask import Flask
from sqlalchemy import event, text
from stores.many import OWNER, fill, id_of

from companion.record.log import Event
from companion.store import Grant, Link, ListPlace
from companion.store.sql import SqlStore
from companion.store.tables import Base, db

MATCHES = 3000
NOW = "2026-11-22T19:00:00.000+00:00"
MIDDLE = ListPlace("2020-01-02T12:00:00.000+00:00", id_of(1080))
LINK = Link("link", id_of(0), "digest", "opponent", "B", False, NOW)
DEEDS: dict[str, Callable[[SqlStore], object]] = {
    "the list": lambda store: store.list_matches(OWNER, limit=11),
    "the list of a stranger": lambda store: store.list_matches("stranger", limit=11),
    "a page further down": lambda store: store.list_matches(OWNER, limit=21, after=MIDDLE),
    "a page further up": lambda store: store.list_matches(OWNER, limit=21, before=MIDDLE),
    "search of what many have": lambda store: store.list_matches(OWNER, "jan", limit=11),
    "what follows": lambda store: store.find_successor(id_of(1), OWNER),
    "what was put away": lambda store: store.list_put_away("stranger"),
    "the bin": lambda store: store.list_deleted(OWNER),
    "opening": lambda store: store.load_match(id_of(2)),
    "what was added": lambda store: store.load_match(id_of(2), after=2),
    "the age": lambda store: store.load_version(id_of(2)),
    "a form": lambda store: store.find_event(id_of(2), "form 1"),
    "a grant": lambda store: store.find_grant(id_of(8), OWNER),
    "recording": lambda store: store.append_event(
        id_of(8), 3, Event(0, "add", None, {"type": "deal"}, "x", NOW), "k"
    ),
    "a summary": lambda store: store.remember_summary(id_of(8), 3, {"players": ["Ewa", "Jan"]}),
    "inviting": lambda store: store.add_link(LINK),
    "joining": lambda store: store.join(LINK, Grant("new", id_of(0), "new", "B", False, "", NOW)),
    "a link": lambda store: store.find_link("digest"),
    "removing": lambda store: store.revoke_grant(id_of(8), f"grant of {id_of(8)}", NOW, may_return=True),
    "whether there is anything": lambda store: store.owns_anything(OWNER),
}
"""In this order, each in the same store; all that pages and recording ask."""


@pytest.fixture
def filled(app: Flask) -> Iterator[SqlStore]:
    """A store with so many matches that reading them all would be noticed.

    PostgreSQL plans by the size of the files, in which tests of before have left room.
    """
    if db.engine.dialect.name == "postgresql":
        with db.engine.begin() as connection:
            names = ", ".join(table.name for table in Base.metadata.sorted_tables)
            connection.execute(text(f"TRUNCATE {names}"))
    fill(db.engine, MATCHES, 3, HEAD, '{"type": "deal"}', {"players": []})
    yield SqlStore()


def explained(action: Callable[[], object]) -> list[str]:
    """How the database does what it is asked meanwhile: the lines of all its plans.

    PostgreSQL, left alone, reads a small table whole though there is an index.
    """
    sent: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_more: Any) -> None:
        if statement.lstrip().split(maxsplit=1)[0] in ("SELECT", "UPDATE", "DELETE"):
            sent.append((statement, values))

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        action()
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
    db.session.rollback()
    is_postgresql = db.engine.dialect.name == "postgresql"
    word = "EXPLAIN" if is_postgresql else "EXPLAIN QUERY PLAN"
    with db.engine.connect() as connection:
        if is_postgresql:
            connection.execute(text("SET enable_seqscan = off"))
        return [
            str(row[-1])
            for statement, values in sent
            for row in connection.exec_driver_sql(f"{word} {statement}", values)
        ]


READS_ALL = {
    "sqlite": re.compile(r"SCAN (?:match|event|match_grant|link|link_use)\b"),
    "postgresql": re.compile(r"Seq Scan on (?:match|event|match_grant|link|link_use)\b"),
}
"""Lines of a plan that reads a whole table."""


def test_nothing_is_read_whole(filled: SqlStore) -> None:
    kind = db.engine.dialect.name
    slow: dict[str, list[str]] = {}
    for name, action in DEEDS.items():
        lines = explained(partial(action, filled))
        slow[name] = [line for line in lines if READS_ALL[kind].search(line)]
        assert lines
    slow = {name: lines for name, lines in slow.items() if lines}
    assert slow == {}


def test_lists_are_read_in_their_order(filled: SqlStore) -> None:
    """The part of a list that its owner began is not sorted: reading ends where the page does."""
    plan = "\n".join(explained(lambda: filled.list_matches(OWNER, limit=11, after=MIDDLE)))
    assert "ix_match_listed" in plan and "ix_match_grant_listed" in plan, plan
    if db.engine.dialect.name == "postgresql":
        assert re.search(r"Limit .*\n +-> +Index Only Scan Backward using ix_match_listed", plan), plan
        assert re.search(r"Index Scan Backward using ix_match_grant_listed", plan), plan
    else:
        assert re.search(
            r"SEARCH match USING COVERING INDEX ix_match_listed \(owner=\? AND changed_at<\?\)", plan
        ), plan


def test_the_finder_of_slow_plans_finds_one(filled: SqlStore) -> None:
    kind = db.engine.dialect.name
    plan = explained(lambda: db.session.execute(text("SELECT id FROM match WHERE head IS NULL")).all())
    assert any(READS_ALL[kind].search(line) for line in plan)
