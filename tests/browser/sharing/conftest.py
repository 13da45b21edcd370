"""Several phones at one table."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browsing import BOARD, PHONE
from playwright.sync_api import Browser, Page, expect


@pytest.fixture
def other_phone(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Callable[..., Page]]:
    """Another phone at the table, known to nobody; keywords are settings of its browser."""
    contexts, thrown = [], list[str]()

    def make(**settings: Any) -> Page:
        contexts.append(browser.new_context(**browser_context_args | PHONE | settings))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: thrown.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not thrown


@pytest.fixture
def join(other_phone: Callable[..., Page]) -> Callable[..., Page]:
    """Lets another phone take part in a match, as its owner's page invites it: on the board then."""

    def seat(owner: Page, match: str, as_what: str) -> Page:
        owner.goto(f"{match}/phones")
        owner.locator(f'button[value="{as_what}"]').click()
        link = owner.locator("#address").input_value()
        phone = other_phone()
        phone.goto(link)
        phone.locator(".actions .primary").click()
        expect(phone).to_have_url(BOARD)
        return phone

    return seat
