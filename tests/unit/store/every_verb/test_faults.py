"""Whatever PostgreSQL lets go or loses on the way: every verb does what it was asked, and does it once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from flask import Flask
from sqlalchemy import select, text
from stores.bare import open_bare
from tiers import mostly_at_night

from companion.record.log import Event
from companion.store import StaleWrite
from companion.store.sql import SqlStore
from companion.store.tables import Base, db
from tests.unit.store.at_once import at_once

from .verbs import SERVER_VERBS, begin, prepare

Fault = Callable[[Any], None]
SAY_WHAT_IS_LEFT = {"use_move", "erase_deleted"}
"""Verbs that say, once what they did was done, that there is nothing left: a phone then shows its own key."""


def let_go(_connection: Any) -> None:
    """Another transaction goes first."""
    raise psycopg.errors.SerializationFailure("could not serialize access")


def lose(connection: Any) -> None:
    """The line is cut."""
    connection.close()
    raise psycopg.OperationalError("the connection is lost")


@contextmanager
def failing(at: int, fault: Fault, after_commit: bool = False) -> Iterator[list[int]]:
    """Lets one statement of those that follow fail, commits counted; gives how many there were."""
    dialect, sent = db.engine.dialect, [0]
    execute, commit = dialect.do_execute, dialect.do_commit

    def step(connection: Any) -> None:
        sent[0] += 1
        if sent[0] == at and not after_commit:
            fault(connection)

    def do_execute(cursor: Any, *more: Any) -> None:
        step(cursor.connection)
        execute(cursor, *more)

    def do_commit(connection: Any) -> None:
        step(connection.driver_connection)
        commit(connection)
        if after_commit and not sent[1:]:
            sent.append(at)
            fault(connection.driver_connection)

    dialect.do_execute = do_execute  # type: ignore[method-assign,assignment]
    dialect.do_commit = do_commit  # type: ignore[method-assign,assignment]
    try:
        yield sent
    finally:
        dialect.do_execute, dialect.do_commit = execute, commit  # type: ignore[method-assign]


def everything() -> list[Any]:
    """All that lies in the database, but how often access was counted as changed."""
    db.session.rollback()
    tables = Base.metadata.sorted_tables
    columns = [[column for column in table.columns if column.name != "access"] for table in tables]
    return [sorted(map(repr, db.session.execute(select(*each)))) for each in columns]


@mostly_at_night(
    "verb", SERVER_VERBS, {"create_match", "append_events", "join", "renew", "use_move", "erase_match"}
)
def test_every_verb_is_done_once(postgresql_app: Flask, verb: str) -> None:
    """Whichever of its statements is let go or lost, and where the answer to its commit is lost."""
    store = begin()
    with failing(0, let_go) as sent:
        answer = SERVER_VERBS[verb](store)
    after, count = everything(), sent[0]
    assert count
    for at in range(1, count + 1):
        for fault in (let_go, lose):
            store = begin()
            with failing(at, fault):
                assert SERVER_VERBS[verb](store) == answer or verb in SAY_WHAT_IS_LEFT, (at, fault)
            assert everything() == after, (at, fault)
    store = begin()
    with failing(1, lose, after_commit=True):
        again = SERVER_VERBS[verb](store)
    assert again == answer or verb in SAY_WHAT_IS_LEFT
    assert everything() == after


def test_eight_write_where_transactions_exclude_each_other(
    tmp_path: Any, postgres_addresses: Callable[[], str]
) -> None:
    """On a server that is set to be as strict as can be, of those who write at once each gets its turn."""
    app = open_bare(tmp_path, postgres_addresses())
    with app.app_context():
        name = db.engine.url.database
        with db.engine.begin() as connection:
            strict = f"ALTER DATABASE \"{name}\" SET default_transaction_isolation = 'serializable'"
            connection.execute(text(strict))
        db.engine.dispose()
        prepare(SqlStore())
        db.session.remove()

    def write(number: int) -> None:
        for entry in range(3):
            append(SqlStore(), f"{number} {entry}")

    done = at_once(app, write)
    with app.app_context():
        match = SqlStore().load_match("match")
        db.session.remove()
        db.engine.dispose()
    assert done == [None] * 8
    assert match is not None
    assert [event.seq for event in match.events] == list(range(1, 26))


def append(store: SqlStore, key: str) -> None:
    while True:
        match = store.load_match("match")
        assert match is not None
        db.session.rollback()
        try:
            store.append_event("match", len(match.events), Event(0, "draft", author="x", at="now"), key)
            return
        except StaleWrite:
            continue
