"""A hand of perevodnoy followed on a phone: all that can be tapped is in view, whatever the names."""

import pytest
from browsing import PHONE, open_match, tap_followed
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Wawrzyniec", "Konstantynopolitańczykiewiczówna", "Aleksandra-Maria Kowalewska-Nowak", "Olek")


@pytest.mark.parametrize("lang", ["en", "pl"])
@pytest.mark.parametrize("size", [(360, 740), (320, 640)])
def test_long_names_and_all_that_can_be_tapped(page: Page, lang: str, size: tuple[int, int]) -> None:
    """Nothing is wider than the screen, every button in the dock is in view and large enough."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{open_match(page, 'durak', NAMES, lang, '4', 'perevodnoy-pass-card')}/hand/follow")
    for action in ("first:A", "trump:D"):
        tap_followed(page, action)
    for action in ("transfer", "talon:used-up", "transfer:shown"):
        page.evaluate("scrollTo(0, 0)")
        for element in page.locator(".dock .btn").all():
            expect(element).to_be_in_viewport(ratio=1)
            box = element.bounding_box()
            assert box and box["height"] >= 48 and box["width"] >= 48
            assert element.evaluate("element => element.scrollWidth <= element.clientWidth")
        tap_followed(page, action)
    for fold in page.locator("details.fold > summary").all():
        fold.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
