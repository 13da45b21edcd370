"""What tests of every folder share: one profile of examples, and an empty database to copy."""

from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every machine, however slow it is: a failure here is a failure anywhere.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci")


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that the migrations have made and nothing was written in; to be copied, never opened."""
    from flask import Flask

    from companion.store.engine import open_database

    folder = tmp_path_factory.mktemp("empty")
    app = Flask("empty", instance_path=str(folder))
    app.config["DATABASE"] = None
    open_database(app)
    return folder / "companion.sqlite"
