"""Deleting and writing in one moment, on both databases."""

from collections.abc import Callable
from contextlib import suppress
from threading import Barrier, Thread

from flask import Flask

from companion.record.log import Event
from companion.store import StoredMatch
from companion.store.sql import SqlStore
from companion.store.tables import db

store = SqlStore()
DEAL = Event(0, "add", payload={"n": 1}, author="me", at="2026-11-20T19:01:00+00:00")


def create(id: str) -> str:
    store.create_match(StoredMatch(id, "me", {"game": "any", "players": ["Ewa", "Jan"]}, (DEAL,), DEAL.at))
    return id


def test_deleting_and_writing_at_once_lose_nothing(app: Flask) -> None:
    """Of an entry and the deletion one comes first: it is in the log, or it was refused."""
    for round in range(10):
        id, written = create(f"match-{round}"), list[bool]()
        ready = Barrier(2)

        def at_once(action: Callable[[], object], ready: Barrier = ready) -> Thread:
            def run() -> None:
                with app.app_context():
                    ready.wait()
                    with suppress(KeyError):
                        action()
                    db.session.remove()

            thread = Thread(target=run)
            thread.start()
            return thread

        def write(id: str = id, written: list[bool] = written) -> None:
            store.append_event(id, 1, DEAL, "form")
            written.append(True)

        threads = [at_once(write), at_once(lambda id=id: store.delete_match(id, "x"))]  # type: ignore[misc]
        for thread in threads:
            thread.join()
        stored = store.load_match(id)
        assert stored is not None and stored.deleted_at == "x"
        assert len(stored.events) == 1 + len(written)
        db.session.rollback()
