"""What is kept of a store in memory is that store: row by row, through JSON, in whatever order it comes."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stores.behind import list_rows
from tiers import few_examples

from companion.record.log import Event
from companion.store import Grant, SavedRuling, StoredMatch
from companion.store.memory import MemoryStore
from companion.store.memory.tables import RowKey, Tables

from .actions import IDS, Action, actions, ask, courses, events, keys, look

AT = "2026-11-20T19:00:00.000+00:00"


class Keeper:
    """Keeps what a store tells, as a phone does: by place, as JSON."""

    def __init__(self) -> None:
        self.rows: dict[RowKey, str] = {}

    def keep(self, tables: Tables) -> None:
        for row_key, value in tables.take_changes():
            if value is None:
                self.rows.pop(row_key, None)
            else:
                self.rows[row_key] = json.dumps(value)

    def bring_back(self, order: Random) -> MemoryStore:
        rows = [(list(row_key), json.loads(text)) for row_key, text in self.rows.items()]
        order.shuffle(rows)
        store = MemoryStore()
        store.tables.restore(rows)
        return store


def confirm(store: MemoryStore, id: str, confirmed: int) -> None:
    """A server has the first events of a match."""
    row = store.tables.matches[id]
    row.is_known, row.confirmed = True, min(confirmed, len(row.events))
    store.tables.note("match", id)


def keep_conflict(store: MemoryStore, id: str, length: int) -> None:
    """Others wrote: what stands behind that place is laid aside."""
    row = store.tables.matches[id]
    later = zip(row.events[length:], row.form_keys[length:], strict=True)
    row.conflicts += [{"key": key, "kind": event.kind, "payload": event.payload} for event, key in later]
    store.tables.cut_log(id, length)


def receive(store: MemoryStore, id: str, event: Event, key: str) -> None:
    """An event of somebody else comes in."""
    if key not in store.tables.matches[id].keys:
        store.tables.add_event(id, event, key)


def confirm_rulings(store: MemoryStore, _id: str, ids: list[str]) -> None:
    """A server has these rulings."""
    store.tables.confirm_rulings(ids)


DELIVERIES: tuple[tuple[Callable[..., None], st.SearchStrategy[tuple[Any, ...]]], ...] = (
    (confirm, st.tuples(st.integers(0, 4))),
    (keep_conflict, st.tuples(st.integers(0, 4))),
    (receive, st.tuples(events, keys)),
    (confirm_rulings, st.tuples(st.lists(st.sampled_from(["r1", "r2", "r3"])))),
)
deliveries = st.sampled_from(DELIVERIES).flatmap(
    lambda one: st.tuples(st.just(one[0]), st.sampled_from(IDS), one[1])
)
steps = st.lists(st.one_of(actions, actions, actions, deliveries, st.just("keep")), min_size=10, max_size=30)


def go(store: MemoryStore, keeper: Keeper, step: Any) -> None:
    match step:
        case "keep":
            keeper.keep(store.tables)
        case (str(), _):
            ask(store, step)
        case (deliver, id, asked):
            if id in store.tables.matches:
                deliver(store, id, *asked)


@few_examples(40, 400)
@given(courses, steps, courses, st.randoms(use_true_random=False))
@pytest.mark.slow
def test_rows_are_the_store(
    beginning: list[Action], course: list[Any], later: list[Action], order: Random
) -> None:
    """Whatever was done to it, deleted, revoked, erased or delivered, and however often it was kept
    meanwhile: what is brought back looks the same, is the same, and goes on in the same way."""
    store, keeper = MemoryStore(), Keeper()
    for step in [*beginning, *course]:
        go(store, keeper, step)
    keeper.keep(store.tables)
    assert store.tables.take_changes() == []
    again = keeper.bring_back(order)
    assert again.tables.take_changes() == [], "what was read is kept already"
    assert look(again) == look(store)
    assert again.tables.matches == store.tables.matches
    assert sorted(map(repr, list_rows(again.tables))) == sorted(map(repr, list_rows(store.tables)))
    assert keeper.rows.keys() == {row_key for row_key, _value in list_rows(store.tables)}
    for action in later:
        assert ask(again, action) == ask(store, action)


@few_examples(80, 400)
@given(courses)
def test_what_only_looks_writes_nothing(course: list[Action]) -> None:
    store = MemoryStore()
    for action in course:
        ask(store, action)
    store.tables.take_changes()
    look(store)
    assert store.tables.take_changes() == []


@pytest.fixture
def store() -> MemoryStore:
    """A store with a long log, of which all is kept."""
    store = MemoryStore()
    head = {"game": "any", "players": ["Ewa", "Jan"]}
    log = tuple(Event(0, "add", None, {"type": "deal", "n": n}, "me", AT) for n in range(500))
    store.create_match(StoredMatch("a", "me", head, log, AT))
    store.tables.take_changes()
    return store


def test_an_entry_writes_itself_and_its_match(store: MemoryStore) -> None:
    """Two rows, however long the log: nothing of what was written before is written again."""
    store.append_event("a", 500, Event(0, "add", None, {"type": "deal"}, "me", AT), "form")
    changes = store.tables.take_changes()
    assert sorted(row_key for row_key, _value in changes) == [("event", "a", 501), ("match", "a")]
    assert len(json.dumps(changes)) < 700
    store.append_events("a", 501, [Event(0, "draft"), Event(0, "draft")])
    row_keys = sorted(row_key for row_key, _value in store.tables.take_changes())
    assert row_keys == [("event", "a", 502), ("event", "a", 503), ("match", "a")]


def test_every_other_change_writes_its_own_row(store: MemoryStore) -> None:
    grant = Grant("g", "a", "x", None, False, "", AT)
    reported: list[tuple[Callable[[], object], set[RowKey]]] = [
        (lambda: store.remember_summary("a", 500, {}), {("summary", "a"), ("match", "a")}),
        (lambda: store.add_grants([grant]), {("grant", "a", "x"), ("match", "a")}),
        (lambda: store.save_ruling(SavedRuling("r", "me", AT, {})), {("ruling", "r")}),
        (lambda: store.set_visibility("a", "archived", AT), {("match", "a")}),
        (lambda: store.set_visibility("a", "deleted", AT), {("match", "a")}),
        (lambda: store.set_visibility("a", "listed", AT), {("match", "a")}),
        (lambda: store.erase_match("a"), set()),
    ]
    for action, row_keys in reported:
        action()
        assert {row_key for row_key, _value in store.tables.take_changes()} == row_keys
    store.set_visibility("a", "deleted", AT)
    store.tables.take_changes()
    assert (store.erase_deleted(AT), store.erase_deleted("2027", "x"), store.erase_deleted("2027", "me")) == (
        0,
        0,
        1,
    )
    gone = store.tables.take_changes()
    assert [value for _place, value in gone] == [None] * len(gone)
    assert len(gone) == 1 + 500 + 2, "the match, its log, summary and grant"


def test_nobody_changes_what_is_kept_from_outside(store: MemoryStore) -> None:
    """What was handed in stays the hand's own; what lies there is JSON, as in a database."""
    head, names = {"players": ["Ewa"]}, {"players": ("Ewa",)}
    payload: dict[str, tuple[str, ...]] = {"cards": ("SA", "SK")}
    store.create_match(StoredMatch("b", "me", head, (), AT))
    store.append_event("b", 0, Event(0, "add", None, payload, "me", AT), "form")
    store.remember_summary("b", 1, names)
    head["players"].append("Jan")
    payload["cards"] = ()
    (listed,) = store.list_matches("me", limit=1)
    match = store.load_match("b")
    assert match is not None
    assert (listed.head, listed.summary) == ({"players": ["Ewa"]}, {"players": ["Ewa"]})
    assert [event.payload for event in match.events] == [{"cards": ["SA", "SK"]}]


