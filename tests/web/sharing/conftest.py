"""Phones at a table: links made on pages, and browsers that join by them."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.matches import Match, Matches, Role
from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import COOKIE, sign
from tests.web.browsers import Browser

Invite = Callable[..., str]


@pytest.fixture(autouse=True)
def forget_guesses(app: Flask) -> None:
    """No test is held for what another one guessed."""
    for limiter in app.extensions["limiter"]:
        limiter.reset()


@pytest.fixture
def invite(client: Browser) -> Invite:
    """Makes a link on the page of the phones, as its owner; gives the path that the code holds."""

    def make(id: str, as_what: str = "opponent:B", use: str = "once", form_key: str = "") -> str:
        sent = {"as": as_what, "use": use, "form_key": form_key or fresh_key()}
        answer = client.post(f"/en/m/{id}/phones/links", data=sent)
        assert answer.status_code == 303
        page = client.get(answer.location).text
        address = re.search(r'<input id="address" value="([^"]+)"', page)
        assert address is not None
        return urlsplit(unescape(address[1])).path

    return make


@pytest.fixture
def join() -> Callable[[FlaskClient, str], Any]:
    """Opens a link on a phone and joins by it; gives the answer."""

    def go(phone: FlaskClient, path: str, kind: str = "Mozilla/5.0 (Linux; Android 14) Chrome/130.0") -> Any:
        asked = phone.get(path, follow_redirects=True)
        if asked.status_code != 200:
            return asked
        return phone.post(asked.request.path, headers={"User-Agent": kind})

    return go


@pytest.fixture
def grant_ids(client: Browser) -> Callable[[str], list[str]]:
    """The ids of those who take part, as the owner's page names them, the newest first."""

    def read(id: str) -> list[str]:
        return re.findall(r"/phones/([\w-]+)/pencil", client.get(f"/en/m/{id}/phones").text)

    return read


@pytest.fixture
def opponent(app: Flask) -> Callable[..., FlaskClient]:
    """Makes a browser that joined a match, as the opponent of a side unless another role is said."""

    def make(id: str, side: str | None = "B", role: Role = Role.OPPONENT, name: str = "Jan") -> FlaskClient:
        with app.app_context():
            matches: Matches = app.extensions["matches"]
            match = matches.open(id)
            access = matches.access(match, match.owner)
            invitation = matches.invitations.make_link(match, access, role, side, False, fresh_key())
            assert invitation.secret is not None
            matches.invitations.join(invitation.secret, f"the browser of {name}", "a phone")
            browser = app.test_client()
            browser.set_cookie(COOKIE, sign(f"the browser of {name}"), path="/")
        return browser

    return make


@pytest.fixture
def say(client: Browser) -> Callable[..., Any]:
    """Sends a form of a remark, as a page just loaded would."""

    def go(browser: FlaskClient, id: str, path: str, **typed: Any) -> Any:
        carried = {"form_key": fresh_key(), "seq": str(len(client.log(id)))}
        return browser.post(f"/en/m/{id}/{path}", data=carried | typed)

    return go


@pytest.fixture
def opened(app: Flask) -> Callable[[str], Match]:
    """A match as it stands."""

    def read(id: str) -> Match:
        with app.app_context():
            match: Match = app.extensions["matches"].open(id)
            return match

    return read
