"""A thumb that records deals in the browser tests."""

from browsing import choice, exchange
from playwright.sync_api import Locator, Page


class Thumb:
    """A thumb on the page: it taps, one target at a time, and counts."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, target: Locator) -> None:
        """One tap."""
        target.tap()
        self.taps += 1

    def button(self, text: str) -> None:
        """Tap a button or a link by what it says."""
        named = self.page.get_by_role("button", name=text, exact=True)
        self.tap(named.or_(self.page.get_by_role("link", name=text, exact=True)).first)

    def choose(self, name: str, value: str) -> None:
        """Tap one of several."""
        self.tap(choice(self.page, name, value))

    def step(self, action: str) -> None:
        """Tap a button that changes the page in place, and wait for the page."""
        button = self.page.locator(f'button[name="do"][value="{action}"]').first
        with exchange(self.page, button):
            self.tap(button)

    def keys(self, text: str) -> None:
        """Tap on the number pad."""
        for key in text:
            self.tap(self.page.locator(f'[data-numkeys] [data-key="{key}"]'))

    def numbers(self, *texts: str) -> None:
        """One number after the other, and Next between them."""
        for place, text in enumerate(texts):
            if place:
                self.tap(self.page.locator('[data-key="next"]'))
            self.keys(text)
