"""A browser as the tests of pages use it, and how they read a page."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

from flask import Flask, Response
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.matches import AddEntry, Change, Match, Matches, Submission
from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import COOKIE, sign

TOKEN = "the browser of this test"


class Browser(FlaskClient):
    """Sends forms as a page just loaded would, and writes into matches what a test is not about."""

    def read(self, address: str, **asked: Any) -> str:
        """The words of a page."""
        return words(self.get(address, **asked))

    def start(self, *entries: Any, **typed: str) -> str:
        """Starts a match by its form, with entries written already, and gives its id.

        Keywords replace what is typed.
        """
        fields = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A", "form_key": fresh_key()}
        fields |= {key.replace("_", "-", 1): value for key, value in typed.items()}
        answer = self.post("/en/new", data=fields)
        assert answer.status_code == 303, words(answer)
        id = answer.location.rsplit("/", 1)[1]
        self.write(id, *entries)
        return id

    def sit(self, *entries: Any, names: Any = ("Ewa", "Jan", "Ala", "Olek"), **rules: Any) -> str:
        """Starts a session of hands of these players, with entries written already."""
        head = {"game": "durak", "players": list(names), "first_dealer": "A", "conventions": rules}
        return self.begin(head, *entries)

    def begin(self, head: Mapping[str, Any], *entries: Any) -> str:
        """Starts a match of any head, with entries written already."""
        with self.application.app_context():
            id: str = self._matches.start(head, TOKEN, fresh_key())
        self.write(id, *entries)
        return id

    def write(self, id: str, *entries: Any) -> None:
        """Writes entries into a match, as its owner, the way pages do."""
        for entry in entries:
            self.change(id, AddEntry(entry))

    def change(self, id: str, change: Change) -> Match:
        """Changes a match, as its owner, the way pages do."""
        with self.application.app_context():
            match = self._matches.open(id)
            return self._matches.write(match, change, Submission(match.owner, match.seq, fresh_key()))

    def match(self, id: str) -> Match:
        """A match as it stands."""
        with self.application.app_context():
            return self._matches.open(id)

    def log(self, id: str) -> list[Any]:
        """The events of a match, as they lie in the store."""
        return list(self.match(id).events)

    def send(
        self, id: str, typed: Mapping[str, Any], do: str = "save", path: str = "deal", seq: int = 0
    ) -> TestResponse:
        """Sends the form of a deal."""
        carried = {"form_key": fresh_key(), "seq": str(seq), "do": do}
        return self.post(f"/en/m/{id}/{path}", data={**carried, **typed})

    def fill(self, id: str, path: str = "hand", **typed: Any) -> TestResponse:
        """Sends a form of a match."""
        carried = {"form_key": fresh_key(), "seq": str(len(self.log(id)))}
        return self.post(f"/en/m/{id}/{path}", data=carried | typed)

    @property
    def _matches(self) -> Matches:
        matches: Matches = self.application.extensions["matches"]
        return matches


class Page(Response):
    """An answer whose text is read as a browser does: a line break between attributes is a blank."""

    def get_data(self, as_text: bool = False) -> Any:
        """The body."""
        data: Any = super().get_data() if not as_text else super().get_data(as_text=True)
        if not as_text or self.mimetype != "text/html":
            return data
        return re.sub(r"<[^<>]*>", lambda tag: _BREAK.sub(lambda found: found[1] or " ", tag[0]), data)


_BREAK = re.compile(r'("[^"]*")|\s*\n\s*')
"""A value in quotes, which stays as it is, or a line break."""


def known_browser(app: Flask, token: str) -> Browser:
    """A browser that has been here before, and is known by this token."""
    browser = Browser(app, Page, use_cookies=True)
    with app.app_context():
        browser.set_cookie(COOKIE, sign(token), path="/")
    return browser


def words(page: TestResponse | str) -> str:
    """The text of a page without the marks."""
    text = page if isinstance(page, str) else page.text
    text = re.sub(r"<(script|style|svg|template)\b.*?</\1>", " ", text, flags=re.S)
    for gloss in (r'<button[^>]*class="gloss"[^>]*>(.*?)</button>', r'<span class="gloss-held">(.*?)</span>'):
        text = re.sub(gloss, r"\1", text)  # in the midst of a sentence
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


def token_of(page: TestResponse) -> str:
    """What guards the forms of a page."""
    found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page.text)
    assert found
    return found[1]


def fields(page: str) -> dict[str, str]:
    """The deal's form of a page: what a browser would send if its Save button were tapped."""
    form = page[page.index('<form id="deal"') : page.index("</form>", page.index('<form id="deal"'))]
    form = re.sub(r"<template\b.*?</template>", "", form, flags=re.S)
    found: dict[str, str] = {}
    for tag in re.findall(r"<input\b[^>]*>", form):
        stored = {key: unescape(value) for key, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        if stored.get("type") not in ("radio", "checkbox") or " checked" in tag:
            found[stored["name"]] = stored.get("value", "")
    for name, text in re.findall(r'<textarea[^>]*name="(\w+)"[^>]*>(.*?)</textarea>', form, re.S):
        found[name] = unescape(text)
    return {key: value for key, value in found.items() if key not in ("do", "form_key", "seq")}
