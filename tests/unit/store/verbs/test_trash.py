"""Matches out of sight: put away, in the trash, erased with all that hangs on them; in every store."""

import pytest
from stores.behind import Behind

from companion.record.log import Event
from companion.store import Grant, Link, SavedRuling, StaleWrite, Store, StoredMatch
from companion.store.sql import SqlStore

AT = "2026-11-20T19:0{}:00+00:00"


def create(store: Store, id: str, owner: str = "me", events: int = 1, minute: int = 0) -> str:
    log = tuple(deal(n) for n in range(events))
    head = {"game": "any", "players": ["Ewa", "Jan"]}
    store.create_match(StoredMatch(id, owner, head, log, AT.format(minute)))
    return id


def deal(n: int) -> Event:
    return Event(0, "add", payload={"n": n}, author="me", at=AT.format(n % 10))


@pytest.fixture
def match(store: Store) -> str:
    return create(store, "match")


@pytest.fixture
def joined(store: Store, match: str) -> str:
    grant = Grant("grant", match, "jan", "B", False, "", "x")
    if isinstance(store, SqlStore):
        link = Link("link", match, "digest", "opponent", "B", False, "x")
        store.add_link(link)
        store.join(link, grant)
    else:
        store.add_grants([grant])
    return "jan"


def listed(store: Store, owner: str) -> list[str]:
    return [item.id for item in store.list_matches(owner)]


def hidden(store: Store, owner: str = "me") -> tuple[list[str], list[str]]:
    return [item.id for item in store.list_put_away(owner)], [item.id for item in store.list_deleted(owner)]


def test_a_match_that_was_put_away_is_in_its_own_list_alone(store: Store, match: str, joined: str) -> None:
    """It can be opened and written in; those who joined it have it in their lists as before."""
    store.set_visibility(match, "archived", "2026-12-01")
    assert (listed(store, "me"), hidden(store), listed(store, joined)) == ([], ([match], []), [match])
    (found,) = store.list_put_away("me")
    assert (found.hidden_at, found.owner, found.changed_at) == ("2026-12-01", "me", AT.format(0))
    assert store.append_event(match, 1, deal(2), "form").seq == 2
    store.set_visibility(match, "listed", AT)
    assert (listed(store, "me"), hidden(store)) == ([match], ([], []))


def test_a_deleted_match_is_in_no_list_and_nobody_writes_in_it(store: Store, match: str, joined: str) -> None:
    store.set_visibility(match, "deleted", "2026-12-01")
    assert (listed(store, "me"), listed(store, joined), hidden(store)) == ([], [], ([], [match]))
    with pytest.raises(KeyError):
        store.append_event(match, 1, deal(2), "form")
    with pytest.raises(KeyError):
        store.append_events(match, 1, [deal(2)])
    stored = store.load_match(match)
    assert stored is not None and stored.deleted_at == "2026-12-01" and len(stored.events) == 1
    assert store.load_version(match) is None
    assert store.list_ids() == store.list_ids("me") == []


def test_a_deleted_match_comes_back_as_it_was(store: Store, match: str, joined: str) -> None:
    """Into the list, even where it had been put away; whoever had joined it has joined it."""
    store.set_visibility(match, "archived", "2026-11-30")
    store.set_visibility(match, "deleted", "2026-12-01")
    store.set_visibility(match, "deleted", "2026-12-09")
    (found,) = store.list_deleted("me")
    assert found.hidden_at == "2026-12-01", "it lies there since it was deleted first"
    store.set_visibility(match, "listed", AT)
    assert (listed(store, "me"), listed(store, joined), hidden(store)) == ([match], [match], ([], []))
    assert store.append_event(match, 1, deal(2), "form").seq == 2


def test_of_two_choices_the_later_one_stands(store: Store, match: str) -> None:
    """A phone may bring its own when the later one is here already; brought twice it is the same."""
    assert store.set_visibility(match, "archived", "2026-12-09", "2026-12-02")
    assert not store.set_visibility(match, "deleted", "2026-12-09", "2026-12-01")
    assert hidden(store) == ([match], [])
    assert store.set_visibility(match, "listed", "2026-12-01"), "what is chosen here and now is the last"
    for _again in range(2):
        assert store.set_visibility(match, "deleted", "2026-12-09", "2026-12-03")
    (found,) = store.list_deleted("me")
    assert (found.hidden_at, hidden(store)) == ("2026-12-09", ([], [match])), "it lies there since it arrived"
    assert not store.set_visibility("nowhere", "deleted", "2026-12-03")


def test_putting_away_and_deleting_are_changes_that_others_see(store: Store, match: str) -> None:
    before = store.load_version(match)
    store.set_visibility(match, "archived", "x")
    put_away = store.load_version(match)
    store.set_visibility(match, "deleted", "x")
    store.set_visibility(match, "listed", AT)
    assert before == (1, 0) and put_away == (1, 1) and store.load_version(match) == (1, 3)


