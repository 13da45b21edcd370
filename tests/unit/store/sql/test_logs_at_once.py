"""Many write in one log at the same moment, in threads and in processes: nothing is lost or comes twice."""

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from companion.record.log import Event
from companion.store import SavedRuling, StaleWrite
from companion.store.sql import SqlStore
from companion.store.tables import db
from tests.unit.store.logs import create, deal

store = SqlStore()


@pytest.fixture
def match(app: Flask) -> str:
    return create(store, "match-1")


def at_once(app: Flask, action: Callable[[int], object], times: int = 8) -> list[object]:
    """What came of a deed that so many threads did in one moment, in no order."""
    done: list[object] = []
    ready = threading.Barrier(times)

    def do(number: int) -> None:
        with app.app_context():
            ready.wait()
            try:
                done.append(action(number))
            except Exception as fault:  # noqa: BLE001  # it is what came of it
                done.append(fault)

    threads = [threading.Thread(target=do, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def test_one_form_sent_many_times_at_once(app: Flask) -> None:
    """Eight copies of one form in the same moment are one match, one entry, one ruling; all are told so."""
    for number in range(5):
        id = f"match-{number}"
        opening = Event(1, "add", payload={"type": "opening"}, author="me", at="now")
        made = at_once(app, lambda _n, id=id, opening=opening: create(store, id, events=(opening,)))  # type: ignore[misc]  # a default
        assert made == [id] * 8
        written = at_once(app, lambda _n, id=id: store.append_event(id, 1, deal(1), "a").seq)  # type: ignore[misc]  # a default
        assert written == [2] * 8
        ruling = SavedRuling(f"r-{number}", "me", "now", {})
        assert at_once(app, lambda _n, ruling=ruling: store.save_ruling(ruling)) == [None] * 8  # type: ignore[misc]
        db.session.rollback()  # as a later request sees it
        stored = store.load_match(id)
        assert stored is not None
        assert len(stored.events) == 2


def test_threads_do_not_interleave(app: Flask, match: str) -> None:
    """Of eight threads that write on the same page at once one succeeds; every other one is told."""
    done = at_once(app, lambda number: store.append_event(match, 0, deal(number), f"key {number}"))
    stale = [item for item in done if isinstance(item, StaleWrite)]
    assert [len(item.events) for item in stale] == [1] * 7
    assert [item.payload for item in done if isinstance(item, Event)] == [stale[0].events[0].payload]


WRITER = """
import sys
from flask import Flask
from companion.record.log import Event
from companion.store import StaleWrite
from companion.store.engine import open_database
from companion.store.sql import SqlStore
from companion.store.tables import db
from tests.unit.store.logs import create, deal

store = SqlStore()
app = Flask("bare", instance_path=sys.argv[1])
app.config["DATABASE"] = sys.argv[3]
open_database(app)
with app.app_context():
    number = 0
    while number < 25:
        seen = len(store.load_match("match-1").events)
        db.session.rollback()
        try:
            event = Event(0, "add", payload={"n": number})
            store.append_event("match-1", seen, event, f"{sys.argv[2]} {number}")
            number += 1
        except StaleWrite:
            pass
"""


def test_two_processes_write_at_once(app: Flask, match: str, tmp_path: Path) -> None:
    """Two processes that write as fast as they can lose nothing, and no number comes twice."""
    address = app.config["SQLALCHEMY_DATABASE_URI"].render_as_string(hide_password=False)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), name, address],
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in "xy"
    ]
    for writer in writers:
        _out, reported = writer.communicate(timeout=60)
        assert writer.returncode == 0, reported
    stored = store.load_match(match)
    assert stored is not None
    assert [event.seq for event in stored.events] == list(range(1, 51))
