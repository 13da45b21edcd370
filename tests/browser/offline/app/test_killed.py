"""Evenings at which the phone records by itself and by the server, and either is killed at any moment.

`--runs 100 --timeout 0` tries so many, however long it takes; `--seed` begins at another one.
"""

from collections.abc import Callable, Iterator

import pytest
from line import Line
from phone import Phone, Server

from tests.nightly.kills.offline_app import Evening, Tally


@pytest.fixture(scope="module")
def line_to_server(server: Server) -> Iterator[Line]:
    """A line to the server, which an evening cuts."""
    line = Line(server.address)
    yield line
    line.close()


@pytest.fixture(scope="module")
def distant(line_to_server: Line, fetched: Callable[..., Phone]) -> Iterator[Phone]:
    """A phone on that line which has the pocket, all of it on the disk."""
    phone = fetched(base_url=line_to_server.address)
    phone.restart()
    yield phone
    phone.close()


def test_nothing_acknowledged_is_lost_or_doubled(
    distant: Phone, line_to_server: Line, server: Server, pytestconfig: pytest.Config
) -> None:
    """Whatever is killed, and when: it is at the server once, in its order; the phone says the same."""
    first, runs = pytestconfig.getoption("seed"), pytestconfig.getoption("runs")
    tally = Tally()
    for seed in range(first, first + runs):
        Evening(distant, line_to_server, server, tally, seed).run()
    assert not tally.faults, "\n".join(tally.faults)
    assert tally.entries > 0
