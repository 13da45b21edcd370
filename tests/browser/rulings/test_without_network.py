"""A question put together while the server does not answer: the page stays, with all that was picked."""

import re

import pytest
from browsing import PHONE
from pads import choose, key
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
SENTENCE = "The answer needs the network."


def placed(page: Page) -> list[str]:
    """The cards of the bout, as they were entered."""
    return page.locator(".steps li .card").all_inner_texts()


@pytest.mark.parametrize("breaks", [False, True], ids=["no network", "a server that breaks"])
def test_a_card_waits_for_the_network(page: Page, breaks: bool) -> None:
    """The sentence stands by the pad; the key can be tapped again; what was entered before is still there."""
    page.goto("/en/ask/durak/bout")
    choose(page, "trump", "H")
    key(page, "steps", "7S").tap()
    expect(page.locator(".steps li")).to_have_count(1)
    address = page.url
    asked = re.compile(r"/ask/durak/bout\?")
    if breaks:
        page.route(asked, lambda route: route.fulfill(status=503, body="down"))
    else:
        page.context.set_offline(True)
    key(page, "steps", "10S").tap()
    expect(page.locator("#field-steps .error")).to_contain_text(SENTENCE)
    assert page.url == address
    assert placed(page) == ["7"]
    expect(page.locator('input[name="trump"][value="H"]')).to_be_checked()
    page.unroute(asked)
    page.context.set_offline(False)
    key(page, "steps", "10S").tap()
    expect(page.locator(".steps li .card")).to_have_text(["7", "10", "7"])
    expect(page.get_by_text(SENTENCE)).to_have_count(0)


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
