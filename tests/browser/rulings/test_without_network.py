"""A question put together while the server does not answer: the page stays, with all that was picked."""

import pytest
from browsing import PHONE
from pads import choose, key
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
SENTENCE = "The answer needs the network."


def test_the_answer_waits_for_the_network(page: Page) -> None:
    """Asked without a network the page stays; asked again it is answered."""
    page.goto("/en/ask/durak/beat")
    choose(page, "trump", "H")
    key(page, "attack", "AS").tap()
    key(page, "with", "6H").tap()
    address = page.url
    page.context.set_offline(True)
    page.get_by_role("button", name="Show the answer").tap()
    expect(page.locator("#ask > .error")).to_contain_text(SENTENCE)
    expect(page.locator("#ask > .error")).to_be_in_viewport()
    assert page.url == address
    page.context.set_offline(False)
    page.get_by_role("button", name="Show the answer").tap()
    expect(page.locator(".verdict-line")).to_contain_text("Yes, 6")
