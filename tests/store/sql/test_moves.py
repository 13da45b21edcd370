"""A move is used by one phone alone, however many try at the same moment; on both databases."""

import threading
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import text

from companion.matches import Matches, NoSuchMove
from companion.store import Move, StoredMatch
from companion.store.sql import SqlStore
from companion.store.tables import db

NOW, LATER = "2026-11-22T19:42:00.000+00:00", "2026-11-22T19:52:00.000+00:00"
store = SqlStore()


def move(digest: str, owner: str = "me", kind: str = "code", ends_at: str | None = LATER) -> Move:
    return Move(digest, owner, kind, NOW, ends_at)


def at_once(app: Flask, work: Callable[[int], object], times: int) -> list[object]:
    """What comes of the same work, done by so many threads at the same moment."""
    barrier, done, failed = threading.Barrier(times), list[object](), list[BaseException]()

    def run(number: int) -> None:
        with app.app_context():
            try:
                barrier.wait()
                done.append(work(number))
            except BaseException as error:
                failed.append(error)
                raise
            finally:
                db.session.remove()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    return done


def use(code: str, _number: int) -> str | None:
    return store.use_move(code, NOW)


def test_one_of_many_gets_it(app: Flask) -> None:
    """Eight phones use a code at the same moment: one is told whose it is."""
    for code in ("one", "two", "three"):
        store.add_move(move(code))
        owners = at_once(app, partial(use, code), 8)
        assert sorted(map(str, owners)) == ["None"] * 7 + ["me"]


def test_two_phones_with_the_same_words(app: Flask) -> None:
    """The same as phones do it: with what lets the one that was first ask again."""
    matches = Matches(store, "secret")
    words = " ".join(matches.moves.make_words("me"))

    def use_words(number: int) -> str:
        try:
            return matches.moves.use(words, f"phone {number}")
        except NoSuchMove:
            return ""

    assert sorted(map(str, at_once(app, use_words, 4))) == ["", "", "", "me"]
    again = [number for number in range(4) if use_words(number) == "me"]
    assert len(again) == 1


def test_how_long(app: Flask) -> None:
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


def test_words_take_the_place_of_words(app: Flask) -> None:
    """An owner has one set of them; codes, and the words of others, are left alone."""
    for one in (
        move("code"),
        move("old", kind="words"),
        move("other", "you", "words"),
        move("new", kind="words"),
    ):
        store.add_move(one)
    assert [store.find_move(one, NOW) for one in ("code", "old", "other", "new")] == ["me", None, "you", "me"]
    found = store.find_words("me")
    assert found is not None
    assert found.digest == "new"
    store.use_move("new", NOW)
    assert store.find_words("me") is None


def test_asking_again(app: Flask) -> None:
    """What lets a phone ask again is kept with the use, for the same owner; without one it is not."""
    again = move("again", "", "again")
    assert store.use_move("nothing", NOW, again) is None
    assert store.find_move("again", NOW) is None
    store.add_move(move("code"))
    assert store.use_move("code", NOW, again) == "me"
    assert store.find_move("again", NOW) == "me"


@pytest.mark.parametrize("kind", ["match", "ruling", "match_grant"])
def test_who_owns_anything(app: Flask, kind: str) -> None:
    """A match, a ruling or a match that was joined: each is something."""
    assert not store.owns_anything("me")
    store.create_match(StoredMatch("m", "me" if kind == "match" else "you", {"players": []}, (), NOW, ""))
    rows = {
        "match": "SELECT 1",
        "ruling": f"INSERT INTO ruling (id, owner, at, content) VALUES ('r', 'me', '{NOW}', '{{}}')",
        "match_grant": "INSERT INTO match_grant (match_id, browser, id, has_pencil, phone, at)"
        f" VALUES ('m', 'me', 'g', true, '', '{NOW}')",
    }
    db.session.execute(text(rows[kind]))
    db.session.commit()
    assert store.owns_anything("me")
