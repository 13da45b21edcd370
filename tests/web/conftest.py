"""An app with a database of its own, browsers to look at it with, and matches to look at."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import create_app
from companion.store.tables import db
from companion.web.forms import fresh_key

HEARTS = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app({"INSTANCE": str(tmp_path), "TESTING": True, "WTF_CSRF_ENABLED": False})
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """The browser that keeps the score."""
    return app.test_client()


@pytest.fixture
def other(app: Flask) -> FlaskClient:
    """Somebody else's browser."""
    return app.test_client()


@pytest.fixture
def start(client: FlaskClient) -> Callable[..., str]:
    """Starts a match and gives its id; keywords replace what is typed into the form."""

    def begin(**typed: str) -> str:
        fields = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A", "form_key": fresh_key()}
        answer = client.post(
            "/en/new", data=fields | {key.replace("_", "-", 1): one for key, one in typed.items()}
        )
        assert answer.status_code == 303, _words(answer)
        return str(answer.location.rsplit("/", 1)[1])

    return begin


@pytest.fixture
def write(app: Flask, client: FlaskClient) -> Callable[..., None]:
    """Writes entries into a match, as its owner, the way pages do."""
    from companion.web import matches

    def add(id: str, *entries: dict[str, Any]) -> None:
        with client.session_transaction() as kept:
            owner = kept["owner"]
        for entry in entries:
            with app.test_request_context():
                from flask import session

                session["owner"] = owner
                match = matches.get_own(id)
                matches.add(match, entry, match.seq, fresh_key())

    return add


@pytest.fixture
def words() -> Callable[[Any], str]:
    """Reads a page: its text without the marks."""
    return _words


def _words(answer: Any) -> str:
    text = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", answer.text, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())
