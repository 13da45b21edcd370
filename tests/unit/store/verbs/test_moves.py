"""Moves to another phone: how long they hold, what takes their place, and who has anything to move."""

import pytest

from companion.store import Grant, Move, SavedRuling, Store, StoredMatch

NOW, LATER = "2026-11-22T19:42:00.000+00:00", "2026-11-22T19:52:00.000+00:00"


def move(digest: str, owner: str = "me", kind: str = "code", ends_at: str | None = LATER) -> Move:
    return Move(digest, owner, kind, NOW, ends_at)


def test_how_long(store: Store) -> None:
    """Until the moment that is said; without one for ever."""
    store.add_move(move("short"))
    store.add_move(move("long", kind="words", ends_at=None))
    late = "2026-11-22T19:52:00.001+00:00"
    assert [store.find_move("short", at) for at in (NOW, LATER, late)] == ["me", "me", None]
    assert store.use_move("short", late) is None
    assert store.use_move("short", LATER) == "me"
    assert store.find_move("short", NOW) is None
    assert store.use_move("long", "2999-01-01T00:00:00.000+00:00") == "me"
    assert store.find_move("nothing", NOW) is None


def test_words_take_the_place_of_words(store: Store) -> None:
    """An owner has one set of them; codes, and the words of others, are left alone."""
    for item in (
        move("code"),
        move("old", kind="words"),
        move("other", "you", "words"),
        move("new", kind="words"),
    ):
        store.add_move(item)
    assert [store.find_move(item, NOW) for item in ("code", "old", "other", "new")] == [
        "me",
        None,
        "you",
        "me",
    ]
    found = store.find_words("me")
    assert found is not None
    assert found.digest == "new"
    store.use_move("new", NOW)
    assert store.find_words("me") is None


def test_asking_again(store: Store) -> None:
    """What lets a phone ask again is kept with the use, for the same owner; without one it is not."""
    again = move("again", "", "again")
    assert store.use_move("nothing", NOW, again) is None
    assert store.find_move("again", NOW) is None
    store.add_move(move("code"))
    assert store.use_move("code", NOW, again) == "me"
    assert store.find_move("again", NOW) == "me"


@pytest.mark.parametrize("kind", ["match", "ruling", "grant"])
def test_who_owns_anything(store: Store, kind: str) -> None:
    """A match, a ruling or a match that was joined: each is something."""
    assert not store.owns_anything("me")
    store.create_match(StoredMatch("m", "me" if kind == "match" else "you", {"players": []}, (), NOW, ""))
    if kind == "ruling":
        store.save_ruling(SavedRuling("r", "me", NOW, {}))
    elif kind == "grant":
        store.add_grants([Grant("g", "m", "me", None, True, "", NOW)])
    assert store.owns_anything("me")
