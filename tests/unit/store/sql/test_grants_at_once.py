"""Grants when many ask for them in one moment."""

import threading
from collections.abc import Callable

from flask import Flask

from companion.store import Grant, Link, Move, StoredMatch
from companion.store.sql import SqlStore
from companion.store.tables import db

NOON, LATER = "2026-11-20T12:00:00.000+00:00", "2026-11-20T12:10:00.000+00:00"


def begin(store: SqlStore, id: str) -> None:
    store.create_match(StoredMatch(id, "owner", {"game": "any", "players": ["Ewa", "Jan"]}, (), NOON))


def link(id: str = "link", once: bool = False) -> Link:
    return Link(id, "match", f"digest of {id}", "opponent", "B", once, NOON)


def grant(browser: str, id: str = "") -> Grant:
    return Grant(id or f"grant-{browser}", "match", browser, "B", False, "Android, Chrome", NOON)


def at_once(app: Flask, action: Callable[[int], object], times: int = 8) -> list[object]:
    """What came of a deed that so many threads did in one moment."""
    done: list[object] = [None] * times
    ready = threading.Barrier(times)

    def do(number: int) -> None:
        with app.app_context():
            ready.wait()
            try:
                done[number] = action(number)
            except Exception as fault:  # noqa: BLE001  # it is what came of it
                done[number] = fault
            db.session.remove()

    threads = [threading.Thread(target=do, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def test_a_link_for_one_used_by_eight_at_once(app: Flask) -> None:
    """One wins, whoever it is; the others are told, and have nothing."""
    store = SqlStore()
    begin(store, "match")
    for round in range(5):
        one = link(f"link-{round}", once=True)
        store.add_link(one)
        done = at_once(app, lambda n, one=one, round=round: store.join(one, grant(f"{round}-{n}")))  # type: ignore[misc]
        winners = [each for each in done if isinstance(each, Grant)]
        assert len(winners) == 1, done
        assert done.count(None) == 7, done
        db.session.rollback()  # as a later request sees it
        assert store.list_users("match")[one.id] == winners


def test_one_phone_joins_many_times_at_once(app: Flask) -> None:
    """A finger that taps eight times joins once, and every tap is told the same."""
    store = SqlStore()
    begin(store, "match")
    store.add_link(link(once=True))
    done = at_once(app, lambda n: store.join(link(once=True), grant("x", id=f"grant-{n}")))
    assert len(set(done)) == 1, done
    assert isinstance(done[0], Grant)


def test_joining_and_revoking_at_once(app: Flask) -> None:
    """After both nobody is in by the revoked link, whichever came first."""
    store = SqlStore()
    begin(store, "match")
    for round in range(5):
        one = link(f"link-{round}")
        store.add_link(one)

        def action(n: int, one: Link = one, round: int = round) -> object:
            if n:
                return store.join(one, grant(f"{round}-{n}"))
            store.revoke_link("match", one.id, LATER)
            return None

        done = at_once(app, action)
        assert not [each for each in done if isinstance(each, Exception)], done
        db.session.rollback()
        assert [each for each in store.list_grants("match") if each.revoked_at is None] == []


def test_a_move_used_by_eight_at_once(app: Flask) -> None:
    """One phone becomes the owner."""
    store = SqlStore()
    store.add_move(Move("digest", "owner", "words", NOON))
    done = at_once(app, lambda _n: store.use_move("digest", NOON))
    assert sorted(map(str, done)) == ["None"] * 7 + ["owner"]


def test_new_words_made_eight_times_at_once(app: Flask) -> None:
    """Of those that were written down last only one set is good."""
    store = SqlStore()
    done = at_once(app, lambda n: store.add_move(Move(f"words-{n}", "owner", "words", NOON)))
    assert done == [None] * 8
    good = [n for n in range(8) if store.use_move(f"words-{n}", NOON) is not None]
    assert len(good) == 1


def test_joining_and_handing_over_at_once(app: Flask) -> None:
    """A phone joins by another link while it is handed the pencil: both are done, nobody is told to wait."""
    store = SqlStore()
    begin(store, "match")
    store.add_link(link("first"))
    store.join(link("first"), grant("x"))
    for round in range(10):
        one = link(f"link-{round}")
        store.add_link(one)

        def action(n: int, one: Link = one) -> object:
            if n % 2:
                return store.join(one, grant("x", id=f"grant-{n}"))
            return store.give_pencil("match", "grant-x", True)

        done = at_once(app, action)
        assert {each.id for each in done if isinstance(each, Grant)} == {"grant-x"}
        assert all(isinstance(each, Grant) for each in done), done
