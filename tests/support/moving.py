"""A browser that moves to another phone, as a person does it: what is shown, scanned, typed and answered."""

import re
from html import unescape
from typing import Any

from flask.testing import FlaskClient

from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import COOKIE

ME = "the browser of this test"
SEVEN = "abandon ability able about above absent absorb"


def start(browser: FlaskClient, first: str = "Ewa", second: str = "Jan") -> str:
    browser.get("/en/new")
    typed = {"name-A": first, "name-B": second, "dealer": "A", "form_key": fresh_key()}
    answer = browser.post("/en/new", data=typed)
    assert answer.status_code == 303
    return str(answer.location)


def show_code(browser: FlaskClient) -> str:
    """Have a code shown, and give its address."""
    answer = browser.post("/en/move/code")
    assert (answer.status_code, answer.location) == (303, "/en/move/code")
    found = re.search(
        r'id="address" value="http://localhost(/move/[\w-]{22})"', browser.get(answer.location).text
    )
    assert found
    return found[1]


def show_words(browser: FlaskClient, **more: str) -> str:
    answer = browser.post("/en/move/words", data=more)
    assert (answer.status_code, answer.location) == (303, "/en/move/words")
    words = re.findall(r'<li lang="en">([a-z]+)</li>', browser.get(answer.location).text)
    assert len(words) == 7
    return " ".join(words)


def scan(browser: FlaskClient, address: str, lang: str = "en") -> Any:
    """Open a code's address as a camera does; the page that it ends on."""
    return browser.get(address, follow_redirects=True, headers={"Accept-Language": lang})


def type_in(browser: FlaskClient, reported: str) -> Any:
    return browser.post("/en/move/here", data={"told": reported}, follow_redirects=True)


def say_yes(browser: FlaskClient, page: Any, **more: str) -> Any:
    """Answer the question of a page: what comes of it."""
    whose = re.search(r'name="whose" value="(\w+)"', page.text)
    assert whose, page.text
    return browser.post("/en/browser/move", data={"whose": whose[1], "begun": "", **more})


def token(browser: FlaskClient, name: str = COOKIE) -> str | None:
    """Whom the cookies of a browser name."""
    cookie = browser.get_cookie(name)
    return unescape(cookie.value).strip('"').rpartition(".")[0] if cookie else None


def is_mine(browser: FlaskClient, address: str) -> bool:
    """Whether the browser keeps the score of a match."""
    return browser.get(f"{address}/names").status_code == 200
