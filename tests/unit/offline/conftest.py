"""A server, and the phones of two players, who sit at one table."""

from collections.abc import Iterator

import pytest
from flask import Flask

from companion import create_app as create_server
from companion.store.tables import db

from .table import EWA, JAN, Clock, Phone, Server, collide, deal, empty


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def server_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The app of a server, made once."""
    app = create_server({"INSTANCE": str(tmp_path_factory.mktemp("server")), "LIMITS": "off"})
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def server(server_app: Flask) -> Iterator[Server]:
    files = server_app.extensions["files"]
    empty(server_app)
    yield Server(server_app)
    server_app.extensions["files"] = files


@pytest.fixture
def ewa(server: Server, clock: Clock) -> Phone:
    """The phone that keeps the score."""
    return Phone(server, EWA, clock)


@pytest.fixture
def jan(server: Server, clock: Clock) -> Phone:
    """A phone that has been given the pencil as well."""
    return Phone(server, JAN, clock)


@pytest.fixture
def match(ewa: Phone, jan: Phone, server: Server) -> str:
    """A match that both have, with one deal in it, about which nobody disagrees."""
    id = ewa.begin()
    ewa.record(id, deal(82, 65))
    ewa.meet()
    server.join(id, JAN)
    ewa.meet()
    jan.meet()
    return id


@pytest.fixture
def collided(ewa: Phone, jan: Phone, match: str) -> str:
    """Ewa recorded deal 2 and 3 without network, and Jan another deal 2."""
    collide(ewa, jan, match, [deal(60, 85), deal(70, 77)], [deal(61, 84)])
    return match