def test_the_bin_is_emptied_after_a_while(store: Store, behind: Behind, joined: str, match: str) -> None:
    """With its log, links and grants; saved rulings stay, and so does every other match."""
    store.save_ruling(SavedRuling("ruling", "me", "x", {"match": match}))
    for id, owner, at in (("late", "me", "2026-12-09"), ("foreign", "you", "2026-12-01"), ("kept", "me", "")):
        create(store, id, owner)
        if at:
            store.set_visibility(id, "deleted", at)
    store.set_visibility(match, "deleted", "2026-12-01")
    assert store.erase_deleted("2026-12-01") == 0
    assert store.erase_deleted("2026-12-05", "me") == 1
    assert store.load_match(match) is None
    assert store.find_ruling("ruling") is not None
    seen = hidden(store)[1], hidden(store, "you")[1], listed(store, "me")
    assert seen == (["late"], ["foreign"], ["kept"])
    assert store.erase_deleted("2027-01-01") == 2
    rows = behind.read_everything()
    rows.pop("erased", None)  # their ids
    assert rows.keys() == {"match", "event", "ruling"}
    assert (len(rows["match"]), len(rows["event"])) == (1, 1)


def test_many_are_erased_all_the_same(store: Store) -> None:
    for n in range(120):
        store.set_visibility(create(store, f"match-{n}"), "deleted", "2026-12-01")
    assert store.erase_deleted("2026-12-02") == 120


def test_only_what_is_in_the_bin_is_erased_at_once(store: Store, match: str) -> None:
    store.erase_match(match)
    assert store.load_match(match) is not None
    store.set_visibility(match, "deleted", "x")
    store.erase_match(match)
    assert store.load_match(match) is None
    assert create(store, "match") == "match", "its owner may have it again"


@pytest.mark.parametrize("store", ["sqlite", "postgresql"], indirect=True)
def test_the_id_of_an_erased_match_is_nobody_elses(store: Store, behind: Behind, match: str) -> None:
    """It is printed on sheets, and in codes; what is left of it names nobody."""
    store.set_visibility(match, "deleted", "2026-12-01")
    store.erase_match(match)
    with pytest.raises(StaleWrite):
        create(store, match, "you")
    assert store.load_match(match) is None
    assert "'me'" not in str(behind.read_everything())
    create(store, match)
    assert listed(store, "me") == [match]
    store.set_visibility(match, "deleted", "2026-12-01")
    assert store.erase_deleted("2026-12-02") == 1
    with pytest.raises(StaleWrite):
        create(store, match, "you")


def test_ids_are_listed_from_the_oldest_match_on(store: Store) -> None:
    for id, owner, minute in (("b", "me", 2), ("a", "you", 3), ("c", "me", 1)):
        create(store, id, owner, minute=minute)
    store.set_visibility("b", "archived", "x")
    assert (list(store.list_ids()), list(store.list_ids("me"))) == (["c", "b", "a"], ["c", "b"])


def test_rulings_are_listed_from_the_oldest_on(store: Store) -> None:
    for id, owner, at in (("b", "me", "1"), ("a", "me", "2"), ("c", "you", "0")):
        store.save_ruling(SavedRuling(id, owner, at, {"of": id}))
    rulings = [(ruling.id, ruling.content) for ruling in store.list_rulings("me")]
    assert rulings == [("b", {"of": "b"}), ("a", {"of": "a"})]


def test_many_events_are_added_at_once_or_none(store: Store, match: str) -> None:
    """As they are, with their authors and times; the list shows the time of the last."""
    store.append_events(match, 1, [deal(5), deal(3)])
    stored = store.load_match(match)
    assert stored is not None
    events = [(event.seq, event.payload) for event in stored.events]
    assert events == [(1, {"n": 0}), (2, {"n": 5}), (3, {"n": 3})]
    assert store.list_matches("me")[0].changed_at == AT.format(5)
    with pytest.raises(StaleWrite) as refused:
        store.append_events(match, 1, [deal(7)])
    assert [event.seq for event in refused.value.events] == [2, 3]
    with pytest.raises(KeyError):
        store.append_events("none", 0, [deal(1)])


def test_a_summary_is_recalled_while_it_is_of_the_whole_log(store: Store, match: str) -> None:
    store.remember_summary(match, 1, {"totals": [1]})
    assert store.recall_summary(match, 1) == store.list_matches("me")[0].summary == {"totals": [1]}
    store.append_event(match, 1, deal(2), "form")
    assert store.recall_summary(match, 2) is store.list_matches("me")[0].summary is None
    for seq in (2, 1):  # whoever was late has an older one
        store.remember_summary(match, seq, {"totals": [seq]})
    assert store.recall_summary(match, 2) == {"totals": [2]}


def test_what_was_put_away_is_listed_the_last_written_first(store: Store) -> None:
    for id, minute in (("a", 1), ("c", 3), ("b", 3), ("d", 2)):
        store.set_visibility(create(store, id, events=0, minute=minute), "archived", "x")
    assert hidden(store)[0] == ["b", "c", "d", "a"]
