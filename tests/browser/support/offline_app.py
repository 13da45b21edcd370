"""A phone that has the pocket: how it comes by it, what its worker says, and what is done there by taps."""

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from phone import ROOT, Phone
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, expect

LONG = 120_000
"""Milliseconds until Python has started for the first time, on a machine that does much else."""
BOARD = re.compile(r"/m/[\w-]{22}$")
_SAVE = re.compile("^(Save|Save deal)$")
_ASK = """async (what) => {
  const [script] = document.querySelectorAll('script[src*="offline/main.js"]');
  const { ask } = await import(script.src.replace("offline/main.js", "offline/app/asking.js"));
  return ask(what, 90_000);
}"""

_LENGTHS = """(name) => new Promise((done, fail) => {
  const request = indexedDB.open("pocket:/");
  setTimeout(() => fail(new Error("the disk does not answer")), 20_000);
  request.onsuccess = () => {
    const reading = request.result.transaction("meta"), meta = reading.objectStore("meta");
    const [keys, values] = [meta.getAllKeys(), meta.getAll()];
    reading.oncomplete = () => {
      const found = values.result[keys.result.findIndex(([, one]) => one === name)] ?? {};
      request.result.close();
      done(found);
    };
  };
})"""
_SNAPSHOT = """async (content) => {
  const [name] = (await caches.keys()).filter((name) => name.startsWith("pocket:"));
  const cache = await caches.open(name);
  const request = (await cache.keys()).find(({ url }) => url.endsWith("/snapshot"));
  if (content && request) await cache.put(request, new Response(content));
  return request ? (await (await cache.match(request)).blob()).size : 0;
}"""

_WATCH = """() => {
  window.replaced = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
  });
}"""


def build(source: Path = ROOT) -> str:
    """Make the pocket of an app, unless it is there; what speaks against it, in a line."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
    made = subprocess.run(
        [sys.executable, "-m", "companion.offline_app.build", "--quick"],
        cwd=source,
        env=outside,
        capture_output=True,
        text=True,
    )
    return "" if made.returncode == 0 else made.stderr.strip()


def fetch_app(page: Page, address: str = "/en/pocket") -> None:
    """Fetch it as a player does, on the page that offers it."""
    page.goto(address)
    page.locator("button[data-does=fetch]:visible").tap()
    expect(page.locator("div[data-in=ready]")).to_be_visible(timeout=LONG)


def status(page: Page, what: str = "status") -> Any:
    """What the worker answers; asked again where the page was loaded again meanwhile, or nobody answered."""
    while True:
        with contextlib.suppress(PlaywrightError):
            if answer := page.evaluate(_ASK, what):
                return answer
        page.wait_for_load_state()


def deliver_all(page: Page) -> Any:
    """Bring all to the server, however long that takes: what the worker says then."""
    while (answer := status(page, "deliver"))["unsent"]:
        page.wait_for_timeout(100)
    return answer


def wait_for_build(page: Page, before: str) -> Any:
    """Until another build than this one is in charge, and has brought all to the server: what it says.

    The worker in charge is asked once: it is replaced when it is idle, or after five minutes, and one that
    was asked ten times a second took these.
    """
    page.evaluate(_WATCH)
    if status(page)["build"] == before:
        page.evaluate("() => window.replaced")
    return deliver_all(page)


def expect_server_page(page: Page) -> None:
    """The page is the server's, or has become like one of it: what waits is delivered before."""
    expect(page.locator("html:not([data-pocket])")).to_be_attached(timeout=LONG)


def known_matches(page: Page, at_least: int = 1) -> list[str]:
    """The matches of which the phone has so many entries that the server has too."""
    return [id for id, (length, _access) in page.evaluate(_LENGTHS, "have").items() if length >= at_least]


def snapshot_size(page: Page, content: str | None = None) -> int:
    """How large the memory is that starts begin from; `content` takes its place before that."""
    size: int = page.evaluate(_SNAPSHOT, content)
    return size


def stop_worker(phone: Phone, page: Page) -> None:
    """End the worker, as browsers do when it had nothing to do for a while."""
    session = phone.context.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")
    session.detach()


def open_page(page: Page, address: str) -> None:
    """Open a page that comes from the phone."""
    page.goto(address, timeout=LONG)
    expect(page.locator("html[data-pocket]")).to_be_attached()


def begin(page: Page, game: str, names: tuple[str, ...], home: str = "/en/") -> str:
    """Start a match by typing; the address of its board. `home` is where the list of matches is."""
    page.goto(f"{home}new?game={game}", timeout=LONG)
    for field, name in zip(page.locator("input[data-seat]:visible").all(), names, strict=False):
        field.fill(name)
    page.locator("label", has=page.locator("input[name=dealer][value=A]")).tap()
    page.locator(".actions .primary").tap()
    expect(page).to_have_url(BOARD, timeout=LONG)
    return page.url


def record_deal(page: Page, match: str, points: int) -> None:
    """A deal by totals, in hearts, so many for the first player."""
    page.goto(f"{match}/deal?mode=totals", timeout=LONG)
    page.locator("label", has=page.locator('input[name=bid][value="A:H"]')).tap()
    page.fill("#total_A", str(points))
    page.fill("#total_B", str(162 - points))
    save(page)
    expect(page).to_have_url(match)


def save(page: Page) -> None:
    """Tap the button that saves, and wait for the next page."""
    page.get_by_role("button", name=_SAVE).locator("visible=true").last.tap()
    expect(page.locator("form[data-sent]")).to_have_count(0, timeout=LONG)
    page.wait_for_load_state()
