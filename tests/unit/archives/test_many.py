"""A whole archive into a database of each kind: every fold compared, nothing twice, not even at once."""

import io
import random
import threading

import pytest
from derda import DEAL, HEAD
from flask import Flask

from companion import archives
from companion.matches import AddEntry, AmendEntry, Matches, Undo
from companion.store.sql import SqlStore
from companion.store.tables import db

from .instances import ME, OTHER, OTHER_DEAL, Write, make_matches

MANY = 30
HANDS = {"game": "durak", "players": ["Ewa", "Jan", "Ala"], "first_dealer": "A"}


@pytest.fixture
def there(app: Flask) -> Matches:
    return Matches(SqlStore(), "another secret")


def make_many(here: Matches, write: Write) -> list[str]:
    """Matches of both families, some that follow each other, some corrected."""
    chance, ids = random.Random(7), list[str]()
    for n in range(MANY):
        hands = n % 3 == 0
        id = here.start(HANDS if hands else HEAD, ME, f"form {n}")
        for _deal in range(chance.randrange(6)):
            hand = {"type": "hand", "loser": chance.choice("ABC")}
            write(here, id, AddEntry(hand if hands else chance.choice((DEAL, OTHER_DEAL))))
        if here.open(id).seq and not hands and chance.random() < 0.5:
            write(here, id, AmendEntry(1, OTHER_DEAL), Undo())
        ids.append(id)
    return ids


def pack(here: Matches, ids: list[str]) -> bytes:
    file = io.BytesIO()
    assert archives.write_archive(here, ME, ids, file) == []
    return file.getvalue()


@pytest.mark.nightly
def test_an_archive_taken_twice_at_once_is_there_once(app: Flask, there: Matches, write: Write) -> None:
    """Of each match one of the two says that it is new or continued, or both that it is here."""
    here = make_matches()
    ids = make_many(here, write)
    early = pack(here, ids)
    archives.import_found(there, OTHER, archives.look_through(there, OTHER, pack(here, ids[:10])))
    for id in ids[:20]:
        if here.open(id).playing:
            write(
                here, id, AddEntry({"type": "close" if "Ala" in here.open(id).head["players"] else "abandon"})
            )
    late = pack(here, ids)
    ready, faults = threading.Barrier(4), list[BaseException]()

    def take(data: bytes) -> None:
        with app.app_context():
            try:
                found = archives.look_through(there, OTHER, data)
                ready.wait()
                archives.import_found(there, OTHER, found)
            except BaseException as fault:  # noqa: BLE001  # it is what came of it
                faults.append(fault)
            finally:
                db.session.remove()

    threads = [threading.Thread(target=take, args=(data,)) for data in (early, late, late, early)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    db.session.rollback()
    assert sorted(there.server_store.list_ids()) == sorted(ids)
    for id in ids:
        assert [event.payload for event in there.open(id).events] == [
            event.payload for event in here.open(id).events
        ]
