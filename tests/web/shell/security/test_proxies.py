"""What a proxy says is believed where it was announced, and from nobody else."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from stores.postgres import ON_SQLITE

pytestmark = ON_SQLITE  # nothing of it is in the database
Make = Callable[..., Flask]
SAID = {
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "club.example",
    "X-Forwarded-Prefix": "/karty",
}


@pytest.fixture
def behind(make_app: Make) -> Callable[..., FlaskClient]:
    """A browser before an app with these settings, which says how it sees the request."""

    def make(**settings: Any) -> FlaskClient:
        app = make_app(**settings)

        @app.get("/seen")
        def seen() -> dict[str, str | None]:
            return {
                "for": request.remote_addr,
                "proto": request.scheme,
                "host": request.host,
                "prefix": request.script_root,
            }

        return app.test_client()

    return make


def test_nobody_is_believed_unasked(behind: Callable[..., FlaskClient]) -> None:
    """Not even on the same machine: anybody can send such headers."""
    client = behind()
    assert client.get("/seen", headers=SAID).json == client.get("/seen").json
    assert client.get("/seen").json == {
        "for": "127.0.0.1",
        "proto": "http",
        "host": "localhost",
        "prefix": "",
    }
    headers = client.get("/en/new", headers=SAID).headers
    assert "Strict-Transport-Security" not in headers
    assert "Secure" not in headers["Set-Cookie"]


def test_one_proxy(behind: Callable[..., FlaskClient]) -> None:
    """The last value is its own; what stands before it is what somebody claimed."""
    client = behind(PROXIES=1)
    reported = {"for": "203.0.113.9", "proto": "https", "host": "club.example", "prefix": "/karty"}
    assert client.get("/seen", headers=SAID).json == reported
    claimed = {name: f"{'/evil' if 'Prefix' in name else 'evil'}, {value}" for name, value in SAID.items()}
    assert client.get("/seen", headers=claimed).json == reported


def test_two_proxies(behind: Callable[..., FlaskClient]) -> None:
    """The first of the two says who called; the other values most proxies replace and do not add to."""
    client = behind(PROXIES=2)
    through = SAID | {"X-Forwarded-For": "evil, 203.0.113.9, 10.0.0.2"}
    reported = {"for": "203.0.113.9", "proto": "https", "host": "club.example", "prefix": "/karty"}
    assert client.get("/seen", headers=through).json == reported
    added = through | {"X-Forwarded-Proto": "https, http", "X-Forwarded-Host": "club.example, inner:5000"}
    assert client.get("/seen", headers=added).json == reported
    assert client.get("/seen", headers={"X-Forwarded-For": "203.0.113.9"}).json["for"] == "127.0.0.1"  # type: ignore[index]


@pytest.mark.parametrize(
    "said",
    [
        {"X-Forwarded-Prefix": "//elsewhere.example"},
        {"X-Forwarded-Prefix": "https://elsewhere.example"},
        {"X-Forwarded-Prefix": "/<script>"},
        {"X-Forwarded-Proto": "javascript"},
        {"X-Forwarded-Host": "a b"},
        {"X-Forwarded-Host": "elsewhere.example"},
    ],
)
def test_a_proxy_that_hands_on_anything(behind: Callable[..., FlaskClient], said: dict[str, str]) -> None:
    """What means nothing, or names another host, is refused, and stands nowhere on the page."""
    client = behind(PROXIES=1, HOSTS="club.example")
    assert client.get("/en/", headers=SAID).status_code == 200
    answer = client.get("/en/", headers=SAID | said)
    assert answer.status_code == 400
    assert not re.search("elsewhere|<script>|javascript:", answer.text)


def test_the_prefix_that_was_set_holds(behind: Callable[..., FlaskClient]) -> None:
    """Where it is set, nobody else says it."""
    client = behind(PROXIES=1, PREFIX="/cards")
    assert client.get("/seen", headers=SAID).json["prefix"] == "/cards"  # type: ignore[index]


def test_https_can_be_set(behind: Callable[..., FlaskClient]) -> None:
    """For a proxy that says nothing of it."""
    client = behind(HTTPS=True)
    answer = client.get("/en/new")
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert all("Secure" in item for item in answer.headers.getlist("Set-Cookie"))
    assert "Strict-Transport-Security" not in behind().get("/en/").headers
