"""Taps on the pages that ask: cards on a pad, one of a few."""

from playwright.sync_api import Locator, Page


def key(page: Page, field: str, code: str) -> Locator:
    """A card on the pad of a field."""
    pad = page.locator(f'[data-pad="{field}"]')
    return pad.locator(f'label.cardkey:has(input[value="{code}"]), button.cardkey[value="{code}"]')


def choose(page: Page, name: str, value: str) -> None:
    """Tap one of a few."""
    page.locator(f'label:has(input[name="{name}"][value="{value}"])').tap()


def reach(page: Page, selector: str) -> None:
    """Go on by the tab key until the focus is there."""
    for _step in range(150):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no tab leads to {selector}")
