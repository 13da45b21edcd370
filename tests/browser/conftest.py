"""A phone in a headless Chromium. A machine without one fails these tests; it does not skip them."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Playwright, Request

QUIET = ["--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], playwright: Playwright
) -> dict[str, Any]:
    named = os.environ.get("BROWSER_PATH")
    found = named or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if not found and Path(playwright.chromium.executable_path).exists():
        found = playwright.chromium.executable_path
    if not found or not shutil.which(found):
        pytest.fail(f"no browser at {named or 'hand'}: run ./dev test, or set BROWSER_PATH to a Chromium")
    root = sys.platform == "linux" and os.geteuid() == 0
    return {
        **browser_type_launch_args,
        "executable_path": found,
        "args": [*QUIET, *(["--no-sandbox"] if root else [])],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], playwright: Playwright) -> dict[str, Any]:
    """A phone; @pytest.mark.browser_context_args(locale="pl-PL") and the like change it for one test."""
    return {
        **browser_context_args,
        **playwright.devices["Pixel 5"],
        "locale": "en-GB",
        "timezone_id": "Europe/Warsaw",
    }


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """The page, which at the end must have thrown nothing and asked no other machine for anything."""
    thrown: list[str] = []
    foreign: list[str] = []

    def look(request: Request) -> None:
        if urlsplit(request.url).hostname not in {"127.0.0.1", "localhost", None}:
            foreign.append(request.url)

    page.on("pageerror", lambda error: thrown.append(str(error)))
    page.on("request", look)
    yield page
    assert not thrown
    assert not foreign


@pytest.fixture(scope="session")
def accessible() -> Callable[[Page], None]:
    """Call it with a page: axe must find nothing to complain about."""
    axe = Axe()

    def check(page: Page) -> None:
        results = axe.run(page)
        assert results.violations_count == 0, results.generate_report()

    return check
