"""An app with a database and nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask

from companion.store.engine import open_database
from companion.store.tables import db


def open_bare(folder: Path, address: str | None = None) -> Flask:
    """An app on the database at an address, or on the file in its folder."""
    app = Flask("bare", instance_path=str(folder))
    app.config["DATABASE"] = address
    open_database(app)
    return app


@contextmanager
def in_context(app: Flask) -> Iterator[Flask]:
    """In the context of an app, whose connections are closed at the end."""
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()