def test_what_was_there_before_is_gone(store: MemoryStore) -> None:
    """Brought back, a store holds what the rows say, and nothing of what it held."""
    store.save_ruling(SavedRuling("r", "me", AT, {}))
    store.tables.restore([])
    assert (list_rows(store.tables), store.tables.take_changes()) == ([], [])


def test_rows_of_another_version(store: MemoryStore) -> None:
    """What this version knows nothing of is left out; what the one before knew nothing of is as at first."""
    rows = [(row_key, value | {"of_tomorrow": 1}) for row_key, value in list_rows(store.tables)]
    for row_key, value in rows:
        if row_key == ("match", "a"):
            del value["aside"], value["is_known"]
    store.tables.restore([*rows, (("match of tomorrow", "a"), {}), (("dream",), 1)])
    row = store.tables.matches["a"]
    assert (len(row.events), row.conflicts, row.is_known) == (500, [], False)


@pytest.mark.parametrize("lost", [("match", "a"), ("event", "a", 7)])
def test_rows_that_are_not_all_there(store: MemoryStore, lost: RowKey) -> None:
    rows = [row for row in list_rows(store.tables) if row[0] != lost]
    with pytest.raises(ValueError, match=r"match a, but no such match|event 8 of a match, but none before"):
        store.tables.restore(rows)
