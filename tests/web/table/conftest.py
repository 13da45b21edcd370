"""Phones at a table: browsers that joined a match, and what they send."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.matches import Match, Matches, Role
from companion.web.security.browser import COOKIE, sign
from companion.web.support.forms import fresh_key

Log = Callable[[str], list[Any]]


@pytest.fixture
def join(app: Flask) -> Callable[..., FlaskClient]:
    """Makes a browser that joined a match, as the opponent of a side unless another role is said."""

    def make(id: str, side: str | None = "B", role: Role = Role.OPPONENT, name: str = "Jan") -> FlaskClient:
        with app.app_context():
            matches: Matches = app.extensions["matches"]
            match = matches.open(id)
            access = matches.access(match, match.owner)
            invitation = matches.phones.make_link(match, access, role, side, False, fresh_key())
            assert invitation.secret is not None
            matches.phones.join(invitation.secret, f"the browser of {name}", "a phone")
            browser = app.test_client()
            browser.set_cookie(COOKIE, sign(f"the browser of {name}"), path="/")
        return browser

    return make


@pytest.fixture
def say(log: Log) -> Callable[..., Any]:
    """Sends a form of a remark, as a page just loaded would."""

    def go(browser: FlaskClient, id: str, path: str, **typed: Any) -> Any:
        carried = {"form_key": fresh_key(), "seq": str(len(log(id)))}
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
