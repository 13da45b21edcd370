"""What is seldom recorded of a hand, on a phone: every reader, room for a thumb, the smallest screen."""

import pytest
from browsing import PHONE, Accessible, Scheme, open_match
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE | {"viewport": {"width": 360, "height": 740}})
NAMES = ("Ewa", "Jan", "Wawrzyniec", "Konstantynopolitańczykiewiczówna")
RULES = {"rule-five_of_a_suit": "redeal", "rule-epaulettes": "true", "rule-walk_out": "plays-on"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_a_reader_out(page: Page, accessible: Accessible, scheme: Scheme) -> None:
    """The checker finds no fault with the form unfolded, the board, a hand and its correction."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    board = open_match(page, "durak", NAMES, table="4", fields=RULES)
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
    expect(page.locator(".epaulette")).to_have_count(4)
    accessible(page)
    page.goto(f"{board}/entries/1")
    accessible(page)
    page.goto(f"{board}/entries/1?edit=1")
    accessible(page)
