"""An app with a database of its own, browsers to look at it with, and matches to look at."""

import re
import shutil
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import create_app
from companion.matches import AddEntry, Change, Match, Matches, Submission
from companion.store.tables import db
from companion.web.security.browser import COOKIE, sign
from companion.web.support.forms import fresh_key

FOUR = ("Ewa", "Jan", "Ala", "Olek")
HEARTS = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}


@pytest.fixture
def make_app(tmp_path: Path, empty_database: Path) -> Iterator[Callable[..., Flask]]:
    """Makes an app of a test's own, which may have more settings or pages than `app`."""
    made = []

    def make(**settings: Any) -> Flask:
        shutil.copyfile(empty_database, tmp_path / "companion.sqlite")
        usual = {"INSTANCE": str(tmp_path), "TESTING": True, "WTF_CSRF_ENABLED": False, "LIMITS": "off"}
        app = create_app(usual | settings)
        made.append(app)
        return app

    yield make
    for app in made:
        with app.app_context():
            db.engine.dispose()


@pytest.fixture(scope="session")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The app, made once: to route its pages and compile its templates takes longer than most tests."""
    instance = tmp_path_factory.mktemp("instance")
    settings = {"INSTANCE": str(instance), "TESTING": True, "WTF_CSRF_ENABLED": False, "LIMITS": "off"}
    return create_app(settings)


@pytest.fixture
def with_empty_database(empty_database: Path) -> Iterator[Callable[[Flask], Flask]]:
    """Gives an app that lives longer than a test an empty database for it."""
    apps = []

    def empty(app: Flask) -> Flask:
        instance = Path(app.instance_path)
        for old in instance.glob("companion.sqlite*"):
            old.unlink()
        shutil.copyfile(empty_database, instance / "companion.sqlite")
        apps.append(app)
        return app

    yield empty
    for app in apps:
        with app.app_context():
            db.engine.dispose()


@pytest.fixture
def app(shared_app: Flask, with_empty_database: Callable[[Flask], Flask]) -> Flask:
    """The app with an empty database; nobody has sent it a wrong code yet."""
    for limiter in shared_app.extensions["limiter"]:
        limiter.reset()
    return with_empty_database(shared_app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """The browser that keeps the score."""
    return known_browser(app, "the browser of this test")


@pytest.fixture
def other(app: Flask) -> FlaskClient:
    """Somebody else's browser."""
    return known_browser(app, "somebody else's browser")


def known_browser(app: Flask, token: str) -> FlaskClient:
    """A browser that has been here before, and is known by this token."""
    browser = app.test_client()
    with app.app_context():
        browser.set_cookie(COOKIE, sign(token), path="/")
    return browser


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
def write(change: Callable[[str, Change], Match]) -> Callable[..., None]:
    """Writes entries into a match, as its owner, the way pages do."""

    def add(id: str, *entries: dict[str, Any]) -> None:
        for entry in entries:
            change(id, AddEntry(entry))

    return add


@pytest.fixture
def change(app: Flask) -> Callable[[str, Change], Match]:
    """Changes a match, as its owner, the way pages do."""

    def make(id: str, change: Change) -> Match:
        with app.app_context():
            matches: Matches = app.extensions["matches"]
            match = matches.open(id)
            return matches.write(match, change, Submission(match.owner, match.seq, fresh_key()))

    return make


@pytest.fixture
def words() -> Callable[[Any], str]:
    """Reads a page: its text without the marks."""
    return _words


@pytest.fixture
def log(app: Flask) -> Callable[[str], list[Any]]:
    """The events of a match, as they lie in the store."""

    def read(id: str) -> list[Any]:
        with app.app_context():
            return list(app.extensions["matches"].open(id).events)

    return read


@pytest.fixture
def send(client: FlaskClient) -> Callable[..., Any]:
    """Sends the deal's form, as a page just loaded would; keywords are hidden fields and the button."""

    def go(id: str, typed: dict[str, str], do: str = "save", path: str = "deal", seq: int = 0) -> Any:
        carried = {"form_key": fresh_key(), "seq": str(seq), "do": do}
        return client.post(f"/en/m/{id}/{path}", data=carried | typed)

    return go


@pytest.fixture
def fields() -> Callable[[str], dict[str, str]]:
    """Reads the deal's form of a page: what a browser would send if its Save button were tapped."""
    return _fields


def _fields(page: str) -> dict[str, str]:
    form = page[page.index('<form id="deal"') : page.index("</form>", page.index('<form id="deal"'))]
    form = re.sub(r"<template\b.*?</template>", "", form, flags=re.S)
    found: dict[str, str] = {}
    for tag in re.findall(r"<input\b[^>]*>", form):
        kept = {key: unescape(one) for key, one in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        if kept.get("type") not in ("radio", "checkbox") or " checked" in tag:
            found[kept["name"]] = kept.get("value", "")
    for name, text in re.findall(r'<textarea[^>]*name="(\w+)"[^>]*>(.*?)</textarea>', form, re.S):
        found[name] = unescape(text)
    return {key: one for key, one in found.items() if key not in ("do", "form_key", "seq")}


def _words(answer: Any) -> str:
    text = re.sub(r"<(script|style|svg|template)\b.*?</\1>", " ", answer.text, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


@pytest.fixture
def sit(app: Flask, write: Callable[..., None]) -> Callable[..., str]:
    """Starts a session of hands of these players, with entries written already."""

    def begin(
        *entries: dict[str, Any], names: tuple[str, ...] = ("Ewa", "Jan", "Ala", "Olek"), **rules: Any
    ) -> str:
        head = {"game": "durak", "players": list(names), "first_dealer": "A", "conventions": rules}
        with app.app_context():
            id: str = app.extensions["matches"].start(head, "the browser of this test", fresh_key())
        write(id, *entries)
        return id

    return begin


@pytest.fixture
def post(client: FlaskClient, log: Callable[[str], list[Any]]) -> Callable[..., Any]:
    """Sends a form to a page of a match, as that page just loaded would."""

    def go(id: str, path: str = "hand", browser: FlaskClient = client, **typed: Any) -> Any:
        carried = {"form_key": fresh_key(), "seq": str(len(log(id)))}
        return browser.post(f"/en/m/{id}/{path}", data=carried | typed)

    return go
