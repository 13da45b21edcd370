"""Whose a phone is, and how it shows pages: what was chosen with a network, and two owners in turn."""

from typing import Any

import pytest
from browsing import open_match, write_deal
from device_storage import wait_for
from offline_app import LONG, begin, deliver_all, expect_server_page, open_page, record_deal, status
from phone import Phone, Server
from playwright.sync_api import Browser, Page, expect

DARK = "html[data-theme=dark]"
COOKIE = "companion-browser"


@pytest.fixture(autouse=True)
def served(server: Server, app_phone: Phone) -> None:
    """Each test begins with a network."""
    app_phone.context.set_default_navigation_timeout(LONG)
    server.start()


def test_the_paper_that_was_chosen(page: Page, app_phone: Phone, server: Server) -> None:
    """On a page of the server: the phone's own pages are of the same, until another is chosen there."""
    page.goto("/en/")
    page.get_by_role("link", name="Slate", exact=True).tap()
    expect(page.locator(f"{DARK}:not([data-pocket])")).to_be_attached()
    server.stop()
    open_page(page, "/en/rules")
    expect(page.locator(DARK)).to_be_attached()
    page = app_phone.restart("about:blank")
    open_page(page, "/pl/")
    expect(page.locator(DARK)).to_be_attached()
    page.get_by_role("link", name="Auto", exact=True).tap()
    expect(page.locator("html[data-pocket]:not([data-theme])")).to_be_attached(timeout=LONG)
    open_page(page, "/pl/rules")
    expect(page.locator(DARK)).to_have_count(0)


def test_the_language_that_was_chosen(page: Page, server: Server) -> None:
    """An address without one leads to it."""
    page.goto("/en/rules")
    page.locator("footer").get_by_role("link", name="Polski").tap()
    expect(page.locator("html[lang=pl]")).to_be_attached()
    page.goto("/pl/ask")
    server.stop()
    open_page(page, "/")
    expect(page.locator("html[lang=pl]")).to_be_attached()


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


def test_taken_over_by_words(page: Page, app_phone: Phone, server: Server, browser: Browser) -> None:
    """What was recorded before has gone out as the former owner's; then the phone has the other one's."""
    page.goto("/en/")
    [first] = app_phone.identity()
    with browser.new_context(base_url=server.address, service_workers="block") as other:
        old = other.new_page()
        theirs = open_match(old, "derda", ("Ala", "Olek"))
        write_deal(old, theirs, bid="A:H", counting="totals", total_A="100", total_B="62")
        old.goto("/en/move")
        old.get_by_role("link", name="Recovery words").click()
        old.get_by_role("button", name="Make recovery words").click()
        expect(old.locator(".recovery-words li")).to_have_count(7)
        words = " ".join(old.locator(".recovery-words li").all_inner_texts())
    server.stop()
    mine = begin(page, "derda", ("Ewa", "Jan"))
    record_deal(page, mine, 90)
    server.start()
    deliver_all(page)
    page.goto("/en/move/here")
    page.fill("#told", words)
    page.get_by_role("button", name="Go on").tap()
    page.get_by_role("button", name="Yes, take them over").tap()
    expect(page.get_by_text("The words that you typed are used up: make new ones.")).to_be_visible(
        timeout=LONG
    )
    wait_for(page, lambda: status(page, "deliver")["ready"])
    server.stop()
    open_page(page, theirs)
    expect(page.locator(".board .total").first).to_have_text("100")
    record_deal(page, theirs, 90)
    open_page(page, "/en/")
    expect(page.locator(f"a[href$='{mine[-22:]}']")).to_have_count(0)
    become(app_phone, page, first)
    expect_own(page, mine, "90")
