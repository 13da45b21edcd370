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
from sqlalchemy import create_engine
from stores.kinds import OFFLINE_APP, choose_kinds, make_offline_app, says_kinds
from stores.postgres import empty_tables

from companion import create_app
from companion.matches import AddEntry, Change, Match, Matches, Submission
from companion.store.engine import upgrade
from companion.store.tables import db
from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import COOKIE, sign

Opened = Callable[[str | None], Flask]
"""The app on the database at this address, or on a SQLite file of its own."""
FOUR = ("Ewa", "Jan", "Ala", "Olek")
FOR_TESTS = {"TESTING": True, "WTF_CSRF_ENABLED": False, "LIMITS": "off"}
"""No page says that it is under way, however busy the machine is, but in tests about that."""
HEARTS = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that has an app is run on every kind that it can be on; one about a file says `ON_SQLITE`."""
    if "database" in metafunc.fixturenames and not says_kinds(metafunc.definition):
        metafunc.parametrize("database", choose_kinds(metafunc), indirect=True)


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """The kind of database, or "pocket": what a phone has."""
    kind: str = request.param
    return kind


@pytest.fixture
def make_app(
    tmp_path: Path, empty_database: Path, database: str, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Flask]]:
    """Makes an app of a test's own, which may have more settings or pages than `app`."""
    made = []
    if database == "postgresql":
        address = request.getfixturevalue("empty_postgres")
    else:
        address = f"sqlite:///{tmp_path / 'companion.sqlite'}"
        shutil.copyfile(empty_database, tmp_path / "companion.sqlite")

    def make(**settings: Any) -> Flask:
        usual = {"INSTANCE": str(tmp_path), "DATABASE": address, **FOR_TESTS}
        app = create_app(usual | settings)
        made.append(app)
        return app

    yield make
    for app in made:
        with app.app_context():
            db.engine.dispose()


@pytest.fixture
def empty_postgres(postgres_address: str) -> str:
    """The address of a PostgreSQL database that has all tables, and nothing in them."""
    engine = create_engine(postgres_address)
    upgrade(engine)
    empty_tables(engine)
    engine.dispose()
    return postgres_address


@pytest.fixture(scope="session")
def shared_apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """Gives the app on a database, made once: its pages and templates take longer than most tests."""
    yield from once_for_each(tmp_path_factory)


def once_for_each(folders: pytest.TempPathFactory, **settings: Any) -> Iterator[Opened]:
    """Gives the app with these settings on a database, the same each time, until all are closed."""
    made: dict[str | None, Flask] = {}

    def give(address: str | None) -> Flask:
        if address not in made:
            usual = {"INSTANCE": str(folders.mktemp("instance")), "DATABASE": address, **FOR_TESTS}
            made[address] = create_app(usual | settings)
        return made[address]

    yield give
    for app in made.values():
        with app.app_context():
            db.engine.dispose()


@pytest.fixture
def with_empty_database(
    empty_database: Path, database: str, request: pytest.FixtureRequest
) -> Iterator[Callable[[Opened], Flask]]:
    """Gives an app that lives longer than a test, with an empty database for it."""
    files = []

    def empty(opened: Opened) -> Flask:
        if database == "postgresql":
            app = opened(request.getfixturevalue("postgres_address"))
            with app.app_context():
                empty_tables(db.engine)
            return app
        app = opened(None)
        instance = Path(app.instance_path)
        for old in instance.glob("companion.sqlite*"):
            old.unlink()
        shutil.copyfile(empty_database, instance / "companion.sqlite")
        files.append(app)
        return app

    yield empty
    for app in files:
        with app.app_context():
            db.engine.dispose()


@pytest.fixture(scope="session")
def offline_app(shared_apps: Opened) -> Flask:
    """The app of a phone, made once; it has no limits, no workers and no database."""
    return make_offline_app(shared_apps(None), {"TESTING": True, "WTF_CSRF_ENABLED": False})


@pytest.fixture
def app(
    shared_apps: Opened,
    with_empty_database: Callable[[Opened], Flask],
    database: str,
    request: pytest.FixtureRequest,
) -> Flask:
    """The app with an empty database; nobody has sent it a wrong code yet."""
    if database == OFFLINE_APP:
        phone: Flask = request.getfixturevalue("offline_app")
        phone.extensions["matches"].store.restore([])
        return phone
    app = with_empty_database(shared_apps)
    for limiter in app.extensions["limiter"]:
        limiter.reset()
    return app


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
            "/en/new", data=fields | {key.replace("_", "-", 1): value for key, value in typed.items()}
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
        stored = {key: unescape(value) for key, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        if stored.get("type") not in ("radio", "checkbox") or " checked" in tag:
            found[stored["name"]] = stored.get("value", "")
    for name, text in re.findall(r'<textarea[^>]*name="(\w+)"[^>]*>(.*?)</textarea>', form, re.S):
        found[name] = unescape(text)
    return {key: value for key, value in found.items() if key not in ("do", "form_key", "seq")}


def _words(answer: Any) -> str:
    text = re.sub(r"<(script|style|svg|template)\b.*?</\1>", " ", answer.text, flags=re.S)
    for gloss in (r'<button[^>]*class="gloss"[^>]*>(.*?)</button>', r'<span class="gloss-held">(.*?)</span>'):
        text = re.sub(gloss, r"\1", text)  # in the midst of a sentence
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
