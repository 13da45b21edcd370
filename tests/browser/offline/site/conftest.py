"""A phone before its first visit to a folder of static files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from phone import Phone, Server
from playwright.sync_api import Playwright
from static_host import StaticHost


@pytest.fixture
def phone(
    host: StaticHost,
    playwright: Playwright,
    tmp_path: Path,
    browser_type_launch_args: dict[str, Any],
    phone_screen: dict[str, Any],
) -> Iterator[Phone]:
    """A phone that knows nothing of the app; in the end no script failed, and no other machine was asked."""
    host.start()
    screen = phone_screen | {"base_url": host.site}
    server = cast(Server, host)  # of which a phone knows the address alone
    phone = Phone(playwright, tmp_path / "phone", server, browser_type_launch_args, screen)
    yield phone
    phone.close()
    assert phone.thrown + phone.foreign == []
