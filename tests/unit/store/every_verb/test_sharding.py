"""A match is asked for by its id alone: nothing but lists looks into the matches of others."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from stores.bare import in_context, open_bare

from companion.store import ListPlace, ServerStore
from companion.store.sharding import BY_ITSELF, BY_MATCH, EVERYWHERE, FITTING
from companion.store.sharding import list_statements as list_sharding
from companion.store.sql import SqlStore
from companion.store.tables import Base, db

from .verbs import NOON, SERVER_VERBS, all_verbs, begin, prepare

GUIDE = Path(__file__).parents[4] / "docs" / "hosting" / "sharding.md"
BOUND = r"(?:\?|%\(\w+\)s(?:::\w+)?)"
LOCKED = re.compile(r"\bFOR (?:NO KEY )?(?:UPDATE|SHARE|KEY SHARE)\b")
ONE = re.compile(rf"\b(?:match\.id|\w+\.match_id) = {BOUND}")


@contextmanager
def recorded() -> Iterator[list[str]]:
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        sent.append(" ".join(statement.replace('"', "").split()))

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(db.engine, "before_cursor_execute", note)


LISTS = {"list_matches", "count_matches", "list_put_away", "list_deleted", "list_ids", "list_versions"}
LISTS |= {"erase_deleted", "find_successor", "find_link", "owns_anything"}
"""The verbs of a store that ask all machines: lists of a browser, and what is looked up by another key."""


def unbound(statement: str) -> set[str]:
    """The tables of matches that a statement touches without saying of which match."""
    inserted = re.match(r"INSERT INTO (\w+) \(([^)]*)\)", statement)
    if inserted:
        column = BY_MATCH.get(inserted[1])
        return {inserted[1]} if column and column not in inserted[2].split(", ") else set()
    found = set()
    for table, column in BY_MATCH.items():
        touched = len(re.findall(rf"\b(?:FROM|JOIN|UPDATE|,) {table}\b(?!\.)", statement))
        said = len(re.findall(rf"\b{table}\.{column} (?:= {BOUND}|IN \({BOUND}(?:, {BOUND})*\))", statement))
        for other, key in BY_MATCH.items():  # the same match as another table's, of which it is said
            if re.search(rf"\b{other}\.{key} = {BOUND}", statement):
                same = rf"\b{table}\.{column} = {other}\.{key}\b|\b{other}\.{key} = {table}\.{column}\b"
                said += other != table and len(re.findall(same, statement))
        if said < touched:
            found.add(table)
    return found


def locks_several(statement: str) -> bool:
    """Whether it locks rows without naming the one match they belong to; across machines Citus refuses it."""
    return bool(LOCKED.search(statement) and not ONE.search(statement))


def test_every_verb_is_looked_at() -> None:
    assert SERVER_VERBS.keys() == all_verbs(ServerStore)


@pytest.mark.slow
@pytest.mark.usefixtures("app")
def test_no_statement_crosses_matches_but_those_of_lists() -> None:
    """Whatever is asked of the store, each statement says which match it is about; what asks all machines
    locks nothing on them.
    """
    crossing, locking = set(), set()
    for verb, ask in SERVER_VERBS.items():
        store = begin()
        with recorded() as sent:
            ask(store)
        assert sent, verb
        crossing |= {verb for statement in sent if unbound(statement)}
        locking |= {(verb, statement) for statement in sent if locks_several(statement)}
    assert (crossing, locking) == (LISTS, set())


@pytest.mark.usefixtures("app")
def test_no_id_is_longer_than_its_column() -> None:
    """Spread tables compare what is asked for as a key: what no key can be is never sent."""
    store, long = begin(), "x" * 65
    with recorded() as sent:
        assert store.load_match(long) is None and store.load_version(long) is None
        assert store.find_event(long, "form") is None and store.find_grant(long, "x") is None
        assert store.list_matches("owner", after=ListPlace(NOON, long)) == []
        assert store.list_matches("owner", before=ListPlace(NOON, long)) == []
    assert [statement for statement in sent if not statement.startswith("BEGIN")] == []
    assert [item.id for item in store.list_matches("owner", "ewa " * 30)] != [], "a search may be long"


@pytest.mark.parametrize(
    ("statement", "tables"),
    [
        ("SELECT event.seq FROM event WHERE event.form_key = ?", {"event"}),
        ("UPDATE match SET access = 1", {"match"}),
        ("DELETE FROM link_use WHERE link_use.grant_id = %(grant_id_1)s::VARCHAR", {"link_use"}),
        ("INSERT INTO link_use (link_id, grant_id) VALUES (?, ?)", {"link_use"}),
        ("SELECT match.id FROM match LEFT OUTER JOIN event ON event.match_id = match.id", {"match", "event"}),
        ("SELECT link.id FROM link WHERE link.match_id = match.id", {"link"}),
        (
            "SELECT match.id FROM match WHERE match.id = ? OR match.id IN (SELECT match.id FROM match)",
            {"match"},
        ),
        ("SELECT ruling.id FROM ruling WHERE ruling.owner = ?", set()),
    ],
)
def test_what_would_be_noticed(statement: str, tables: set[str]) -> None:
    """The test above sees a statement that crosses matches."""
    assert unbound(statement) == tables


@pytest.mark.parametrize(
    ("statement", "is_noticed"),
    [
        ("SELECT match.id FROM match WHERE match.deleted_at < %(at)s::VARCHAR LIMIT 50 FOR UPDATE", True),
        ("SELECT match.id FROM match WHERE match.id IN (%(a)s::VARCHAR, %(b)s::VARCHAR) FOR SHARE", True),
        ("SELECT match.access FROM match WHERE match.id = %(match)s::VARCHAR FOR UPDATE", False),
        ("SELECT match.id FROM match WHERE match.deleted_at < %(at)s::VARCHAR", False),
    ],
)
def test_what_lock_would_be_noticed(statement: str, is_noticed: bool) -> None:
    assert locks_several(statement) == is_noticed


def test_every_table_has_its_place() -> None:
    assert {*BY_MATCH, *BY_ITSELF, *EVERYWHERE} == Base.metadata.tables.keys()
    printed = "\n".join(list_sharding())
    for table, column in (BY_MATCH | BY_ITSELF).items():
        assert f"create_distributed_table('{table}', '{column}'" in printed
    for table in EVERYWHERE:
        assert f"create_reference_table('{table}')" in printed
    emptied = re.search(r"for table in (.*); do", GUIDE.read_text(encoding="utf-8"))
    assert emptied is not None and {*emptied[1].split()} == Base.metadata.tables.keys()


@pytest.fixture
def fitted(tmp_path: Path, postgres_addresses: Any) -> Iterator[SqlStore]:
    """A store whose tables could be spread."""
    with in_context(open_bare(tmp_path, postgres_addresses())):
        with db.engine.begin() as connection:
            for statement in FITTING:
                connection.execute(text(statement))
        yield SqlStore()


def test_keys_have_the_column_by_which_tables_are_spread(fitted: SqlStore) -> None:
    with db.engine.connect() as connection:
        keys = connection.execute(
            text(
                "SELECT t.relname, i.relname, array_agg(a.attname::text) FROM pg_index x"
                " JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid"
                " JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY(x.indkey)"
                " WHERE x.indisunique AND t.relnamespace = 'public'::regnamespace"
                " GROUP BY t.relname, i.relname"
            )
        ).all()
        foreign = connection.execute(
            text(
                "SELECT t.relname, c.conname, array_agg(a.attname::text) FROM pg_constraint c"
                " JOIN pg_class t ON t.oid = c.conrelid"
                " JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY(c.conkey)"
                " WHERE c.contype = 'f' GROUP BY t.relname, c.conname"
            )
        ).all()
    spread = BY_MATCH | BY_ITSELF
    assert {table for table, _key, _columns in keys} >= spread.keys()
    wrong = [key for table, key, columns in keys if table in spread and spread[table] not in columns]
    wrong += [key for table, key, columns in foreign if BY_MATCH.get(table) not in columns]
    assert wrong == []


@pytest.mark.nightly
@pytest.mark.usefixtures("fitted")
def test_the_verbs_go_on_when_the_keys_fit() -> None:
    """Nothing relies on a key that is taken away; what is done twice is done once."""
    for verb, ask in SERVER_VERBS.items():
        store = begin()
        prepare(store)
        ask(store)
        ask(store)
        assert len(store.list_links("match")) == (2 if verb == "add_link" else 1), verb
