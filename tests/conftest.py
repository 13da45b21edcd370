"""What tests of every folder share: one profile of examples, and an empty database to copy."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from stores import postgresql

# The same examples on every machine, however slow it is: a failure here is a failure anywhere.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci")

# What is heavy is waited for, unless a test is about that; and one worker does it.
os.environ.setdefault("COMPANION_WORKER_PATIENCE", "50")
os.environ.setdefault("COMPANION_WORKERS", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    """How much chance is given to what is tried at random."""
    parser.addoption("--runs", type=int, default=3, help="evenings on a bad line (3)")
    parser.addoption("--seed", type=int, default=1, help="the first of them (1)")


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


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    """A PostgreSQL database for this run; whoever uses it brings it up to date and leaves it empty."""
    with postgresql() as address:
        yield address
