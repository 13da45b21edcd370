"""A phone in a headless Chromium. A machine without one fails these tests; it does not skip them."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import Accessible
from playwright.sync_api import Page, Playwright, Request, expect

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


@pytest.fixture(scope="session")
def live_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The real server on a free port, with an instance folder of its own: its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = tmp_path_factory.mktemp("server") / "told.txt"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
    with told.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", "serve", "--host", "127.0.0.1", "--port", str(port)],
            env=kept | {"COMPANION_INSTANCE": str(tmp_path_factory.mktemp("instance"))},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        for _attempt in range(200):
            try:
                urllib.request.urlopen(f"{address}/en/", timeout=5).close()
                break
            except (URLError, ConnectionError):
                if server.poll() is not None:
                    pytest.fail(f"the server did not start:\n{told.read_text()}")
                time.sleep(0.1)
        else:
            pytest.fail(f"the server does not answer:\n{told.read_text()}")
        yield address
    finally:
        server.terminate()
        server.wait(20)


@pytest.fixture(scope="session")
def base_url(live_app: str) -> str:
    """What addresses such as /en/ are seen from."""
    return live_app


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
def accessible() -> Accessible:
    """Call it with a page: axe must find nothing to complain about."""
    axe = Axe()

    def check(page: Page) -> None:
        expect(page.locator("form[data-sent]")).to_have_count(0)  # or it is about to be left
        page.wait_for_load_state()
        results = axe.run(page)
        assert results.violations_count == 0, results.generate_report()

    return check
