"""The app from a folder of files beside the one from a server, in one browser: first visit, starts, pages."""

import tempfile
from collections.abc import Callable, Iterator
from operator import methodcaller
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import cast

from playwright.sync_api import Page, sync_playwright

from ._shared import Row
from .engines import BROWSER

from device_storage import wait_for  # isort: skip  # found by the path that `engines` adds
from offline_app import LONG, begin, record_deal, snapshot_size  # isort: skip
from phone import Phone, Server, free_port  # isort: skip
from static_host import StaticHost  # isort: skip

NAMES, DEALS, STARTS, ROUNDS = ("Ewa", "Jan"), 5, 3, 15
PAGES = {
    "the list of matches": "en/",
    "*New match*": "en/new",
    "a board of 5 deals": "",
    "the form of a deal": "/deal",
    "the history of 5 deals": "/history",
    "the rulebook of a game": "en/rules/derda",
    "the form of a question": "en/ask/derda/play",
}
"""Paths below the app, or, without a language, below the match."""


class Edition:
    """A phone that has the app from this address, beginning at its `first` page."""

    def __init__(self, phone: Phone, address: str, first: str) -> None:
        self._phone, self._address, self._first = phone, address, first
        self.match = ""
        self.page: Page

    def visit(self) -> float:
        """Open it for the first time, with a tap if need be; the seconds until the list is there."""
        began = perf_counter()
        self.page = self._phone.open(self._address + self._first, controlled=False)
        self.page.context.set_default_navigation_timeout(LONG)
        if self._first.endswith("index.html"):
            self.page.locator("button[data-does=fetch]:visible").click(timeout=LONG)
            self.page.wait_for_url(f"{self._address}en/")
        return perf_counter() - began

    def record(self) -> None:
        """Begin a match, and record its deals."""
        self.match = begin(self.page, "derda", NAMES, f"{self._address}en/")
        for _deal in range(DEALS):
            record_deal(self.page, self.match, 90)

    def start(self) -> float:
        """Open the match in a browser that was closed; the seconds until its board is there."""
        self.page = self._phone.restart("about:blank")
        self.page.context.set_default_navigation_timeout(LONG)
        began = perf_counter()
        self.page.goto(self.match)
        self.page.locator(".board").wait_for(timeout=LONG)
        return perf_counter() - began

    def look(self, path: str) -> float:
        """Open a page; the seconds until it has loaded."""
        address = self._address if path.startswith("en/") else self.match
        began = perf_counter()
        self.page.goto(address + path)
        return perf_counter() - began


def compare(folder: Edition, server: Edition) -> Iterator[Row]:
    """Measure each on both, turn and turn about."""

    def measure(name: str, do: Callable[[Edition], float], rounds: int) -> Row:
        taken = [[do(edition) for edition in (folder, server)] for _round in range(rounds)]
        seconds, least = (median(column) for column in zip(*taken, strict=True))
        return name, seconds, "the server's", least

    yield measure("first visit, until the list of matches is there", Edition.visit, 1)
    for edition in (folder, server):
        edition.record()
    yield measure("a board in a browser just opened, cold", Edition.start, STARTS)
    wait_for(folder.page, lambda: snapshot_size(folder.page) > 0)
    yield measure("the same from the snapshot", Edition.start, STARTS)
    for name, path in PAGES.items():
        yield measure(f"warm: {name}", methodcaller("look", path), ROUNDS)


def run() -> Iterator[Row]:
    """Serve the app by both on this machine, and measure."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made, sync_playwright() as playwright:
        folder = Path(made)
        (folder / "server").mkdir()
        host, server = StaticHost(folder / "host"), Server(folder / "server", free_port())
        launch = {"executable_path": BROWSER, "args": ["--no-sandbox"]}
        screen = {**playwright.devices["Pixel 5"], "locale": "en-GB"}
        screen.pop("default_browser_type")
        phones = [
            Phone(playwright, folder / name, cast(Server, served), launch, screen)
            for name, served in (("alone", host), ("phone", server))
        ]
        try:
            host.write()
            host.start()
            server.start()
            alone = Edition(phones[0], host.site, "en/index.html")
            yield from compare(alone, Edition(phones[1], f"{server.address}/", "en/"))
        finally:
            for phone in phones:
                phone.close()
            host.stop()
            server.stop()
