"""The application on an empty store of each kind, and a hand that writes in it."""

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from derda import HEAD
from flask import Flask
from stores.behind import Behind
from stores.postgres import empty_tables

from companion.matches import Access, Change, Invitation, Invitations, Match, Matches, Role, Submission
from companion.store import Store
from companion.store.engine import open_database
from companion.store.memory import MemoryStore
from companion.store.sql import SqlStore
from companion.store.tables import db

ME = "my browser"


@pytest.fixture(scope="session")
def bare_apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str | None], Flask]]:
    """Gives a bare app on the database at an address, or on a file; made once."""
    made: dict[str | None, Flask] = {}

    def give(address: str | None) -> Flask:
        if address not in made:
            app = made[address] = Flask("bare", instance_path=str(tmp_path_factory.mktemp("bare")))
            app.config["DATABASE"] = address
            open_database(app)
        return made[address]

    yield give
    for app in made.values():
        with app.app_context():
            db.engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(
    request: pytest.FixtureRequest, bare_apps: Callable[[str | None], Flask], empty_database: Path
) -> Iterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
        return
    is_file = request.param == "sqlite"
    app = bare_apps(None if is_file else request.getfixturevalue("postgres_address"))
    if is_file:
        for old in Path(app.instance_path).glob("companion.sqlite*"):
            old.unlink()
        shutil.copyfile(empty_database, Path(app.instance_path) / "companion.sqlite")
    with app.app_context():
        if not is_file:
            empty_tables(db.engine)
        yield SqlStore()
        db.session.remove()
        if is_file:
            db.engine.dispose()


@pytest.fixture
def behind(store: Store) -> Behind:
    return Behind(store)


@pytest.fixture
def matches(store: Store) -> Matches:
    """The application, with a clock that goes on by a minute at every look."""
    minutes = count()
    begin = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
    return Matches(store, "secret", lambda: begin + timedelta(minutes=next(minutes)))


@pytest.fixture
def write(matches: Matches) -> Callable[..., Match]:
    """Writes a change into a match as its owner, on the page as it is now."""
    keys = count()

    def go(id: str, change: Change, author: str = ME, seq: int | None = None, key: str = "") -> Match:
        match = matches.open(id)
        sent = Submission(author, match.seq if seq is None else seq, key or f"form {next(keys)}")
        return matches.write(match, change, sent)

    return go


@pytest.fixture
def match(matches: Matches) -> Match:
    return matches.open(matches.start(HEAD, ME, "form"))


@pytest.fixture
def phones(matches: Matches) -> Invitations:
    return matches.invitations


@pytest.fixture
def owner(matches: Matches, match: Match) -> Access:
    return matches.access(match, ME)


@pytest.fixture
def invite(phones: Invitations, match: Match, owner: Access) -> Callable[..., Invitation]:
    def make(
        role: Role = Role.OPPONENT, side: str | None = "B", once: bool = False, key: str = ""
    ) -> Invitation:
        made = phones.list_links(match, owner)
        return phones.make_link(match, owner, role, side, once, key or f"form {len(made)}")

    return make
