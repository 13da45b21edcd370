"""An empty store for every test, on SQLite, on PostgreSQL or in memory; the apps behind it are made once."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from stores.bare import in_context, open_bare
from stores.behind import Behind
from stores.postgres import empty_tables

from companion.store import ServerStore, Store
from companion.store.memory import MemoryStore
from companion.store.sql import SqlStore
from companion.store.tables import db

FOLDER = Path(__file__).parent
Opened = Callable[[str | None], Flask]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Before a commit only the tests of the store itself run on PostgreSQL."""
    for item in items:
        of_other_parts = item.path.is_relative_to(FOLDER) and not item.path.is_relative_to(FOLDER / "store")
        case = getattr(item, "callspec", None)
        if of_other_parts and case is not None and "postgresql" in case.params.values():
            item.add_marker(pytest.mark.nightly)


@pytest.fixture(scope="session")
def bare_apps(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Gives a bare app on the database at an address, or on a file."""
    made: dict[str | None, Flask] = {}

    def give(address: str | None) -> Flask:
        if address not in made:
            made[address] = open_bare(tmp_path_factory.mktemp("bare"), address)
        return made[address]

    return give


@pytest.fixture
def sqlite_app(bare_apps: Opened, empty_database: Path) -> Iterator[Flask]:
    app = bare_apps(None)
    for old in Path(app.instance_path).glob("companion.sqlite*"):
        old.unlink()
    shutil.copyfile(empty_database, Path(app.instance_path) / "companion.sqlite")
    with in_context(app):
        yield app


@pytest.fixture
def postgresql_app(bare_apps: Opened, postgres_address: str) -> Iterator[Flask]:
    with in_context(bare_apps(postgres_address)) as app:
        empty_tables(db.engine)
        yield app


@pytest.fixture(params=["sqlite", "postgresql"])
def app(request: pytest.FixtureRequest) -> Flask:
    app: Flask = request.getfixturevalue(f"{request.param}_app")
    return app


@pytest.fixture
def server_store(app: Flask) -> ServerStore:
    """In a database: with the verbs that the store of a phone has not."""
    return SqlStore()


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest) -> Store:
    if request.param == "memory":
        return MemoryStore()
    request.getfixturevalue(f"{request.param}_app")
    return SqlStore()


@pytest.fixture
def behind(store: Store) -> Behind:
    return Behind(store)
