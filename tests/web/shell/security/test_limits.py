"""Who tries too many wrong secrets is told so, and for how long; the right one is let in at any time."""

import re
import time
from collections.abc import Callable

import pytest
from flask import Flask, abort

from companion.web.shell.language import PREFIX
from companion.web.shell.security.rate_limits import limit_guesses
from tests.web.browsers import words

LIMIT = 20


@limit_guesses
def guess(secret: str) -> str:
    """A page that is there for who knows its address."""
    if secret == "broken":
        raise RuntimeError("broken")
    return "found" if secret == "right" else abort(404)


@pytest.fixture
def guarded(make_app: Callable[..., Flask]) -> Flask:
    """An app with a page behind a secret."""
    app = make_app()
    app.add_url_rule(f"{PREFIX}/guess/<secret>", "guess", guess)
    return app


def test_too_many_wrong_ones(guarded: Flask) -> None:
    """Twenty are answered as such; those after them, for ten minutes, by how many there were."""
    client = guarded.test_client()
    for _time in range(LIMIT):
        assert client.get("/en/guess/wrong").status_code == 404
    answer = client.get("/en/guess/wrong")
    assert answer.status_code == 429
    assert 590 < int(answer.headers["Retry-After"]) <= 600
    assert answer.headers.getlist("Retry-After") == [answer.headers["Retry-After"]]
    assert "Too many wrong links or codes" in words(answer)
    assert "Ask for a new one; the right one works at any time." in words(answer)
    assert "Za dużo błędnych linków lub kodów" in words(client.get("/pl/guess/wrong"))
    assert client.get("/en/").status_code == 200


def test_the_right_one_is_let_in_at_any_time(guarded: Flask) -> None:
    """Nobody keeps a club from joining by wrong links: not with one cookie, none, or many."""
    known = guarded.test_client()
    known.get("/en/import")
    for _time in range(LIMIT + 1):
        wrong = known.get("/en/guess/wrong"), guarded.test_client().get("/en/guess/wrong")
    assert [answer.status_code for answer in wrong] == [429, 429]
    assert known.get("/en/guess/right").status_code == 200
    assert guarded.test_client().get("/en/guess/right").status_code == 200


def test_who_is_right_is_not_counted(guarded: Flask) -> None:
    """A whole table behind one address may come in."""
    client = guarded.test_client()
    assert {client.get("/en/guess/right").status_code for _time in range(3 * LIMIT)} == {200}


def test_others_are_not_kept_waiting(guarded: Flask) -> None:
    """They are counted by where they come from."""
    client = guarded.test_client()
    for _time in range(LIMIT + 1):
        client.get("/en/guess/wrong")
    far = {"REMOTE_ADDR": "192.0.2.7"}
    assert client.get("/en/guess/wrong").status_code == 429
    assert client.get("/en/guess/wrong", environ_base=far).status_code == 404


def test_the_wait_ends(guarded: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seconds that are said are those that are left; after them a wrong one is only wrong again."""
    client, clock = guarded.test_client(), time.time
    for _time in range(LIMIT):
        client.get("/en/guess/wrong")
    for later, left in ((470, 130), (570, 30)):
        monkeypatch.setattr(time, "time", lambda later=later: clock() + later)
        assert abs(int(client.get("/en/guess/wrong").headers["Retry-After"]) - left) < 10
    monkeypatch.setattr(time, "time", lambda: clock() + 610)
    assert client.get("/en/guess/wrong").status_code == 404


def test_no_secret_in_the_log(guarded: Flask, caplog: pytest.LogCaptureFixture) -> None:
    """A page that breaks says which one it was, and not its secret."""
    assert guarded.test_client().get("/en/guess/broken").status_code == 500
    [line] = [record for record in caplog.records if record.exc_info]
    assert re.search("GET '/en/guess/…'", line.getMessage())
