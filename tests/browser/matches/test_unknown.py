"""A phone whose cookie cannot be read: it learns so on every page, and goes on with what was typed."""

import pytest
from browsing import Accessible, Scheme
from playwright.sync_api import Page, expect


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


def test_beginning_anew_with_what_was_typed(unknown: Page) -> None:
    """The button beside *Start* takes the names along; afterwards nothing is said any more."""
    unknown.goto("/en/new")
    expect(unknown.get_by_text("This browser cannot be recognised.")).to_be_visible()
    unknown.fill("#name-A", "Konstantynopolitańczykiewiczówna")
    unknown.fill("#name-B", "Jan")
    unknown.locator("label", has=unknown.locator("input[name=dealer][value=A]")).tap()
    unknown.get_by_role("button", name="Start", exact=True).tap()
    expect(unknown.locator("#name-A")).to_have_value("Konstantynopolitańczykiewiczówna")
    unknown.get_by_role("button", name="Start over and begin the match").tap()
    expect(unknown.locator(".board")).to_contain_text("Konstantynopolitańczykiewiczówna")
    unknown.goto("/en/")
    expect(unknown.get_by_text("Continue the match")).to_be_visible()
    expect(unknown.get_by_text("cannot be recognised")).to_have_count(0)
    unknown.goto("/en/browser")
    expect(unknown.get_by_text("still cannot be read")).to_be_visible()
