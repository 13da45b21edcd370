"""Pages kept in the phone: shown with their age where there is no network, whole, and to nobody else."""

import re

import pytest
from browsing import Accessible, begin
from device_storage import cached, wait_for_cached, wait_until_quiet
from line import Line
from phone import Phone, Server
from playwright.sync_api import expect

STRIP = "#kept"


def test_a_board_is_there_without_network(phone: Phone) -> None:
    """The board that was seen is shown with the time it is from, on the paper it was drawn on."""
    page = phone.open()
    board = begin(page)
    wait_for_cached(page, board)
    phone.set_offline(True)
    page.reload()
    expect(page.locator(STRIP)).to_have_text(re.compile(r"As of \d\d:\d\d, no network\.\s*Try again"))
    expect(page.locator(".board .names").first).to_have_text("Ewa")
    assert page.evaluate("getComputedStyle(document.body).display") == "flex"
    phone.set_offline(False)
    page.get_by_role("link", name="Try again").tap()
    expect(page.locator(STRIP)).to_be_hidden()
    expect(page.locator(".board")).to_be_visible()


@pytest.mark.profile
def test_a_dead_server_takes_nothing_away(phone: Phone, server: Server) -> None:
    """All that goes with a match is there, once its board was open, also after the browser was closed."""
    page = phone.open()
    board = begin(page)
    beside = ("deal", "more", "history", "names", "ask")
    for address in (*(f"{board}/{path}" for path in beside), f"{server.address}/en/resume"):
        wait_for_cached(page, address)
    server.stop()
    page = phone.restart("/en/")
    expect(page.locator(".resume")).to_contain_text("Ewa")
    for path in (*beside, "deal?bid=B:H", "deal?mode=totals"):
        page.goto(f"{board}/{path}")
        expect(page.locator(STRIP)).to_be_visible()
    page.goto("/en/resume")
    expect(page).to_have_url(board)
    expect(page.locator(".board")).to_be_visible()


def test_what_stands_in_for_pages(distant_phone: Phone, line: Line, accessible: Accessible) -> None:
    """What was never seen says so, with a way back; a form that no script sends is still filled in."""
    page = distant_phone.open()
    board = begin(page)
    wait_for_cached(page, f"{board}/history")
    page.goto(f"{board}/names")
    page.fill("#name-A", "Wawrzyniec")
    line.cut()
    page.evaluate("document.querySelector('main form[method=post]').submit()")
    expect(page.locator("h1:visible")).to_have_text("Nothing was sent.")
    page.go_back()
    expect(page.locator("#name-A")).to_have_value("Wawrzyniec")
    page.goto(f"{board}/entries/99")
    expect(page.locator("h1:visible")).to_have_text("This page is not stored on this phone.")
    expect(page.locator(STRIP)).to_be_hidden()
    accessible(page)
    page.get_by_role("link", name="Scoreboard").tap()
    expect(page).to_have_url(board)


def test_who_plays_which_suit_is_tapped_without_network(distant_phone: Phone, line: Line) -> None:
    """A tap on the board chooses the suit on the form that is kept."""
    page = distant_phone.open()
    board = begin(page)
    wait_until_quiet(page)
    line.cut()
    page.goto(board)
    page.locator('.quick-row a[href*="bid=A:H"]').tap()
    expect(page.locator(STRIP)).to_be_visible()
    expect(page.locator('input[name="bid"][value="A:H"]')).to_be_checked()


def test_nobody_else_sees_them(distant_phone: Phone, line: Line) -> None:
    """As soon as the browser is somebody else's, what was kept is gone; also where it did not say so."""
    page = distant_phone.open()
    board = begin(page)
    wait_until_quiet(page)
    distant_phone.context.clear_cookies()
    page.goto("/en/rules")
    wait_for_cached(page, f"{line.address}/en/rules")
    assert [entry for entry in cached(page) if "/m/" in entry["url"]] == []
    wait_for_cached(page, f"{line.address}/en/offline")  # it says so in their place
    line.cut()
    page.goto(board)
    expect(page.locator("h1:visible")).to_have_text("This page is not stored on this phone.")
    expect(page.locator("body")).not_to_contain_text("Ewa")
