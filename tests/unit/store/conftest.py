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
    def bare(folder: Path, address: str | None = None) -> Flask:
        app = Flask("bare", instance_path=str(folder))
        app.config["DATABASE"] = address
        open_database(app)
        return app

    return bare


@pytest.fixture(params=["sqlite", "postgresql"])
def app(request: pytest.FixtureRequest) -> Flask:
    app: Flask = request.getfixturevalue(f"{request.param}_app")
    return app


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest) -> Store:
    if request.param == "memory":
        return MemoryStore()
    request.getfixturevalue(f"{request.param}_app")
    return SqlStore()


@pytest.fixture
def behind(store: Store) -> Behind:
    return Behind(store)


@pytest.fixture
def sqlite_app(tmp_path: Path, empty_database: Path, opened: Opened) -> Iterator[Flask]:
    shutil.copyfile(empty_database, tmp_path / "companion.sqlite")
    yield from _in_context(opened(tmp_path))


@pytest.fixture
def postgresql_app(tmp_path: Path, postgres_address: str, opened: Opened) -> Iterator[Flask]:
    app = opened(tmp_path, postgres_address)
    with app.app_context():
        empty_tables(db.engine)
    yield from _in_context(app)


def _in_context(app: Flask) -> Iterator[Flask]:
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()
