"""Links, grants and moves: the same answers from SQLite and from PostgreSQL."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.record.log import Event
from companion.store import Grant, Link, Move, SavedRuling, ServerStore, Store, StoredMatch, Token
from companion.store.memory import MemoryStore

NOON, LATER = "2026-11-20T12:00:00.000+00:00", "2026-11-20T12:10:00.000+00:00"
NO_TEXT = pytest.mark.parametrize("id", ["\0", "match\0", "\ud800", "grant-x\0"], ids=ascii)


@pytest.fixture
def store(server_store: ServerStore) -> ServerStore:
    begin(server_store, "match")
    return server_store


def begin(store: Store, id: str, owner: str = "owner", at: str = NOON) -> None:
    store.create_match(StoredMatch(id, owner, {"game": "any", "players": ["Ewa", "Jan"]}, (), at))


def link(id: str = "link", role: str = "opponent", side: str | None = "B", once: bool = False) -> Link:
    return Link(id, "match", f"digest of {id}", role, side, once, NOON)


def grant(browser: str, side: str | None = "B", has_pencil: bool = False, id: str = "") -> Grant:
    return Grant(id or f"grant-{browser}", "match", browser, side, has_pencil, "Android, Chrome", NOON)


def changes(store: ServerStore) -> int:
    version = store.load_version("match")
    assert version is not None
    return version[1]


# --- links ---------------------------------------------------------------------------------------


def test_links_are_listed_the_newest_first(store: ServerStore) -> None:
    begin(store, "other")
    for item in (link("b"), link("a"), replace(link("c"), made_at=LATER)):
        store.add_link(item)
    store.add_link(replace(link("d"), match_id="other"))
    store.revoke_link("match", "a", LATER)
    assert [item.id for item in store.list_links("match")] == ["c", "a", "b"]
    assert [item.revoked_at for item in store.list_links("match")] == [None, LATER, None]
    assert store.list_links("nowhere") == []


def test_a_link_for_one_stays_used_up(store: ServerStore) -> None:
    store.add_link(link("one", once=True))
    store.add_link(link("many", "spectator", None))
    one = link("one", once=True)
    joined = store.join(one, grant("x"))
    assert joined is not None
    store.join(link("many", "spectator", None), grant("x", None))
    assert store.join(one, grant("y")) is None
    store.revoke_grant("match", joined.id, LATER, may_return=True)
    assert store.join(one, grant("y")) is None
    assert store.join(one, grant("x")) is None, "one use is one use"


def test_revoking_a_link_ends_what_it_gave(store: ServerStore) -> None:
    """The grants of all who joined by it, also where they joined by another one since; of nobody else."""
    pencil, spectator = link("pencil", "pencil"), link("spectator", "spectator", None)
    store.add_link(pencil)
    store.add_link(spectator)
    store.join(pencil, grant("x", has_pencil=True))
    store.join(spectator, grant("x", None))
    store.join(spectator, grant("y", None))
    store.revoke_link("match", "pencil", LATER)
    assert store.find_grant("match", "x") is None
    assert store.find_grant("match", "y") is not None
    assert {item.browser: item.revoked_at for item in store.list_grants("match")} == {"x": LATER, "y": None}


def test_a_link_is_revoked_in_its_own_match(store: ServerStore) -> None:
    """The id of a link of another match ends nothing, nor does one that there is not."""
    begin(store, "other")
    store.add_link(link())
    store.join(link(), grant("x"))
    before = changes(store)
    store.revoke_link("other", "link", LATER)
    store.revoke_link("match", "unknown", LATER)
    assert store.find_grant("match", "x") is not None
    assert store.list_links("match") == [link()]
    assert changes(store) == before


# --- grants --------------------------------------------------------------------------------------


def test_grants_are_listed_the_newest_first(store: ServerStore) -> None:
    """Those of one moment by their ids; a phone lists them as a server does."""
    phone = MemoryStore()
    begin(phone, "match")
    late, first, second = replace(grant("x", id="c"), at=LATER), grant("z", id="a"), grant("y", id="b")
    for listing in (store, phone):
        listing.add_grants([second, late, first])
        assert listing.list_grants("match") == [late, first, second]


def test_joining_again_adds_to_what_there_was(store: ServerStore) -> None:
    """A pencil stays one when it joins to look on, and keeps its side; another side takes its place."""
    for item in (link("a", "pencil", None), link("b", "opponent", "B"), link("c", "spectator", None)):
        store.add_link(item)
    first = store.join(link("a"), grant("x", None, True, id="first"))
    assert first is not None
    second = store.join(link("b"), replace(grant("x", "B", id="second"), at=LATER, phone="iPhone"))
    assert second == replace(first, side="B", at=LATER, phone="iPhone")
    third = store.join(link("c"), replace(grant("x", None, id="third"), at=LATER))
    assert third == replace(first, side="B", at=LATER)
    assert store.find_grant("match", "x") == third
    assert store.list_grants("match") == [third]
    store.add_link(link("d", "opponent", "A"))
    other = store.join(link("d"), replace(grant("x", "A"), at=LATER))
    assert other is not None
    assert (other.side, other.has_pencil) == ("A", True)


def test_who_was_put_out_starts_anew(store: ServerStore) -> None:
    """By a link that it has not used yet; nothing of what it could do before comes back."""
    store.add_link(link("pencil", "pencil", "A"))
    store.add_link(link("spectator", "spectator", None))
    joined = store.join(link("pencil"), grant("x", "A", True))
    assert joined is not None
    store.revoke_grant("match", joined.id, LATER)
    assert store.join(link("pencil"), grant("x", "A", True)) is None, "not by the link it came by"
    again = store.join(link("spectator"), replace(grant("x", None), at=LATER))
    assert again is not None
    assert (again.id, again.side, again.has_pencil, again.revoked_at) == (joined.id, None, False, None)


def test_who_left_may_come_back(store: ServerStore) -> None:
    store.add_link(link())
    joined = store.join(link(), grant("x"))
    assert joined is not None
    store.revoke_grant("match", joined.id, LATER, may_return=True)
    assert store.find_grant("match", "x") is None
    assert store.join(link(), grant("x")) == joined


def test_a_link_gives_what_was_taken_back_no_second_time(store: ServerStore) -> None:
    """A phone that opens the link of its pencil again has what it had before, for one use or many."""
    for id, once in (("one", True), ("many", False)):
        made = replace(link(id, "pencil", None), once=once)
        store.add_link(made)
        store.join(made, grant(id, None, True))
        store.give_pencil("match", f"grant-{id}", False)
        before = changes(store)
        again = store.join(made, grant(id, None, True, "another id"))
        assert again is not None and (again.id, again.has_pencil) == (f"grant-{id}", False)
        assert changes(store) == before


def test_the_pencil_is_given_and_taken(store: ServerStore) -> None:
    """To a grant of this match that holds; None for any other."""
    begin(store, "other")
    store.add_link(link())
    store.join(link(), grant("x"))
    given = store.give_pencil("match", "grant-x", True)
    assert given == grant("x", has_pencil=True)
    assert store.find_grant("match", "x") == given
    assert store.give_pencil("other", "grant-x", False) is None
    assert store.give_pencil("match", "unknown", True) is None
    assert store.find_grant("match", "x") == given
    assert store.give_pencil("match", "grant-x", False) == grant("x")
    store.revoke_grant("match", "grant-x", LATER)
    assert store.give_pencil("match", "grant-x", True) is None
    assert [item.has_pencil for item in store.list_grants("match")] == [False]


def test_a_grant_is_revoked_in_its_own_match(store: ServerStore) -> None:
    """And once; the browser may do nothing from then on, and what it could do is still listed."""
    begin(store, "other")
    store.add_link(link())
    store.join(link(), grant("x"))
    before = changes(store)
    for match, id in (("other", "grant-x"), ("match", "unknown")):
        store.revoke_grant(match, id, LATER)
    assert store.find_grant("match", "x") is not None
    assert changes(store) == before
    store.revoke_grant("match", "grant-x", LATER)
    store.revoke_grant("match", "grant-x", "9999")
    assert store.find_grant("match", "x") is None
    assert store.list_grants("match") == [replace(grant("x"), revoked_at=LATER)]
    assert changes(store) == before + 1


def test_grants_without_a_link(store: ServerStore) -> None:
    """They are given to all who have none in this match; who was put out of it stays out."""
    store.add_link(link())
    store.join(link(), grant("x", "A", True))
    store.join(link(), grant("y"))
    store.revoke_grant("match", "grant-y", LATER)
    before = changes(store)
    store.add_grants([grant(browser, id=f"new-{browser}") for browser in "xyz"])
    assert store.find_grant("match", "x") == grant("x", "A", True)
    assert store.find_grant("match", "y") is None
    assert store.find_grant("match", "z") == grant("z", id="new-z")
    assert changes(store) == before + 1
    store.add_grants([grant("z", id="newer-z")])
    store.add_grants([])
    assert changes(store) == before + 1


def test_the_version_counts_every_change(store: ServerStore) -> None:
    """The length of the log, and what was done to links and grants; a match's own, and none of no match."""
    begin(store, "other")
    seen = [store.load_version("match")]
    actions: list[Callable[[], object]] = [
        lambda: store.add_link(link()),
        lambda: store.join(link(), grant("x")),
        lambda: store.give_pencil("match", "grant-x", True),
        lambda: store.append_event("match", 0, Event(0, "draft", at=NOON), "key"),
        lambda: store.revoke_grant("match", "grant-x", LATER),
        lambda: store.add_grants([grant("y")]),
        lambda: store.count_change("match"),
        lambda: store.revoke_link("match", "link", LATER),
    ]
    for action in actions:
        action()
        seen.append(store.load_version("match"))
    assert seen == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7)]
    assert store.load_version("other") == (0, 0)
    assert store.load_version("nowhere") is None


