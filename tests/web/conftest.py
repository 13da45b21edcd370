"""An app with a database of its own, browsers to look at it with, and matches to look at."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import create_engine
from stores.kinds import OFFLINE_APP, choose_kinds, find_repeats, make_offline_app, says_kinds
from stores.postgres import empty_tables

from companion import create_app
from companion.store.engine import upgrade
from companion.store.tables import db
from tests.web.browsers import TOKEN, Browser, known_browser

FOLDER = Path(__file__).parent
Opened = Callable[[str | None], Flask]
"""The app on the database at this address, or on a SQLite file of its own."""
FOR_TESTS = {"TESTING": True, "WTF_CSRF_ENABLED": False, "LIMITS": "off"}
"""No page says that it is under way, however busy the machine is, but in tests about that."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that has an app is run on every kind that it can be on; one about a file says `ON_SQLITE`."""
    if "database" in metafunc.fixturenames and not says_kinds(metafunc.definition):
        metafunc.parametrize("database", choose_kinds(metafunc), indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what another kind of database shows no more of."""
    repeats = find_repeats(item for item in items if item.path.is_relative_to(FOLDER))
    config.hook.pytest_deselected(items=repeats)
    left_out = {*repeats}
    items[:] = [item for item in items if item not in left_out]


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
        with app.app_context():
            db.engine.dispose()  # what is open, if it is not the first database of the test
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
        phone.extensions["matches"].store.tables.restore([])
        return phone
    app = with_empty_database(shared_apps)
    app.extensions["counts"].reset()
    return app


@pytest.fixture
def client(app: Flask) -> Browser:
    """The browser that keeps the score."""
    return known_browser(app, TOKEN)


@pytest.fixture
def other(app: Flask) -> Browser:
    """Somebody else's browser."""
    return known_browser(app, "somebody else's browser")
