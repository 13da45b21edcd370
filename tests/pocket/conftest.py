"""A server, and the phones of two players, who sit at one table."""

import pytest

from .table import EWA, JAN, Clock, Phone, Server


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(clock: Clock) -> Server:
    return Server(clock)


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
    ewa.record(
        id, {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
    )
    ewa.meet()
    server.join(id, JAN)
    ewa.meet()
    jan.meet()
    return id
