"""The screen that stays on: a switch beside the board of a running match, remembered by the phone."""

from collections.abc import Iterator

import pytest
from browsing import Accessible, begin
from device_storage import wait_for
from phone import Phone
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.profile  # a browser grants wake locks to its profile alone


# What the page holds: the locks it asked for, one after the other.
WATCH = """{
  const request = navigator.wakeLock.request.bind(navigator.wakeLock);
  window.locks = [];
  navigator.wakeLock.request = async (kind) => locks[locks.push(await request(kind)) - 1];
}"""
HELD = "locks.map((lock) => !lock.released)"


@pytest.fixture
def page(phone: Phone) -> Iterator[Page]:
    """A page of a phone that lets pages keep its screen on."""
    browser = phone.context.browser
    assert browser
    browser.new_browser_cdp_session().send(
        "Browser.grantPermissions", {"permissions": ["wakeLockScreen"], "origin": phone.server.address}
    )
    page = phone.open(controlled=False)
    page.add_init_script(WATCH)
    yield page


def until(page: Page, held: list[bool]) -> None:
    """Wait until these locks are held, or let go."""
    wait_for(page, lambda: page.evaluate(HELD) == held)


def test_the_screen_stays_on(page: Page, accessible: Accessible) -> None:
    """Only when it is wanted; again after the page was out of sight, and on the next board."""
    board = begin(page)
    page.goto(f"{board}/more")
    switch = page.get_by_role("switch", name="Keep the screen on")
    expect(switch).not_to_be_checked()
    until(page, [])
    page.get_by_text("Keep the screen on").tap()
    until(page, [True])
    accessible(page)
    page.evaluate("locks[0].release()")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(page, [False, True])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(page, [False, True])
    page.goto(board)
    until(page, [True])
    page.goto(f"{board}/more")
    expect(switch).to_be_checked()
    until(page, [True])
    page.get_by_text("Keep the screen on").tap()
    until(page, [False])
    page.reload()
    expect(switch).not_to_be_checked()
    until(page, [])
