"""Machines ask whether the server lives and can work: answered at once, whatever else is wrong."""

import re
import shutil
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError
from stores.postgres import ON_SQLITE

from companion.store.engine import _list_revisions
from companion.store.tables import db
from tests.web.browsers import Browser

Make = Callable[..., Flask]


def test_it_lives(app: Flask) -> None:
    """With a word, and without cookie, session or page."""
    client = app.test_client()
    for path, word in (("/healthz", "alive\n"), ("/readyz", "ready\n")):
        answer = client.get(path)
        assert (answer.status_code, answer.text) == (200, word)
        assert answer.mimetype == "text/plain"
        assert answer.headers["Cache-Control"] == "no-store"
        assert not answer.headers.getlist("Set-Cookie")
        assert client.head(path).data == b""
        assert client.post(path).status_code == 405
    assert client.get("/healthz/").status_code == 404
    assert client.get("/en/healthz").status_code == 404


def test_by_any_name_and_below_a_path(make_app: Make) -> None:
    """Whoever looks after a machine asks by its address, and knows of no path."""
    client = make_app(HOSTS="club.example", PREFIX="/karty").test_client()
    for path in ("/healthz", "/karty/healthz", "/readyz", "/karty/readyz"):
        assert client.get(path, headers={"Host": "10.0.0.7:5000"}).status_code == 200


def test_a_database_that_does_not_answer(make_app: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lives, and is not ready; why, is said without any name."""
    app = make_app()

    def fail(*_arguments: Any, **_named: Any) -> None:
        raise OperationalError("SELECT secret", {}, Exception("password of host db.internal"))

    with app.app_context():
        monkeypatch.setattr(type(db.engine), "connect", fail)
    client = app.test_client()
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the database does not answer\n")
    assert answer.headers["Retry-After"] == "5"


@pytest.mark.parametrize("table", ["match", "ruling"])
def test_a_machine_that_does_not_answer(make_app: Make, table: str) -> None:
    """Where tables are spread over several machines, it is ready when each of them answers."""
    app = make_app()

    def fail(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if re.search(rf"\bFROM {table}\b", statement):
            raise OperationalError(statement, {}, Exception("connection to the remote node db7.internal"))

    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", fail)
    client = app.test_client()
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "a part of the database does not answer\n")


@ON_SQLITE
def test_a_full_disk(make_app: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is recorded would be refused: it lives, and is not ready."""
    client = make_app().test_client()
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=4096))
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the database has no room left\n")
    monkeypatch.undo()
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize(
    ("revision", "is_ready"), [("0001", False), ("0003", False), ("of a newer version", True), (None, False)]
)
def test_the_tables(make_app: Make, revision: str | None, is_ready: bool) -> None:
    """Not ready where a migration is missing; ready where a newer server has made more of them already."""
    app = make_app()
    with app.app_context(), db.engine.begin() as connection:
        before = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        connection.execute(text("DELETE FROM alembic_version"))
        if revision is not None:
            wanted = next((item for item in _list_revisions() if item.startswith(revision)), revision)
            connection.execute(text("INSERT INTO alembic_version VALUES (:v)"), {"v": wanted})
    try:
        answer = app.test_client().get("/readyz")
        assert answer.status_code == (200 if is_ready else 503)
        assert ("migration" in answer.text) != is_ready
    finally:
        with app.app_context(), db.engine.begin() as connection:
            connection.execute(text("DELETE FROM alembic_version"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:v)"), {"v": before})


def test_a_server_that_stops(client: Browser) -> None:
    """It finishes what is under way, and wants nothing new."""
    health = client.application.extensions["health"]
    health.is_stopping = True
    try:
        assert (client.get("/readyz").status_code, client.get("/healthz").status_code) == (503, 200)
        assert client.get("/en/").status_code == 200
    finally:
        health.is_stopping = False
