"""What tests in a browser begin with."""

import re

from playwright.sync_api import Page, expect

NAMES = ("Ewa", "Jan")


def begin(page: Page, lang: str = "en", names: tuple[str, str] = NAMES) -> str:
    """Start a match by typing, and give its address."""
    page.goto(f"/{lang}/new")
    page.fill("#name-A", names[0])
    page.fill("#name-B", names[1])
    page.locator("label", has=page.locator("input[name=dealer][value=A]")).click()
    page.locator(".actions .primary").click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    return page.url
