"""The arbiter over HTTP: the same requests and answers as on the command line."""

import json
from pathlib import Path

import pytest

from companion import create_app, library
from companion.store.tables import db
from tests.web.browsers import Browser

REQUEST = {
    "game": "derda",
    "question": "play",
    "trump": "H",
    "hand": ["8H", "AH"],
    "trick": ["10H"],
    "card": "8H",
}


def test_a_ruling_is_the_same_as_the_librarys(client: Browser) -> None:
    """A request is answered with the ruling's JSON."""
    answer = client.post("/api/rule", json=REQUEST)
    assert 200 == answer.status_code
    assert library.rule(REQUEST).plain() == answer.get_json()
    assert "10♥" in answer.get_data(as_text=True)


def test_no_token_of_a_form_is_needed(tmp_path: Path) -> None:
    """With forms protected, a program may still ask: it changes nothing."""
    app = create_app({"INSTANCE": str(tmp_path), "TESTING": True})
    assert 200 == app.test_client().post("/api/rule", json=REQUEST).status_code
    with app.app_context():
        db.engine.dispose()


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "document: must be JSON; line 1, column 1: "),
        (b"{", "document: must be JSON; line 1, column 2: "),
        (b"\xff", "document: must be JSON in UTF-8"),
        (
            b'{"game": "derda", "game": "durak"}',
            'document: must be JSON in which no object has the key "game" twice',
        ),
        (b"[]", "document: must be a ruling request"),
        (b"null", "document: must be a ruling request"),
        (b"[" * 60_000, "nesting of ordinary size"),
        (b"1" * 5_000, "numbers and nesting of ordinary size"),
        (b'{"game": "derda"}', "question: must be one of play"),
        (
            json.dumps(REQUEST | {"hand": ["8H", "8H"]}).encode(),
            "hand: must be different cards; 8♥ is named twice",
        ),
        (json.dumps(REQUEST | {"unknown": 1}).encode(), "unknown: unknown key; known keys are"),
        (b'{"game": "\\ud800"}', "game: must be one of"),
    ],
)
def test_bad_requests_say_what_was_expected(client: Browser, body: bytes, error: str) -> None:
    """Anything that is no request answers 400 with one clear line."""
    answer = client.post("/api/rule", data=body)
    assert 400 == answer.status_code
    reported = answer.get_json()
    assert ["error"] == list(reported)
    assert error in reported["error"] and "\n" not in reported["error"]


def test_a_request_has_a_size(client: Browser) -> None:
    """More than 64 KB answers 413, as JSON."""
    answer = client.post("/api/rule", data=b'"' + b"x" * 70_000 + b'"')
    assert 413 == answer.status_code
    assert "65536" in answer.get_json()["error"]
