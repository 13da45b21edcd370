"""A deal that was kept for later, card by card, taken up again on a phone."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from browsing import PHONE, begin, step
from line import Line
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)


def keep_deal(page: Page, *cards: str) -> str:
    """A match whose first deal is played card by card as far as these, and kept: its address."""
    match = begin(page)
    page.get_by_role("link", name="Record deal").click()
    page.locator("label", has=page.locator('input[name="bid"][value="B:H"]')).click()
    for action in ("counting:cards", *(f"card:{card}" for card in cards)):
        step(page, action)
    page.get_by_role("button", name="Save for later").click()
    expect(page).to_have_url(match)
    return match


@contextmanager
def open_again(page: Page, browser: Browser, match: str, scripted: bool = True) -> Iterator[Page]:
    """The board of the match on the same phone as it is opened another time, with scripts or without."""
    context = browser.new_context(
        viewport=PHONE["viewport"],
        java_script_enabled=scripted,
        storage_state=page.context.storage_state(),
        service_workers="block",
    )
    again = context.new_page()
    again.goto(match)
    yield again
    context.close()


def expect_trick_in_view(page: Page) -> None:
    """The trick that is being played stands above what is at the thumb, on a page that is all there."""
    page.wait_for_load_state()
    trick = page.locator(".tricks > li").last
    expect(trick).to_be_in_viewport(ratio=1)
    above, below = trick.bounding_box(), page.locator(".dock").bounding_box()
    assert above is not None and below is not None and above["y"] + above["height"] <= below["y"]


@pytest.mark.parametrize("scripted", [True, False])
def test_it_opens_at_its_trick(page: Page, browser: Browser, scripted: bool) -> None:
    """The trick that is being played is in view above the cards, with scripts or without."""
    match = keep_deal(page, "AH", "7H", "9H")
    with open_again(page, browser, match, scripted) as again:
        again.get_by_role("link", name="Continue the deal").click()
        expect(again.locator(".tricks > li").last).to_be_focused()
        expect_trick_in_view(again)


@pytest.mark.parametrize("part", ["</ol>", '<div class="dock">', 'class="dock-buttons"'])
def test_it_opens_at_its_trick_while_it_arrives(
    page: Page, browser: Browser, live_app: str, part: str
) -> None:
    """A browser goes to the trick as soon as that is there: what comes after it must not cover it."""
    match = keep_deal(page, "AH", "7H", "9H")
    line = Line(live_app)
    with closing(line), open_again(page, browser, match.replace(live_app, line.address)) as again:
        line.stop_after(part)
        again.get_by_role("link", name="Continue the deal").click(no_wait_after=True)
        expect(again.locator(".tricks > li").last).to_be_focused()
        line.go_on()
        expect_trick_in_view(again)
