"""A phone whose cookie cannot be read: it learns so on every page, and goes on with what was typed."""

import pytest
from browsing import Accessible, Scheme
from playwright.sync_api import Page


@pytest.fixture
def unknown(page: Page, base_url: str) -> Page:
    """Such a phone, with little room."""
    page.context.add_cookies([{"name": "companion-browser", "value": "damaged.cookie", "url": base_url}])
    page.set_viewport_size({"width": 320, "height": 640})
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sentence_keeps_nobody_out(unknown: Page, accessible: Accessible, scheme: Scheme) -> None:
    """The checker finds no fault with it, and nothing is wider than the screen with text twice as large."""
    unknown.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for address in ("/en/", "/pl/browser", "/en/new"):
        unknown.goto(address)
        accessible(unknown)
        unknown.evaluate("document.documentElement.style.fontSize = '200%'")
        assert unknown.evaluate("document.documentElement.scrollWidth") <= 320, address
