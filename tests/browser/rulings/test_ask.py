"""Asking on a phone: cards from a pad, runs, a match's own dispute; by keyboard, and without scripts."""

import re
from collections.abc import Iterator

import pytest
from browsing import Accessible
from pads import choose, key, reach, tap
from playwright.sync_api import Page, expect


@pytest.fixture(autouse=True)
def small(page: Page) -> Iterator[None]:
    """A small phone."""
    page.set_viewport_size({"width": 360, "height": 740})
    yield


def test_may_i_play_this(page: Page, accessible: Accessible) -> None:
    """From the list of questions to the verdict, every card from a pad that is whole on the screen."""
    page.goto("/en/ask/derda")
    accessible(page)
    page.get_by_role("link", name="May I play this?").tap()
    choose(page, "trump", "H")
    box = page.locator('[data-pad="hand"] .cardpad').bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360 and box["height"] < 400
    tap(page, "hand", "8H", "AH", "7D")
    expect(page.locator('[data-pad="hand"] summary .card')).to_have_count(3)
    tap(page, "trick", "10H")
    expect(key(page, "trick", "8H")).to_be_disabled()
    tap(page, "card")
    expect(key(page, "card", "KS").locator("input")).to_be_disabled()
    key(page, "card", "8H").tap()
    expect(page.locator('[data-pad="card"] summary .card')).to_have_count(1)
    accessible(page)
    page.get_by_role("button", name="Show the answer").tap()
    expect(page.locator(".verdict-line")).to_contain_text("may not be played")
    expect(page.locator(".facts").first.locator(".card")).to_have_count(1)
    expect(page.get_by_role("link", name="derda.play.trump-led")).to_be_visible()
    assert "rule-" not in page.url and "preset" not in page.url
    accessible(page)
    page.get_by_text("Change the facts").tap()
    choose(page, "trump", "S")
    page.get_by_role("button", name="Ask again").tap()
    expect(page.locator(".verdict-line")).to_contain_text("Yes, 8")
    again = page.url
    page.goto("/en/")
    page.goto(again)
    expect(page.locator(".verdict-line")).to_contain_text("Yes, 8")


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
