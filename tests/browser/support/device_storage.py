"""What a phone has kept, its worker and its pages, as a page of the app sees it."""

import contextlib
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

STORAGE = (
    """import(document.querySelector('script[src*="offline/main.js"]').src"""
    """.replace("main.js", "storage.js"))"""
)
"""Scripts of tests go through the app's own storage: a database that they opened would have other stores."""

_STORED = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const whole = Boolean(await cache.match('/whole'));
    for (const { url } of await cache.keys()) found.push({ cache: name, whole, url });
  }
  return found;
}"""

_DONE = """async () => {
  const after = (time) => new Promise((resolve) => setTimeout(resolve, time));
  for (let attempt = 0; attempt < 4; attempt++) {
    const registration = await Promise.race([navigator.serviceWorker.ready, after(15_000)]);
    if (!registration) continue;
    const { port1, port2 } = new MessageChannel();
    const done = new Promise((resolve) => { port1.onmessage = () => resolve(true); });
    registration.active.postMessage({ seen: location.href }, [port2]);
    if (await Promise.race([done, after(15_000)])) return true;
  }
  return false;
}"""
"""Asked again: a worker that is ended, as browsers do on a busy machine, takes what it was asked with it."""


def stored(page: Page, store: str) -> list[dict[str, Any]]:
    """What the pages have kept: `drafts`, what is `waiting`, or what was last `written`."""
    found: list[dict[str, Any]] = page.evaluate(f"async (store) => (await {STORAGE}).findAll(store)", store)
    return found


def cached_addresses(page: Page) -> list[str]:
    """The addresses of all that is kept, in whole caches."""
    return [item["url"] for item in cached(page) if item["whole"]]


def cached(page: Page) -> list[dict[str, Any]]:
    """All that is kept: the `cache` it lies in, whether that is `whole`, and its `url`."""
    found: list[dict[str, Any]] = page.evaluate(_STORED)
    return found


def wait_until_quiet(page: Page) -> None:
    """Wait until the worker has done all it was asked to: it does one thing after the other."""
    assert page.evaluate(_DONE), "the worker says nothing"


def wait_for(page: Page, fact: Callable[[], bool]) -> None:
    """Wait until something is so: a worker does its work when it has time, and pages reload."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        with contextlib.suppress(PlaywrightError):
            if fact():
                return
        page.wait_for_timeout(50)
    raise AssertionError(f"cached are {cached_addresses(page)}")


def wait_for_cached(page: Page, address: str) -> None:
    """Wait until a page is kept."""
    wait_for(page, lambda: address in cached_addresses(page))
