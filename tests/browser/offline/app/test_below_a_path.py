"""Below a path of a host with HTTPS: the app in the phone is that of the path, and leaves all else alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from front import PREFIX, Front, open_front
from offline_app import LONG, begin, fetch_app, open_page, record_deal, status
from phone import Phone, Server, free_port
from playwright.sync_api import Page, Playwright, expect


@pytest.fixture
def below(app_files: None, tmp_path: Path) -> Iterator[Server]:
    """A server that believes one proxy."""
    server = Server(tmp_path, free_port(), PROXIES="1", HOSTS="127.0.0.1", PREFIX=PREFIX)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def front(below: Server, tmp_path: Path) -> Iterator[Front]:
    """A proxy with HTTPS before it."""
    with open_front(below.address, tmp_path, "hands the path on") as front:
        yield front


@pytest.fixture
def distant(
    front: Front,
    below: Server,
    playwright: Playwright,
    tmp_path: Path,
    browser_type_launch_args: dict[str, Any],
    phone_screen: dict[str, Any],
) -> Iterator[Phone]:
    """A phone that comes by that proxy, whose certificate it takes as it is."""
    screen = phone_screen | {"base_url": f"{front.site}/", "ignore_https_errors": True}
    screen |= {"args": ["--ignore-certificate-errors"]}
    phone = Phone(playwright, tmp_path / "phone", below, browser_type_launch_args, screen)
    yield phone
    phone.close()
    assert phone.thrown + phone.foreign == []


def test_all_of_it_is_below_the_path(distant: Phone, front: Front) -> None:
    """Fetched, begun and recorded without network, shown as was chosen, started again, and delivered."""
    page: Page = distant.open("en/")
    page.context.set_default_navigation_timeout(LONG)
    fetch_app(page, "en/pocket")
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL") == f"{front.site}/sw-pocket.js"
    names = page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")
    assert f"pocket:{PREFIX}/" in names
    page.goto("en/")
    page.get_by_role("link", name="Slate", exact=True).tap()
    expect(page.locator("html[data-theme=dark]")).to_be_attached()

    front.cut()
    match = begin(page, "derda", ("Ewa", "Jan"), "en/")
    assert match.startswith(f"{front.site}/en/m/")
    record_deal(page, match, 90)
    expect(page.locator("html[data-pocket][data-theme=dark]")).to_be_attached()
    expect(page.locator(".board .total").first).to_have_text("90")
    page.get_by_role("link", name="History", exact=True).tap()
    expect(page.locator("main")).to_contain_text("Deal 1", timeout=LONG)
    page = distant.restart("about:blank")
    page.context.set_default_navigation_timeout(LONG)
    open_page(page, match)
    expect(page.locator(".board .total").first).to_have_text("90")
    open_page(page, "pl/rules/derda")

    front.mend()
    assert status(page, "deliver")["unsent"] == 0
    page.goto(match)
    expect(page.locator("html:not([data-pocket])")).to_be_attached()
    expect(page.locator(".board .total").first).to_have_text("90")
