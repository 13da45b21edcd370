"""A store in memory and one in a database cannot be told apart by what they answer."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from sqlalchemy import delete
from stores.bare import in_context, open_bare
from tiers import few_examples

from companion.record.log import Event
from companion.store import ServerStore, Store, StoredMatch
from companion.store.memory import MemoryStore
from companion.store.sql import SqlStore
from companion.store.tables import Base, db
from tests.unit.store.every_verb.verbs import all_verbs

from .actions import DEEDS, Action, ask, courses, look

AT, LATER = "2026-11-20T19:00:00.000+00:00", "2026-11-20T20:00:00.000+00:00"
BEGUN = ("create_match", (StoredMatch("a", "me", {"game": "any", "players": ["Ewa"]}, (), AT),))


@pytest.fixture(scope="module")
def emptied(
    tmp_path_factory: pytest.TempPathFactory, empty_database: Path
) -> Iterator[Callable[[], SqlStore]]:
    folder = tmp_path_factory.mktemp("law")
    shutil.copyfile(empty_database, folder / "companion.sqlite")

    def give() -> SqlStore:
        db.session.rollback()
        for table in reversed(Base.metadata.sorted_tables):
            db.session.execute(delete(table))
        db.session.commit()
        return SqlStore()

    with in_context(open_bare(folder)):
        yield give


def test_every_verb_is_there_and_asked() -> None:
    """A new one is drawn here too; a server has more."""
    assert DEEDS.keys() == all_verbs(Store)
    assert all_verbs(SqlStore) == all_verbs(ServerStore)
    assert all_verbs(MemoryStore) == all_verbs(Store)


@few_examples(40, 400)
@given(courses)
@example(
    # What was written later may have been written earlier: one entry is last, of many the latest is.
    [
        BEGUN,
        ("append_event", ("a", 0, Event(0, "add", None, None, "me", LATER), "f1")),
        ("append_events", ("a", 1, [Event(0, "add", None, None, "me", AT)])),
        ("append_event", ("a", 2, Event(0, "add", None, None, "me", AT), "f2")),
    ]
)
@example(
    # Names that a summary brought are found until the head is put right, then as the head has them.
    [
        BEGUN,
        ("remember_summary", ("a", 0, {"players": ["Ola"]})),
        ("list_matches", ("me", "ola", None, None, None)),
        ("append_event", ("a", 0, Event(0, "head", None, {"players": ["Jan"]}, "me", LATER), "f1")),
        ("list_matches", ("me", "ola", None, None, None)),
        ("remember_summary", ("a", 0, {"players": ["Ala"]})),
        ("remember_summary", ("a", 1, {"players": ["Jan"]})),
        ("remember_summary", ("a", 0, {"players": ["Ula"]})),
        ("list_matches", ("me", "ula", None, None, None)),
        ("list_matches", ("me", "ala", None, None, None)),
    ]
)
@pytest.mark.slow
def test_the_same_answers(emptied: Callable[[], SqlStore], course: list[Action]) -> None:
    """Whatever they are asked, in whatever order: the same answers, refusals, lists and logs."""
    in_database, in_memory = emptied(), MemoryStore()
    for number, action in enumerate(course):
        expected = ask(in_database, action)
        db.session.rollback()
        assert ask(in_memory, action) == expected, (number, action)
    assert look(in_memory) == look(in_database)
