"""What tests in a browser begin with."""

import re
from collections.abc import Callable
from typing import Literal

from playwright.sync_api import Page, ViewportSize, expect

SCREEN: ViewportSize = {"width": 360, "height": 740}
PHONE = {"viewport": SCREEN, "screen": SCREEN}
NAMES = ("Ewa", "Jan")

Accessible = Callable[[Page], None]
Scheme = Literal["light", "dark"]


def begin(page: Page, lang: str = "en", names: tuple[str, str] = NAMES) -> str:
    """Start a match by typing, and give its address."""
    page.goto(f"/{lang}/new")
    page.fill("#name-A", names[0])
    page.fill("#name-B", names[1])
    page.locator("label", has=page.locator("input[name=dealer][value=A]")).click()
    page.locator(".actions .primary").click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    return page.url