def test_joined_matches_are_in_the_list(store: ServerStore) -> None:
    """With what one may do there; those begun by oneself among them, those one was put out of not."""
    begin(store, "own", "x", "2026-11-21T00:00:00+00:00")
    begin(store, "foreign", at="2026-11-22T00:00:00+00:00")
    store.add_link(link())
    store.join(link(), grant("x", "B", True))
    store.add_grants([replace(grant("x", None, id="f"), match_id="foreign")])
    listed = store.list_matches("x")
    assert [(item.id, item.owner, item.side, item.has_pencil) for item in listed] == [
        ("foreign", "owner", None, False),
        ("own", "x", None, False),
        ("match", "owner", "B", True),
    ]
    assert [match.id for match in store.list_matches("owner")] == ["foreign", "match"]
    store.append_event("match", 0, Event(0, "add", at="2026-11-23T00:00:00+00:00"), "form")
    assert [match.id for match in store.list_matches("x")] == ["match", "foreign", "own"]
    store.revoke_grant("match", "grant-x", LATER)
    assert [match.id for match in store.list_matches("x", "Ewa")] == ["foreign", "own"]
    assert store.list_matches("y") == []


# --- tokens --------------------------------------------------------------------------------------


def test_tokens_are_found_by_their_digests(store: ServerStore) -> None:
    """Listed by their owner, the newest first; what is stored later is when one was used, or revoked."""
    first = Token("digest", "first", "owner", None, "owner", None, NOON)
    second = Token("other", "second", "owner", "match", "opponent", "B", LATER)
    for token in (first, second, replace(first, role="spectator")):
        store.add_token(token)
    assert (store.find_token("digest"), store.find_token("none")) == (first, None)
    assert store.list_tokens("owner") == [second, first]
    assert store.list_tokens("other") == []
    store.change_token(replace(first, used_at=LATER, revoked_at=LATER, role="pencil"))
    assert store.find_token("digest") == replace(first, used_at=LATER, revoked_at=LATER)


