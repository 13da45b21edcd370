"""The offline program in three engines: downloaded, started, and started again without a server."""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from playwright.sync_api import sync_playwright

TESTS = Path(__file__).parents[1]
sys.path.append(str(TESTS / "browser/support"))
from offline_app import build  # noqa: E402  # where the line above leads
from phone import Server, free_port  # noqa: E402

from tests.browser.engines.driving import ENGINES, Phone  # noqa: E402

BROWSER = os.environ.get("BROWSER_PATH") or shutil.which("chromium-headless-shell") or "chromium"
SECONDS = 300
"""Until what is waited for will not come."""


class Driven(Protocol):
    """A browser, as far as it is asked to do something here."""

    def goto(self, path: str) -> None:
        """Open a page of the server."""

    def tap(self, css: str) -> None:
        """Tap the first that is visible."""

    def see(self, css: str, text: str = "", seconds: float = SECONDS) -> object:
        """Wait until something is visible."""


class Chromium:
    """The browser of the other tests, asked as the two others are."""

    def __init__(self, folder: Path, server: str) -> None:
        self._playwright = sync_playwright().start()
        self._context = self._playwright.chromium.launch_persistent_context(
            folder, executable_path=BROWSER, args=["--no-sandbox"], base_url=server
        )
        self._page = self._context.pages[0]

    def goto(self, path: str) -> None:
        self._page.goto(path)

    def tap(self, css: str) -> None:
        self._page.locator(css).locator("visible=true").first.click()

    def see(self, css: str, text: str = "", seconds: float = SECONDS) -> object:
        self._page.locator(css).locator("visible=true").first.wait_for(timeout=seconds * 1000)
        return True

    def close(self) -> None:
        """End the browser."""
        self._context.close()
        self._playwright.stop()


def make_opener(
    engine: type[Phone | Chromium], folder: Path, server: str
) -> Callable[[], AbstractContextManager[Driven]]:
    """Opens the same phone each time."""

    @contextmanager
    def open_phone() -> Iterator[Driven]:
        phone = engine(folder, server)
        try:
            yield phone
        finally:
            phone.close()

    return open_phone


def measure(
    server: Server, open_phone: Callable[[], AbstractContextManager[Driven]]
) -> Iterator[tuple[str, float]]:
    """Seconds until it is downloaded, then until it is ready, and until a new browser shows its page."""
    server.start()
    with open_phone() as phone:
        phone.goto("/en/pocket")
        began = time.perf_counter()
        phone.tap("button[data-does=fetch]")
        phone.see("div[data-in=starting], div[data-in=ready]", seconds=SECONDS)
        yield "downloaded", time.perf_counter() - began
        began = time.perf_counter()
        phone.see("div[data-in=ready]", seconds=SECONDS)
        yield "ready after the first start", time.perf_counter() - began
    server.stop()
    with open_phone() as phone:
        began = time.perf_counter()
        phone.goto("/en/rules")
        phone.see("html[data-pocket] main", seconds=SECONDS)
        yield "a page after the second start", time.perf_counter() - began


def run() -> Iterator[tuple[str, float, str, float]]:
    """What each takes; there is nothing to compare it with but the other engines."""
    if trouble := build():
        raise SystemExit(trouble)
    engines: dict[str, type[Phone | Chromium]] = {"chromium": Chromium, **ENGINES}
    for name, engine in engines.items():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            (Path(folder) / "server").mkdir()
            server = Server(Path(folder) / "server", free_port())
            try:
                for work, seconds in measure(
                    server, make_opener(engine, Path(folder) / name, server.address)
                ):
                    yield f"{name}: {work}", seconds, "", 0
            finally:
                server.stop()
