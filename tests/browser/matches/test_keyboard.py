"""A phone's keyboard that lies over the page: the button that saves stands above it."""

import pytest
from browsing import open_match, write_deal
from playwright.sync_api import Page, expect

KEYBOARD = 300
"""Pixels of the page that it covers."""
COVER = """(covered) => {
  Object.defineProperty(visualViewport, "height", { configurable: true, get: () => innerHeight - covered });
  visualViewport.dispatchEvent(new Event("resize"));
}"""


@pytest.mark.parametrize("path", ["names", "entries/1/object", "new"])
@pytest.mark.browser_context_args(viewport={"width": 360, "height": 740})
def test_what_saves_stands_above_it(page: Page, path: str) -> None:
    """On each page where one types and then saves; without it the button is where it was."""
    match = open_match(page, "derda", ("Ewa", "Jan"))
    write_deal(page, match, bid="A:H", total_A="82", total_B="80", counting="totals")
    page.goto("/en/new?game=derda" if path == "new" else f"{match}/{path}")
    button = page.locator(".actions .primary")
    before = button.bounding_box()
    page.locator("input[type=text]:visible, input:not([type]):visible, textarea:visible").first.focus()
    page.evaluate(COVER, KEYBOARD)
    box, screen = button.bounding_box(), page.viewport_size
    assert before and box and screen
    assert before["y"] + before["height"] > screen["height"] - KEYBOARD
    assert box["y"] > 0
    assert box["y"] + box["height"] <= screen["height"] - KEYBOARD
    page.evaluate(COVER, 0)
    expect(page.locator(".actions")).to_have_attribute("style", "")
