"""Put away and deleted: out of the list, and back; the owner's to do, and nothing lost by a slip."""

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import text

from companion.matches import Matches
from companion.store.tables import db
from tests.web.browsers import Browser, words

MADE = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}


@pytest.fixture
def id(client: Browser) -> str:
    """A match with a deal."""
    id = client.start(MADE)
    return id


def test_put_away_and_back(client: Browser, other: Browser, id: str) -> None:
    """It is in the list no more, can be opened and written in, and comes back by one tap."""
    answer = client.post(f"/en/m/{id}/put-away")
    assert (answer.status_code, answer.location) == (303, "/en/put-away")
    page = client.get("/en/put-away")
    assert "Archived: Ewa – Jan ." in words(page) and "Undo" in words(page)
    assert "1 deal" in words(page)
    assert "Undo" not in client.read("/en/put-away"), "it was offered once"
    assert id not in client.get("/en/").text + other.get("/en/put-away").text
    assert client.get("/en/resume").location == "/en/"
    assert client.get(f"/en/m/{id}").status_code == 200
    back = client.post(f"/en/m/{id}/bring-back")
    assert (back.status_code, back.location) == (303, f"/en/m/{id}")
    assert "is back in your list" in client.read(back.location)
    assert id in client.get("/en/").text
    assert "Nothing is archived" in client.read("/en/put-away")


def test_deleted_and_back(client: Browser, other: Browser, id: str) -> None:
    """It is asked first, with names and deals; then nobody can open it, and thirty days it can come back."""
    asked = client.read(f"/en/m/{id}/delete")
    assert "Delete this match?" in asked and "Ewa – Jan" in asked and "1 deal" in asked
    assert id in client.get("/en/").text, "nothing is done by asking"
    answer = client.post(f"/en/m/{id}/delete")
    assert (answer.status_code, answer.location) == (303, "/en/bin")
    page = client.get("/en/bin")
    assert "Deleted: Ewa – Jan ." in words(page) and "Undo" in words(page) and "Erased on" in words(page)
    assert id not in other.get("/en/bin").text
    mine, theirs = client.get(f"/en/m/{id}"), other.get(f"/en/m/{id}")
    assert (mine.status_code, theirs.status_code) == (410, 404)
    assert 'href="/en/bin"' in mine.text
    assert client.post(f"/en/m/{id}/undo", data={"seq": "1"}).status_code == 410
    assert id not in client.get("/en/").text
    assert client.post(f"/en/m/{id}/bring-back").location == f"/en/m/{id}"
    assert "82" in client.read(f"/en/m/{id}")
    assert "Nothing was deleted" in client.read("/en/bin")


def test_erased_at_once(client: Browser, other: Browser, id: str) -> None:
    """Only out of the trash, and after another question; then it is gone for good."""
    assert client.get(f"/en/m/{id}/erase").status_code == 404
    assert client.post(f"/en/m/{id}/erase").status_code == 404
    client.post(f"/en/m/{id}/delete")
    asked = client.read(f"/en/m/{id}/erase")
    assert "Erase for good?" in asked and "Ewa – Jan" in asked
    assert other.get(f"/en/m/{id}/erase").status_code == 404
    assert other.post(f"/en/m/{id}/erase").status_code == 404
    assert id in client.get("/en/bin").text
    assert client.post(f"/en/m/{id}/erase").location == "/en/bin"
    assert id not in client.get("/en/bin").text
    for _again in range(2):
        assert client.post(f"/en/m/{id}/bring-back").status_code == 404
    assert client.get(f"/en/m/{id}").status_code == 404


def test_after_thirty_days(client: Browser, app: Flask, id: str) -> None:
    """What lay in the trash for so long is erased."""
    client.post(f"/en/m/{id}/delete")
    for days, is_there in ((29, True), (31, False)):
        at = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
        with app.app_context(), db.engine.begin() as connection:
            connection.execute(text("UPDATE match SET deleted_at = :at"), {"at": at})
        assert (id in client.get("/en/bin").text) == is_there, days
    with app.app_context():
        assert app.extensions["matches"].store.load_match(id) is None


def test_one_that_cannot_be_read(client: Browser, app: Flask, id: str) -> None:
    """A match of which this version cannot read the log still stands in the lists, by its names."""
    client.post(f"/en/m/{id}/put-away")
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("UPDATE event SET payload = '{}'"))
        connection.execute(text("UPDATE match SET cache = NULL"))
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        matches._memory.forget(id)
    assert "Ewa – Jan" in client.read("/en/put-away")
