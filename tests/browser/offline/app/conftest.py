"""A phone that has the pocket, and a server that may go: one for a module, for to fetch it takes long."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from offline_app import fetch_app
from phone import Phone, Server, free_port
from playwright.sync_api import Page, Playwright


@pytest.fixture(scope="module")
def server(app_files: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the module's own; tests may stop and start it."""
    server = Server(tmp_path_factory.mktemp("server"), free_port())
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def fetched(
    server: Server,
    playwright: Playwright,
    browser_type_launch_args: dict[str, Any],
    phone_screen: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[..., Phone]:
    """Makes a phone that has fetched it; settings are those of contexts."""

    def make(**settings: Any) -> Phone:
        profile = tmp_path_factory.mktemp("phone")
        phone = Phone(playwright, profile, server, browser_type_launch_args, phone_screen | settings)
        fetch_app(phone.open())
        return phone

    return make


@pytest.fixture(scope="module")
def app_phone(fetched: Callable[..., Phone]) -> Iterator[Phone]:
    """A phone that has it."""
    phone = fetched()
    yield phone
    phone.close()
    assert phone.thrown + phone.foreign == []


@pytest.fixture
def page(app_phone: Phone) -> Page:
    """A page of that phone."""
    pages = app_phone.context.pages
    return pages[-1] if pages else app_phone.open(controlled=False)
