"""What tests of every folder share: one profile of examples, and empty databases of both kinds."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from stores import postgres

# The same examples on every machine, however slow it is: a failure here is a failure anywhere.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci")

# Commands speak English, whatever the machine does; the tests of other languages say so.
os.environ["LANGUAGE"] = "en"

# What is heavy is waited for, unless a test is about that; and one worker does it.
os.environ.setdefault("COMPANION_WORKER_PATIENCE", "50")
os.environ.setdefault("COMPANION_WORKERS", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    """How much is tried: at random, and on a phone's app."""
    parser.addoption("--nightly", action="store_true", help="more tests of pages on a phone's app, too")
    parser.addoption("--runs", type=int, default=3, help="evenings on a bad line (3)")
    parser.addoption("--seed", type=int, default=1, help="the first of them (1)")


def pytest_configure(config: pytest.Config) -> None:
    """The process that starts the others says where the server of all lies."""
    if not hasattr(config, "workerinput"):
        postgres.begin_run()


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last one stops it."""
    if not hasattr(config, "workerinput"):
        postgres.end_run()


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
def postgres_address() -> str:
    """A PostgreSQL database for this process of the run; who uses it brings it up to date, and empties it."""
    return postgres.shared_cluster().add_database(os.environ.get("PYTEST_XDIST_WORKER", "alone"))


@pytest.fixture
def postgres_addresses() -> Iterator[Callable[[], str]]:
    """Makes PostgreSQL databases in which there is nothing yet, no table either, for one test."""
    cluster, made = postgres.shared_cluster(), list[str]()

    def add() -> str:
        name = f"{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}-{next(_numbers)}"
        made.append(name)
        return cluster.add_database(name)

    yield add
    for name in made:
        cluster.drop_database(name)


_numbers = count()
