"""The server's key is changed, the former one is named: nothing that was given out under it is lost."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web.shell.forms import fresh_key
from tests.web.browsers import token_of

Make = Callable[..., Flask]
OLD, NEW = "k" * 40, "n" * 40
FORM = {"game": "derda", "name-A": "Ewa", "name-B": "Jan", "dealer": "A"}
ASK = "/en/ask/derda/trick?trump=H&leader=A&trick=AH&trick=JH&asked=1"


@pytest.fixture
def former(make_app: Make) -> FlaskClient:
    """A browser at the app as it was, under its former key."""
    return make_app(SECRET_KEY=OLD, WTF_CSRF_ENABLED=True).test_client()


@pytest.fixture
def rotate(make_app: Make, former: FlaskClient) -> Callable[..., FlaskClient]:
    """The same browser with all its cookies, at the app with another key."""

    def turn(client: FlaskClient = former, **settings: Any) -> FlaskClient:
        keys = {"SECRET_KEY": NEW, "SECRET_KEY_FALLBACKS": [OLD]} | settings
        app = make_app(**{"WTF_CSRF_ENABLED": True} | keys)
        turned = app.test_client()
        for cookie in client._cookies.values():  # type: ignore[union-attr]
            turned.set_cookie(cookie.key, cookie.value)
        return turned

    return turn


def begin(client: FlaskClient, key: str = "") -> str:
    """Start a match; its address."""
    token = token_of(client.get("/en/new"))
    answer = client.post("/en/new", data=FORM | {"form_key": key or fresh_key(), "csrf_token": token})
    assert answer.status_code == 303
    return str(answer.location)


def test_a_form_that_was_open(former: FlaskClient, rotate: Callable[..., FlaskClient]) -> None:
    """It is sent as it is, and taken; a key that nobody named signs nothing."""
    board = begin(former)
    token = token_of(former.get(f"{board}/more"))
    data = {"csrf_token": token, "form_key": "k", "seq": "0", "name-A": "Ewa", "name-B": "Olek"}
    assert rotate(SECRET_KEY_FALLBACKS=[]).post(f"{board}/names", data=data).status_code == 400
    now = rotate()
    assert now.post(f"{board}/names", data=data).status_code == 303
    assert "Olek" in now.get(board).text


def test_the_second_of_two_taps(former: FlaskClient, rotate: Callable[..., FlaskClient]) -> None:
    """A form that was sent before and after makes one match, one ruling, one link."""
    page = former.get("/en/new")
    sent = FORM | {"form_key": "twice", "csrf_token": token_of(page)}
    board = former.post("/en/new", data=sent).location
    keep = {"form_key": "twice", "csrf_token": token_of(former.get(ASK))}
    ruling = former.post(ASK.replace("?", "/keep?"), data=keep).location
    link = {"as": "spectator", "form_key": "twice", "csrf_token": sent["csrf_token"]}
    made = former.post(f"{board}/phones/links", data=link).location
    now = rotate()
    assert now.post("/en/new", data=sent).location == board
    assert now.post(ASK.replace("?", "/keep?"), data=keep).location == ruling
    assert now.post(f"{board}/phones/links", data=link).location == made
    assert len({*re.findall(r'href="(/en/m/[\w-]{22})"', now.get("/en/").text)}) == 1
    assert len({*re.findall(r"link=([\w-]{22})", now.get(f"{board}/phones").text)}) == 1


@pytest.mark.nightly
def test_a_link_that_was_handed_out(former: FlaskClient, rotate: Callable[..., FlaskClient]) -> None:
    """Its code, shown again, is the same; whoever scanned it joins."""
    board = begin(former)
    data = {"as": "opponent:B", "csrf_token": token_of(former.get(f"{board}/more"))}
    made = former.post(f"{board}/phones/links", data=data).location
    shown = re.findall(r"http://localhost/join/[\w-]+", former.get(made).text)
    assert shown
    assert re.findall(r"http://localhost/join/[\w-]+", rotate().get(made).text) == shown
    address = "/en" + shown[0].removeprefix("http://localhost")
    for keys in ([OLD], list[str]()):
        guest = rotate(SECRET_KEY_FALLBACKS=keys).application.test_client()
        asked = guest.get(address)
        assert asked.status_code == 200
    assert guest.post(address, data={"csrf_token": token_of(asked)}).location == board


@pytest.mark.parametrize("keys", [{}, {"SECRET_KEY_FALLBACKS": []}])
def test_a_code_that_is_shown(
    former: FlaskClient, rotate: Callable[..., FlaskClient], keys: dict[str, Any]
) -> None:
    """The other phone, which scanned it before, gets all the matches."""
    board = begin(former)
    former.post("/en/move/code", data={"csrf_token": token_of(former.get("/en/move"))})
    [code] = {*re.findall(r"http://localhost/move/([\w-]+)", former.get("/en/move/code").text)}
    new_phone = former.application.test_client()
    assert new_phone.get(f"/en/move/{code}").status_code == 303
    new_phone.get("/en/move/here")
    if not keys:
        shown = rotate().get("/en/move/code").text
        assert {code} == {*re.findall(r"http://localhost/move/([\w-]+)", shown)}
    now = rotate(new_phone, **keys)
    if keys:  # it has forgotten what it was told, and is told once more
        assert now.get(f"/en/move/{code}").status_code == 303
    asked = now.get("/en/move/here")
    found = re.search(r'name="whose"[^>]*value="([^"]+)"', asked.text)
    assert found
    data = {"whose": found[1], "csrf_token": token_of(asked)}
    assert now.post("/en/browser/move", data=data).status_code == 303
    assert board in now.get("/en/").text
