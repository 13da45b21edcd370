"""Evenings at which the phone records by itself and by the server, and either is killed at any moment.

`--runs 100` tries so many, `--seed` begins at another one.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from line import Line
from offline_app import fetch_app
from phone import Phone, Server
from playwright.sync_api import Playwright

from tests.nightly.kills.offline_app import Evening, Tally


@pytest.fixture(scope="module")
def line_to_server(server: Server) -> Iterator[Line]:
    """A line to the server, which an evening cuts."""
    line = Line(server.address)
    yield line
    line.close()


@pytest.fixture(scope="module")
def distant(
    line_to_server: Line,
    server: Server,
    playwright: Playwright,
    browser_type_launch_args: dict[str, Any],
    phone_screen: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Phone]:
    """A phone on that line which has the pocket, all of it on the disk."""
    profile: Path = tmp_path_factory.mktemp("phone")
    screen = phone_screen | {"base_url": line_to_server.address}
    phone = Phone(playwright, profile, server, browser_type_launch_args, screen)
    fetch_app(phone.open())
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
