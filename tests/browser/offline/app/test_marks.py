"""What pages say of the program in the phone: calm, true, and without being loaded anew when it changes."""

import re

import pytest
from browsing import Accessible, write_deal
from offline_app import LONG, begin, fetch_app, open_page, record_deal, status
from phone import Phone, Server
from playwright.sync_api import Locator, Page, expect

STAYS = "window.stays = true"
STAYED = "window.stays === true"


@pytest.fixture(autouse=True)
def served(server: Server, app_phone: Phone) -> None:
    """Each test begins with a network."""
    app_phone.set_offline(False)
    server.start()


def strip(page: Page) -> Locator:
    """Where the page comes from, and what is not yet at the server."""
    return page.locator("#pocket-strip")


def begin_without_network(page: Page, server: Server) -> str:
    """A match with one deal that only this phone has."""
    server.stop()
    match = begin(page, "derda", ("Ewa", "Jan"))
    record_deal(page, match, 90)
    return match


def wait_until_sent(page: Page, match: str) -> None:
    """Until all is at the server, and the page is one like any other."""
    expect(strip(page)).to_be_hidden(timeout=LONG)
    assert status(page)["unsent"] == 0
    assert page.request.get(match).ok


def test_what_comes_from_the_phone_says_so(page: Page, server: Server, accessible: Accessible) -> None:
    """And how much is not at the server; when it is there both go, and the page stays as it is."""
    page.goto("/en/")
    expect(strip(page)).to_be_hidden()
    match = begin_without_network(page, server)
    expect(strip(page)).to_contain_text("No network · from this phone")
    expect(strip(page)).to_contain_text(re.compile(r"not yet on the server \([1-9]\)"))
    accessible(page)
    open_page(page, match.replace("/en/", "/pl/"))
    expect(strip(page)).to_contain_text("Bez sieci · z tego telefonu")
    open_page(page, match)
    page.evaluate(STAYS)
    server.start()
    wait_until_sent(page, match)
    assert page.evaluate(STAYED)
    assert "pocket" not in page.evaluate("({ ...document.documentElement.dataset })")


def test_a_sheet_is_printed_without_network(page: Page, server: Server, accessible: Accessible) -> None:
    """By the browser, in the fonts of the PDF; one tap leads back."""
    match = begin_without_network(page, server)
    page.add_init_script("let n = 0; window.print = () => { document.title = `printed ${++n}`; };")
    open_page(page, f"{match}/sheet")
    page.locator(".actions").get_by_role("link", name="Print A4").tap()
    expect(page).to_have_title("printed 1", timeout=LONG)
    assert page.evaluate("[...document.fonts].map(({ status }) => status)") == ["loaded", "loaded"]
    accessible(page)
    page.get_by_role("button", name="Print").tap()
    expect(page).to_have_title("printed 2")
    page.get_by_role("link", name="Back").tap()
    expect(page.locator("#sheet")).to_be_visible(timeout=LONG)


def test_other_phones_wait(page: Page, server: Server, accessible: Accessible) -> None:
    """Their page says so, with a way back; it opens when the network is there."""
    match = begin_without_network(page, server)
    page.goto(f"{match}/phones")
    expect(page.locator("h1")).to_have_text("Other phones need the network", timeout=LONG)
    accessible(page)
    page.context.set_offline(True)
    again = page.locator("#again")
    expect(again).to_have_attribute("aria-disabled", "true")
    page.context.set_offline(False)
    expect(again).not_to_have_attribute("aria-disabled", "true")
    expect(page.locator("#network-back")).to_be_hidden()
    server.start()
    expect(page.locator("#network-back")).to_be_visible(timeout=LONG)
    expect(again).to_have_attribute("href", re.compile(r"/phones\??$"))
    page.locator(".actions").get_by_role("link", name="Scoreboard").tap()
    expect(page.locator("h1")).to_contain_text("Ewa")


def test_what_collides_waits_for_a_decision(
    page: Page, app_phone: Phone, server: Server, accessible: Accessible
) -> None:
    """Every page says so, and leads to both logs; decided, nothing is said any more."""
    match = begin_without_network(page, server)
    server.start()
    assert status(page, "deliver")["unsent"] == 0
    app_phone.set_offline(True)
    record_deal(page, match, 80)
    write_deal(page, match, bid="B:S", counting="totals", total_A="60", total_B="102")
    app_phone.set_offline(False)
    page.goto("/en/rules")
    decide = page.locator("#pocket-aside")
    expect(decide).to_contain_text("Entries wait for your decision (1)", timeout=LONG)
    accessible(page)
    decide.get_by_role("link").tap()
    expect(page.get_by_role("button", name="Leave it out")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Leave it out").tap()
    expect(page.get_by_text("Everything is decided.")).to_be_visible(timeout=LONG)
    expect(decide).to_be_hidden(timeout=LONG)


def test_this_phone_names_it(page: Page, server: Server) -> None:
    """How much room it takes, and what would be lost; *Forget this phone* asks."""
    match = begin_without_network(page, server)
    open_page(page, "/en/browser")
    expect(page.locator("[data-count=program]")).to_have_text(re.compile(r"^\d+\sMB$"), timeout=LONG)
    expect(page.locator("[data-count=unsent]")).to_have_text(re.compile(r"^[1-9]$"))
    page.get_by_role("button", name="Forget this phone").tap()
    expect(page.locator("#in-phone [data-question]")).to_contain_text("entries not yet on the server: ")
    page.get_by_role("button", name="No, keep it").tap()
    server.start()
    page.goto(match)
    wait_until_sent(page, match)


def test_it_is_removed_in_one_tap(page: Page, server: Server, accessible: Accessible) -> None:
    """It asks only while something is not at the server; then nothing of it is left."""
    match = begin_without_network(page, server)
    open_page(page, "/en/pocket")
    remove = page.locator("[data-does=remove]:visible")
    expect(remove).to_have_text(re.compile(r"^Remove \(\d+\sMB\)$"))
    remove.tap()
    expect(page.locator("h2:visible")).to_have_text("Remove it now?")
    accessible(page)
    page.get_by_role("button", name="Keep it").tap()
    expect(page.locator("h2:visible")).to_have_text("Ready", timeout=LONG)
    server.start()
    page.goto(match)
    wait_until_sent(page, match)
    page.goto("/en/pocket")
    accessible(page)
    remove.tap()
    expect(page.locator("[data-does=fetch]:visible")).to_be_visible(timeout=LONG)
    assert (
        page.evaluate("async () => (await caches.keys()).filter((name) => name.startsWith('pocket:'))") == []
    )
    assert page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)") == ["companion"]
    assert page.evaluate("localStorage.getItem('pocket')") is None
    page.goto("/en/")
    page.evaluate("navigator.serviceWorker.ready")
    expect(strip(page)).to_be_hidden()
    fetch_app(page)  # and may come again


def test_forgetting_this_phone_forgets_it_too(page: Page) -> None:
    """Nothing is kept in the phone any more, the program either."""
    page.goto("/en/browser")
    page.get_by_role("button", name="Forget this phone").tap()
    page.get_by_role("button", name="Yes, forget").tap()
    expect(page.get_by_text("Nothing is stored on this phone any more.")).to_be_visible(timeout=LONG)
    assert (
        page.evaluate("async () => (await caches.keys()).filter((name) => name.startsWith('pocket:'))") == []
    )
    assert page.evaluate("localStorage.length") == 0
    expect(page.locator("[data-of-pocket]:visible")).to_have_count(0)
