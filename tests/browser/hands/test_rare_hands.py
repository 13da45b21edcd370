"""What is seldom recorded of a hand, on a phone: every reader, room for a thumb, the smallest screen."""

import re

import pytest
from browsing import PHONE, Accessible, Scheme
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE | {"viewport": {"width": 360, "height": 740}})
NAMES = ("Ewa", "Jan", "Wawrzyniec", "Konstantynopolitańczykiewiczówna")
BOARD = re.compile(r"/m/[\w-]{22}$")
RULES = {"five_of_a_suit": "redeal", "epaulettes": "true", "walk_out": "plays-on"}


def sit_down(page: Page, base: str = "", **rules: str) -> str:
    """The board of a new session of four who have agreed on these house rules; the first deals."""
    page.goto(f"{base}/en/new?game=durak&table=4")
    for name, field in zip(NAMES, page.locator("input[data-seat]").all(), strict=False):
        field.fill(name)
    page.locator('input[name="dealer"][value="A"]').check(force=True)
    for fold in page.locator("details:has([name^='rule-'])").all():
        fold.evaluate("element => { element.open = true }")
    for name, value in rules.items():
        page.locator(f'input[name="rule-{name}"][value="{value}"]').check(force=True)
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(BOARD)
    return page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_a_reader_out(page: Page, accessible: Accessible, scheme: Scheme) -> None:
    """The checker finds no fault with the form unfolded, the board, a hand and its correction."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    board = sit_down(page, **RULES)
    page.goto(f"{board}/hand")
    page.evaluate("document.querySelectorAll('details').forEach(element => { element.open = true })")
    accessible(page)
    for target in page.locator("#hand :is(button, summary, .choice, select):visible").all():
        box = target.bounding_box()
        assert box is not None and box["height"] >= 47.5, target.inner_text()
    page.set_viewport_size({"width": 320, "height": 640})
    for size in ("100%", "200%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.get_by_role("radio", name="4", exact=True).check(force=True)
    page.get_by_role("button", name="Jan is the fool").click()
    expect(page.locator(".marks")).to_be_visible()
    accessible(page)
    page.goto(f"{board}/entries/1")
    accessible(page)
    page.goto(f"{board}/entries/1?edit=1")
    accessible(page)
