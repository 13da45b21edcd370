"""A phone with another engine than Chromium; a machine without one fails these tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from phone import Server, free_port

from tests.browser.engines.driving import ENGINES, Phone

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They are nightly, and those of one engine and module are run by one process, in their order."""
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker(pytest.mark.nightly)
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that tests may stop and start."""
    server = Server(tmp_path_factory.mktemp("server"), free_port())
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module", params=list(ENGINES))
def phone(
    request: pytest.FixtureRequest, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Phone]:
    """A phone with each engine; at its end no script of a page has failed."""
    server.start()
    phone = ENGINES[request.param](tmp_path_factory.mktemp(request.param), server.address)
    yield phone
    phone.close()
    assert phone.errors() == []
