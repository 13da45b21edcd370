"""A phone on a line that can be cut, besides the one that is beside its server."""

from collections.abc import Callable, Iterator

import pytest
from line import Line
from phone import Phone, Server


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    """A line to the server."""
    line = Line(server.address)
    yield line
    line.close()


@pytest.fixture
def distant_phone(make_phone: Callable[..., Phone], line: Line) -> Phone:
    """A phone on that line."""
    return make_phone(base_url=line.address)
