"""A phone on a line that can be cut, before a server that can be stopped."""

from collections.abc import Callable, Iterator

import pytest
from line import Line
from phone import Phone, Server


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    """The line that the phone of a test hangs on."""
    line = Line(server.address)
    yield line
    line.close()


@pytest.fixture
def phone(make_phone: Callable[..., Phone], line: Line) -> Phone:
    """A phone on that line."""
    return make_phone(base_url=line.address)
