"""A deal that was kept for later, card by card, taken up again on a phone."""

import pytest
from browsing import PHONE, begin, step
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


@pytest.mark.parametrize("scripted", [True, False])
def test_it_opens_at_its_trick(page: Page, browser: Browser, live_app: str, scripted: bool) -> None:
    """The trick that is being played is in view above the cards, with scripts or without."""
    match = keep_deal(page, "AH", "7H", "9H")
    stored = page.context.storage_state()
    context = browser.new_context(
        viewport=PHONE["viewport"],
        java_script_enabled=scripted,
        storage_state=stored,
        service_workers="block",
    )
    again = context.new_page()
    again.goto(match)
    again.get_by_role("link", name="Continue the deal").click()
    trick = again.locator(".tricks > li").last
    expect(trick).to_be_focused()
    again.wait_for_load_state()  # of the page with the trick; until then it may be laid out again
    expect(trick).to_be_in_viewport(ratio=1)
    above, below = trick.bounding_box(), again.locator(".dock").bounding_box()
    assert above is not None and below is not None and above["y"] + above["height"] <= below["y"]
    context.close()
