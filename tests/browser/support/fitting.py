"""What does not fit on a page: text outside the screen or its box, and short words broken in two."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect

PHONE: ViewportSize = {"width": 360, "height": 740}
SMALL: ViewportSize = {"width": 320, "height": 640}
SIDEWAYS: ViewportSize = {"width": 740, "height": 360}

SHORT = ("Ewa", "Jan", "Ala", "Olek")
LONG = ("Konstantynopolitańczykiewiczówna", "Wawrzyniec", "Maria Magdalena", "Przemysława-Anna")

_MISFITS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def find_misfits(page: Page, whole: int = 10) -> list[str]:
    """Text and buttons outside the screen or their box, and words of up to `whole` letters broken."""
    expect(page.locator("body")).to_be_attached()  # the page may just be coming
    page.wait_for_load_state()
    found: list[str] = page.evaluate(_MISFITS, whole)
    return found


def open_phone(browser: Browser, address: str, screen: ViewportSize, text: int = 100, **more: Any) -> Page:
    """A page on a phone with a screen of this size and text enlarged to so many per cent."""
    settings = {"base_url": address, "has_touch": True, "service_workers": "block", **more}
    context = browser.new_context(viewport=screen, screen=screen, **settings)
    page = context.new_page()
    if text != 100:
        page.add_init_script(
            "addEventListener('DOMContentLoaded',"
            f" () => {{ document.documentElement.style.fontSize = '{text}%' }})"
        )
    return page
