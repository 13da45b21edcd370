"""Asking on a phone: cards from a pad, runs, a match's own dispute; by keyboard, and without scripts."""

import re

import pytest
from browsing import PHONE, Accessible
from pads import choose, reach
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)


def test_a_dispute_of_a_match(page: Page, accessible: Accessible) -> None:
    """From the scoreboard: names for seats, the dealer known, and from the answer to the match's rules."""
    page.goto("/en/new")
    page.fill("#name-A", "Ewa")
    page.fill("#name-B", "Jan")
    choose(page, "dealer", "A")
    page.locator(".actions .primary").tap()
    page.get_by_role("link", name="Dispute", exact=True).tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("What is it about?")
    accessible(page)
    page.get_by_role("link", name="What does this deal come to?").tap()
    expect(page.locator('input[name="dealer"][value="A"]')).to_be_checked()
    choose(page, "declarer", "B")
    page.get_by_role("group", name="Made, words and all").get_by_label("Ewa").fill("85")
    page.get_by_role("group", name="Made, words and all").get_by_label("Jan").fill("82")
    page.get_by_role("button", name="Show the answer").tap()
    expect(page.locator(".verdict-line")).to_have_text("Bajt: Jan made less.")
    page.get_by_text("Why", exact=True).tap()
    page.get_by_role("link", name="derda.score.bajt").tap()
    expect(page).to_have_url(re.compile(r"/rules/derda\?match=[\w-]{22}#derda\.score\.bajt$"))
    expect(page.locator('[id="derda.score.bajt"]')).to_be_in_viewport()


def test_by_keyboard_alone(page: Page) -> None:
    """Tab, space, arrows and enter are enough to ask whether a card may be played."""
    page.goto("/en/ask/derda/play")
    reach(page, 'input[name="trump"]')
    page.keyboard.press("Space")
    for code in ("8S", "AS"):
        page.locator('[data-pad="hand"] summary').focus()
        reach(page, f'input[name="hand"][value="{code}"]')
        page.keyboard.press("Space")
    reach(page, '[data-pad="card"] summary')
    page.keyboard.press("Enter")
    reach(page, '[data-pad="card"] input')
    page.keyboard.press("Space")
    reach(page, 'button[name="asked"]')
    page.keyboard.press("Enter")
    expect(page.locator(".verdict-line")).to_contain_text("Yes, A")