# --- moves ---------------------------------------------------------------------------------------


def test_new_words_take_the_place_of_the_old(store: ServerStore) -> None:
    """Those of this owner only, and no code; used ones are gone as well."""
    store.add_move(Move("code", "owner", "code", NOON, LATER))
    store.add_move(Move("old", "owner", "words", NOON))
    store.add_move(Move("theirs", "other", "words", NOON))
    store.add_move(Move("new", "owner", "words", LATER))
    assert store.find_words("owner") == Move("new", "owner", "words", LATER)
    assert store.use_move("old", LATER) is None
    assert store.use_move("new", LATER) == "owner"
    assert store.find_words("owner") is None
    assert store.find_words("other") == Move("theirs", "other", "words", NOON)
    assert store.use_move("code", LATER) == "owner"
    store.add_move(Move("newest", "owner", "words", LATER))
    assert store.use_move("new", LATER) is None, "used words stay used"


def test_who_owns_anything(store: ServerStore) -> None:
    """A match, a ruling or a grant is something; a grant that was taken away, too: it may be in a log."""
    store.save_ruling(SavedRuling("ruling", "asker", NOON, {}))
    store.add_grants([grant("x")])
    owners = ("owner", "asker", "x", "nobody")
    assert [store.owns_anything(owner) for owner in owners] == [True, True, True, False]


@NO_TEXT
def test_ids_that_no_database_takes(store: ServerStore, id: str) -> None:
    """There is nothing under them, and asking for it breaks nothing and changes nothing."""
    store.add_link(link())
    store.join(link(), grant("x"))
    before = changes(store)
    assert store.load_version(id) is None
    assert store.find_grant(id, "x") is store.find_grant("match", id) is None
    for match, other in (("match", id), (id, "grant-x")):
        assert store.give_pencil(match, other, True) is None
        store.revoke_grant(match, other, LATER)
        store.revoke_link(match, other, LATER)
    assert changes(store) == before
