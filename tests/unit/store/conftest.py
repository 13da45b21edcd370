"""A store of its own for every test; what it promises it keeps on SQLite, on PostgreSQL, and in memory."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from stores.behind import Behind
from stores.postgres import empty_tables

from companion.store import Store
from companion.store.engine import open_database
from companion.store.memory import MemoryStore
from companion.store.sql import SqlStore
from companion.store.tables import db

Opened = Callable[..., Flask]


@pytest.fixture
def opened() -> Opened:
    """Opens the database in a folder, or at an address, with a bare app."""

    def bare(folder: Path, address: str | None = None) -> Flask:
        app = Flask("bare", instance_path=str(folder))
        app.config["DATABASE"] = address
        open_database(app)
        return app

    return bare


@pytest.fixture(params=["sqlite", "postgresql"])
def app(request: pytest.FixtureRequest) -> Flask:
    """An app with an empty database of each kind."""
    app: Flask = request.getfixturevalue(f"{request.param}_app")
    return app


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest) -> Store:
    """An empty store of each kind."""
    if request.param == "memory":
        return MemoryStore()
    request.getfixturevalue(f"{request.param}_app")
    return SqlStore()


@pytest.fixture
def behind(store: Store) -> Behind:
    """A look behind the store's verbs."""
    return Behind(store)


@pytest.fixture
def sqlite_app(tmp_path: Path, empty_database: Path, opened: Opened) -> Iterator[Flask]:
    """An app with an empty SQLite file."""
    shutil.copyfile(empty_database, tmp_path / "companion.sqlite")
    yield from _in_context(opened(tmp_path))


@pytest.fixture
def postgresql_app(tmp_path: Path, postgres_address: str, opened: Opened) -> Iterator[Flask]:
    """An app with an empty PostgreSQL database."""
    app = opened(tmp_path, postgres_address)
    with app.app_context():
        empty_tables(db.engine)
    yield from _in_context(app)


def _in_context(app: Flask) -> Iterator[Flask]:
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()
