"""A deal replayed on a phone: by tap, by key and by swipe."""

import pytest
from browsing import PHONE, Accessible, begin
from derda import RIGHT
from fitting import find_misfits
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
SWIPE = """([from, to]) => {
  const touch = (x) => new Touch({ identifier: 1, target: document.body, clientX: x, clientY: 300 });
  document.body.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(from)], bubbles: true }));
  document.body.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(to)], bubbles: true }));
}"""


def test_forwards_and_backwards(page: Page, accessible: Accessible) -> None:
    """To the next trick and back; what each card cost is one tap away, and stays while one goes on."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=cards")
    page.locator("label", has=page.locator('input[name="bid"][value="A:H"]')).tap()
    for card in RIGHT.split():
        page.locator(f'button[value="card:{card}"]').tap()
    expect(page.locator(".tricks li")).to_have_count(9)
    page.locator('button[value="save"]:visible').tap()
    page.locator(".entries tbody a").first.tap()
    page.get_by_role("link", name="Replay").tap()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Trick 1 of 9")
    page.get_by_role("link", name="What each card cost").tap()
    expect(page.locator(".came-to")).to_contain_text("Best play")
    page.get_by_role("link", name="Trick 2", exact=True).tap()
    expect(heading).to_have_text("Trick 2 of 9")
    page.keyboard.press("ArrowRight")
    expect(heading).to_have_text("Trick 3 of 9")
    page.keyboard.press("ArrowLeft")
    expect(heading).to_have_text("Trick 2 of 9")
    page.wait_for_load_state()
    page.evaluate(SWIPE, [300, 100])
    expect(heading).to_have_text("Trick 3 of 9")
    page.wait_for_load_state()
    page.evaluate(SWIPE, [100, 300])
    expect(heading).to_have_text("Trick 2 of 9")
    expect(page.locator(".came-to")).to_contain_text("Best play")
    accessible(page)
    page.goto(f"{page.url.partition('?')[0]}?trick=all&cost=1")
    accessible(page)
    assert find_misfits(page) == []
