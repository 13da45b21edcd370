"""A database of its own for every test."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.store.engine import open_database
from companion.store.tables import db


@pytest.fixture
def opened() -> Callable[[Path], Flask]:
    """Opens the database in a folder, with a bare app."""

    def bare(folder: Path) -> Flask:
        app = Flask("bare", instance_path=str(folder))
        app.config["DATABASE"] = None
        open_database(app)
        return app

    return bare


@pytest.fixture
def app(tmp_path: Path, empty_database: Path, opened: Callable[[Path], Flask]) -> Iterator[Flask]:
    shutil.copyfile(empty_database, tmp_path / "companion.sqlite")
    app = opened(tmp_path)
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()
