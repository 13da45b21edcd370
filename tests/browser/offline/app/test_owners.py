"""Whose a phone is, and how it shows pages: what was chosen with a network, and two owners in turn."""

from typing import Any

import pytest
from device_storage import wait_for
from offline_app import LONG, begin, expect_server_page, open_page, record_deal, status
from phone import Phone, Server
from playwright.sync_api import Browser, Page, expect

DARK = "html[data-theme=dark]"
COOKIE = "companion-browser"


@pytest.fixture(autouse=True)
def served(server: Server, app_phone: Phone) -> None:
    """Each test begins with a network."""
    app_phone.context.set_default_navigation_timeout(LONG)
    server.start()


def test_paper_and_language_that_were_chosen(page: Page, app_phone: Phone, server: Server) -> None:
    """What is chosen at the server is so on the phone's own pages; what is chosen there, at the server."""
    page.goto("/en/")
    page.locator("footer a:has(svg)").tap()
    page.get_by_role("link", name="Slate", exact=True).tap()
    expect(page.locator(f"{DARK}:not([data-pocket])")).to_be_attached()
    page.locator("a[hreflang=pl]").tap()
    expect(page.locator("html[lang=pl]")).to_be_attached()
    page.goto("/pl/ask")
    server.stop()
    page = app_phone.restart("about:blank")
    page.context.set_default_navigation_timeout(LONG)
    open_page(page, "/")
    expect(page.locator(f"{DARK}[lang=pl]")).to_be_attached()
    page.locator("footer a:has(svg)").tap()
    page.get_by_role("link", name="Auto", exact=True).tap()
    expect(page.locator("html[data-pocket]:not([data-theme])")).to_be_attached(timeout=LONG)
    page.locator("a[hreflang=uk]").tap()
    expect(page.locator("html[lang=uk][data-pocket]:not([data-theme])")).to_be_attached(timeout=LONG)
    server.start()
    wait_for(page, lambda: status(page, "deliver")["unsent"] == 0)
    page.goto("/")
    expect(page.locator("html[lang=uk]:not([data-theme], [data-pocket])")).to_be_attached()


def become(phone: Phone, page: Page, cookie: Any) -> None:
    """The server is back, and knows the phone's browser by this cookie, as after recovery words."""
    phone.context.add_cookies([cookie])  # before anything can be delivered
    phone.server.start()
    page.goto("/en/")
    expect_server_page(page)
    wait_for(page, lambda: status(page, "deliver")["ready"])  # with what the other one has
    assert (status(page)["unsent"], status(page)["aside"]) == (0, 0)


def test_two_owners(page: Page, app_phone: Phone, server: Server, browser: Browser) -> None:
    """What each recorded goes out as its own, whoever the browser is when the network comes."""
    page.goto("/en/")
    [first] = app_phone.identity()
    other = browser.new_context(base_url=server.address)
    other.request.get("/en/new")
    [second] = [cookie for cookie in other.cookies() if cookie["name"] == COOKIE]

    server.stop()
    mine = begin(page, "derda", ("Ewa", "Jan"))
    record_deal(page, mine, 90)
    become(app_phone, page, second)
    expect(page.locator(f"a[href$='{mine[-22:]}']")).to_have_count(0)
    assert other.request.get(mine).status == 404

    server.stop()
    theirs = begin(page, "derda", ("Ala", "Olek"))
    record_deal(page, theirs, 100)
    open_page(page, "/en/")
    expect(page.locator(f"a[href$='{theirs[-22:]}']").first).to_be_attached()
    expect(page.locator(f"a[href$='{mine[-22:]}']")).to_have_count(0)
    become(app_phone, page, first)
    assert other.request.get(theirs).status == 404
    expect_own(page, mine, "90")
    server.stop()
    become(app_phone, page, second)
    expect_own(page, theirs, "100")
    other.close()


def expect_own(page: Page, match: str, total: str) -> None:
    """The match is at the server, with its one deal, and whose this browser is may write in it."""
    page.goto(match)
    expect_server_page(page)
    expect(page.locator(".board .total").first).to_have_text(total)
    expect(page.get_by_role("link", name="Record deal")).to_be_visible()
    assert len(page.request.get(f"{match}/record.json").json()["entries"]) == 1
