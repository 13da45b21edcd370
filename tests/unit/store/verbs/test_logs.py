"""The log is only ever added to; who writes on an old page is told, who writes twice has written once."""

import pytest
from stores.behind import Behind

from companion.record.log import Event
from companion.store import ServerStore, Store
from tests.unit.store.logs import HEAD, create, deal


@pytest.fixture
def match(store: Store) -> str:
    return create(store, "match-1")


def test_a_log_is_read_as_it_was_written(store: Store, match: str) -> None:
    """What was appended comes back in order, numbered from one, with nothing changed."""
    first = store.append_event(match, 0, deal(1), "a")
    store.append_event(
        match, 1, Event(0, "withdraw", first.seq, author="me", at="later", undoes=first.seq), "b"
    )
    store.append_event(match, 2, Event(0, "draft", payload=None, author="me", at="later"), "c")
    stored = store.load_match(match)
    assert stored is not None
    assert stored.head == HEAD
    assert [(event.seq, event.kind, event.entry, event.undoes) for event in stored.events] == [
        (1, "add", None, None),
        (2, "withdraw", 1, 1),
        (3, "draft", None, None),
    ]
    assert stored.events[0].payload == {"type": "deal", "n": 1}
    assert stored.events[2].payload is None


def test_a_list_is_the_owners(store: Store, match: str) -> None:
    """A list holds one's own matches, the last written in first; the search ignores case, in any script."""
    create(store, "match-2", at="2026-11-21T00:00:00+00:00", head={"game": "any", "players": ["Ola", "Jan"]})
    create(store, "match-3", owner="you", at="2026-11-22T00:00:00+00:00")
    assert [item.id for item in store.list_matches("me")] == ["match-2", match]
    store.append_event(match, 0, deal(1, at="2026-11-23T00:00:00+00:00"), "a")
    assert [item.id for item in store.list_matches("me")] == [match, "match-2"]
    assert [item.id for item in store.list_matches("me", "żANETA łódź")] == [match]
    assert [item.id for item in store.list_matches("me", "2026-11-21")] == ["match-2"]
    assert store.list_matches(None) == []


def test_names_that_were_put_right_are_found_as_they_were_and_as_they_are(store: Store, match: str) -> None:
    """Whether the correction is written alone, or arrives with others."""

    def is_found(word: str) -> bool:
        return [item.id for item in store.list_matches("me", word)] == [match]

    names, place = {"players": ["Łucja", "Jan"]}, {"place": "Gdańsk"}
    store.append_event(match, 0, Event(0, "head", payload=names, author="me", at="later"), "a")
    assert is_found("żaneta") and is_found("łucja")
    store.append_events(match, 1, [Event(0, "head", payload=place, author="me", at="later")])
    assert is_found("łódź") and is_found("gdańsk")


def test_the_match_that_follows(store: Store, match: str) -> None:
    """It is the owner's, and the first of several; the letters are compared exactly."""
    assert store.find_successor(match, "me") is None
    create(store, "match-2", owner="you", head={**HEAD, "follows": match})
    create(store, "match-3", head={**HEAD, "follows": match.upper()})
    assert store.find_successor(match, "me") is None
    create(store, "match-5", at="2026-11-22T00:00:00+00:00", head={**HEAD, "follows": match})
    create(store, "match-4", at="2026-11-23T00:00:00+00:00", head={**HEAD, "follows": match})
    assert store.find_successor(match, "me") == "match-5"


def test_nothing_is_updated_or_deleted(store: Store, behind: Behind, match: str) -> None:
    """The events written stay as they are through everything the store can do but to erase a whole match."""
    store.append_event(match, 0, deal(1), "a")
    before = behind.read_everything()["event"]
    store.append_event(match, 1, Event(0, "amend", 1, {"type": "deal", "n": 7}, "me", "x"), "b")
    store.append_event(match, 2, Event(0, "withdraw", 1, author="me", at="x"), "c")
    store.remember_summary(match, 3, {})
    store.set_visibility(match, "deleted", "x")
    store.set_visibility(match, "listed", "x")
    assert len(before) == 1 and before[0] in behind.read_everything()["event"]
    about_bin = {"list_deleted", "erase_deleted"}
    assert {name for name in dir(ServerStore) if "delete" in name or "update" in name} == about_bin


@pytest.mark.parametrize("id", ["nowhere", "\0", "match-1\0", "\ud800", "x" * 65], ids=ascii)
def test_an_id_that_is_not_there_or_cannot_be(store: Store, match: str, id: str) -> None:
    assert store.load_match(id) is None
    assert store.find_ruling(id) is None
    assert store.find_event(match, id) is None
    assert store.find_event(id, "a") is None
    assert store.list_matches(id) == []
    assert [item.id for item in store.list_matches("me", id)] == []
    with pytest.raises(KeyError):
        store.append_event(id, 0, deal(1), "a")
