"""A move is used by one phone alone, however many try at the same moment; on both databases."""

import threading
from collections.abc import Callable
from functools import partial

from flask import Flask

from companion.matches import Matches, NoSuchMove
from companion.store import Move
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
