"""In memory every verb does what it does in a database, and tells what it has changed to whoever keeps it."""

import json

import pytest
from flask import Flask

from companion.store import NewsStore, Store
from companion.store.memory import MemoryStore
from companion.store.memory.tables import Place
from companion.store.sql import SqlStore

from .verbs import VERBS, all_verbs, prepare

LOOKS = ("find_", "list_", "load_", "recall_", "count_matches", "owns_")


def report(rows: dict[Place, str], store: MemoryStore) -> None:
    """Bring rows up to date by what a store tells."""
    for place, value in store.tables.take_changes():
        if value is None:
            rows.pop(place, None)
        else:
            rows[place] = json.dumps(value)


def test_every_kind_has_every_verb() -> None:
    """And none of its own, but for what a server tells phones, and what a store in memory is kept by."""
    assert all_verbs(SqlStore) == all_verbs(Store, NewsStore)
    assert all_verbs(MemoryStore) == all_verbs(Store) | {"tables", "restore"}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_answers_alike(sqlite_app: Flask, verb: str) -> None:
    """The first time and the second, when what it had to do is done."""
    in_database, in_memory = SqlStore(), MemoryStore()
    for store in (in_database, in_memory):
        prepare(store)
    for _time in range(2):
        assert VERBS[verb](in_memory) == VERBS[verb](in_database)
    for look in VERBS:
        if look.startswith(LOOKS):
            assert VERBS[look](in_memory) == VERBS[look](in_database), look


@pytest.mark.parametrize("verb", VERBS)
def test_what_every_verb_changed_is_told(verb: str) -> None:
    """Brought back, a store is as it was left; who only looks changes nothing."""
    store, rows = MemoryStore(), dict[Place, str]()
    prepare(store)
    report(rows, store)
    before = store.tables.list_rows()
    VERBS[verb](store)
    after = store.tables.list_rows()
    assert (repr(before) != repr(after)) is not verb.startswith(LOOKS)
    report(rows, store)
    again = MemoryStore()
    again.restore((place, json.loads(value)) for place, value in rows.items())
    assert sorted(map(repr, again.tables.list_rows())) == sorted(map(repr, after))
