"""Where the database cannot be asked, a page says so, and keeps what was typed until it can."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError
from stores.postgres import ON_SQLITE

from companion.matches import Access, Matches, Role
from companion.store import StoreUnavailable, engine
from companion.store.sql import SqlStore
from companion.store.tables import db
from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser, known_browser

pytestmark = (
    ON_SQLITE  # its file is taken away, filled and kept; for PostgreSQL see tests/unit/store/test_lost.py
)
TYPED = {"total_A": "82", "total_B": "65", "counting": "totals", "bid": "A:H", "note": "Żółta łąka & <co>"}


def stored(page: str) -> list[tuple[str, str]]:
    """What the page sends again."""
    fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page)
    return [(unescape(name), unescape(value)) for name, value in fields]


def sent_again(client: FlaskClient, answer: Any) -> Any:
    """The answer to the button of the page."""
    [action] = re.findall(r'<form method="post" action="([^"]*)" data-plain>', answer.text)
    data: dict[str, list[str]] = {}
    for name, value in stored(answer.text):
        data.setdefault(name, []).append(value)
    return client.post(unescape(action), data=data)


@contextmanager
def full_disk(app: Flask) -> Iterator[None]:
    """While this lasts the database cannot grow, and has no room left in it."""

    def limit(dbapi: Any, _record: Any) -> None:
        [(pages,)] = dbapi.execute("PRAGMA page_count").fetchall()
        dbapi.execute(f"PRAGMA max_page_count = {pages}")

    with app.app_context():
        sqlite = db.engine
        sqlite.dispose()
        event.listen(sqlite, "connect", limit)
        for table, columns in (
            ("match", "(id, owner, head, created_at, changed_at, cached) SELECT {0}, '', '{{}}', '', '', 0"),
            (
                "event",
                "(match_id, seq, kind, author, at, form_key) SELECT id, {0}, 'add', '', '', {0}"
                " FROM match WHERE owner = ''",
            ),
            ("ruling", "(id, owner, at, content) SELECT {0}, '', '', '{{}}'"),
        ):
            with pytest.raises(OperationalError, match="full"):
                for number in range(100, 10_000):
                    with sqlite.begin() as connection:
                        filling = f"INSERT INTO {table} {columns.format(number)} LIMIT 1"
                        connection.execute(text(filling))
    try:
        yield
    finally:
        event.remove(sqlite, "connect", limit)
        sqlite.dispose()


def test_a_full_disk_loses_nothing_that_was_typed(client: Browser, app: Flask) -> None:
    """The deal is not saved, which is said; one tap saves it when there is room again, and once."""
    id = client.start()
    with full_disk(app):
        answer = client.send(id, TYPED)
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert "The server has no space left" in answer.text
        assert set(TYPED.items()) < set(stored(answer.text))
        assert client.log(id) == []
        assert client.get(f"/en/m/{id}").status_code == 200  # looking takes no room
        assert client.get("/en/").status_code == 200
        answer = sent_again(client, answer)
        assert answer.status_code == 503
    for _tap in range(2):
        assert sent_again(client, answer).status_code == 303
    [written] = client.log(id)
    assert written.payload["totals"] == {"A": 82, "B": 65}
    assert written.payload["note"] == TYPED["note"]


@pytest.mark.parametrize("language", ["en", "pl"])
def test_a_new_match_on_a_full_disk(client: Browser, app: Flask, language: str) -> None:
    """Names that were typed are started with later."""
    with full_disk(app):
        names = {"name-A": "Grażyna", "name-B": "Michał", "dealer": "B", "form_key": "abc"}
        answer = client.post(f"/{language}/new", data=names | {"ticked": ["one", "two"]})
        assert {("ticked", "one"), ("ticked", "two")} < {*stored(answer.text)}
        answer = client.post(f"/{language}/new", data=names)
        assert answer.status_code == 503
        said = {"en": "this page keeps what you typed", "pl": "ta strona zachowuje to, co wpisano"}
        assert said[language] in answer.text
    answer = sent_again(client, answer)
    assert answer.status_code == 303
    assert "Grażyna" in client.get(answer.location).text


def test_a_database_that_is_gone(client: Browser, app: Flask) -> None:
    """Without its file nothing is shown, and none is made in its place; when it is back all goes on."""
    id = client.start()
    place = Path(app.instance_path) / "companion.sqlite"
    place.rename(place.with_name("elsewhere"))
    for answer in (client.get(f"/en/m/{id}"), client.get("/en/"), client.get(f"/en/m/{id}/sheet.pdf")):
        assert answer.status_code == 503
        assert "The matches cannot be reached" in answer.text
    answer = client.post(f"/en/m/{id}/deal", data=TYPED | {"form_key": "abc", "seq": "0", "do": "save"})
    assert answer.status_code == 503
    assert not place.exists()
    place.with_name("elsewhere").rename(place)
    assert sent_again(client, answer).status_code == 303
    assert len(client.log(id)) == 1


def test_a_database_that_was_put_back(client: Browser, app: Flask) -> None:
    """What is written after a copy was put in its place is written into the copy, not into what was there."""
    id = client.start()
    place = Path(app.instance_path) / "companion.sqlite"
    with sqlite3.connect(place) as source, sqlite3.connect(place.with_name("copy")) as copy:
        source.backup(copy)
    source.close()
    copy.close()
    place.with_name("copy").replace(place)
    for left in ("companion.sqlite-wal", "companion.sqlite-shm"):
        place.with_name(left).unlink(missing_ok=True)
    assert client.send(id, TYPED).status_code == 303
    with sqlite3.connect(place) as written:
        assert written.execute("SELECT count(*) FROM event").fetchone() == (1,)
    written.close()


def test_a_database_that_others_keep(client: Browser, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cannot write for too long is told to wait; reading goes on."""
    id = client.start()
    monkeypatch.setattr(engine, "PRAGMAS", ("busy_timeout=50", *engine.PRAGMAS[1:]))
    with app.app_context():
        db.engine.dispose()
    other = sqlite3.connect(Path(app.instance_path) / "companion.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answer = client.send(id, TYPED)
    assert answer.status_code == 503
    assert "The server is busy" in answer.text
    assert client.get(f"/en/m/{id}").status_code == 200
    other.close()
    assert sent_again(client, answer).status_code == 303


def test_a_database_that_goes_away_when_a_page_is_done(client: Browser, app: Flask) -> None:
    """What was made of its answers is sent, though the connection cannot be given back in order."""
    id = client.start()

    def fail(_connection: Any) -> None:
        raise OperationalError("ROLLBACK", {}, Exception("the connection is lost"))

    with app.app_context():
        database = db.engine
    event.listen(database, "rollback", fail)
    try:
        answer = client.get(f"/en/m/{id}")
    finally:
        event.remove(database, "rollback", fail)
    assert answer.status_code == 200
    assert "Content-Security-Policy" in answer.headers
    assert client.send(id, TYPED).status_code == 303


def test_a_database_that_goes_away_before_a_joined_phone_is_found(
    client: Browser, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page that says so does not ask once more what this phone may do."""
    id = client.start()
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        owner = Access(Role.OWNER)
        invited = matches.invitations.make_link(matches.open(id), owner, Role.PENCIL, None, True, fresh_key())
        matches.invitations.join(str(invited.secret), "j" * 22, "a phone")

    def fail(*_asked: Any) -> None:
        raise StoreUnavailable("away", "the connection is lost")

    monkeypatch.setattr(SqlStore, "find_grant", fail)
    phone = known_browser(app, "j" * 22)
    assert phone.get(f"/en/m/{id}/deal").status_code == 503
    answer = phone.post(f"/en/m/{id}/deal", data=TYPED | {"form_key": "k", "seq": "0"})
    assert answer.status_code == 503
    assert set(TYPED.items()) < set(stored(answer.text))
