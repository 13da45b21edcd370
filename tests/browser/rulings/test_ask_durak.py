"""Asking about a hand on a phone: three taps at most and the cards; by keyboard; without scripts."""

import pytest
from browsing import PHONE, Accessible, open_match
from pads import choose, key
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

AT = "/en/ask/durak/"


def answer(page: Page) -> Locator:
    """Ask, and read the verdict."""
    page.get_by_role("button", name="Show the answer").tap()
    return page.locator(".verdict-line")


def test_a_bout_step_by_step(page: Page, accessible: Accessible) -> None:
    """Quick taps keep their order; the defender beats what waits; the last step can be taken back."""
    page.goto(AT + "bout")
    choose(page, "trump", "H")
    for code in ("7S", "10S"):
        key(page, "steps", code).tap()
    expect(page.locator(".steps li")).to_have_count(2)
    expect(page.locator(".steps li").nth(1)).to_contain_text("Player B")
    expect(key(page, "steps", "10S")).to_be_disabled()
    choose(page, "next.steps", "C")
    key(page, "steps", "10D").tap()
    expect(page.locator(".steps li").nth(2)).to_contain_text("Player C")
    page.get_by_role("button", name="Take back the last").tap()
    expect(page.locator(".steps li")).to_have_count(2)
    page.get_by_role("button", name="Player B picks up").tap()
    expect(page.get_by_text("Player B beats")).to_have_count(0)
    accessible(page)
    page.get_by_role("button", name="Take back the last").tap()
    expect(page.locator(".steps li")).to_have_count(2)
    expect(answer(page)).to_have_text("Player B has beaten it off.")
    accessible(page)


@pytest.mark.parametrize("jokers", [0, 2])
@pytest.mark.parametrize(("deck", "width"), [("36", 360), ("52", 360), ("52", 320), ("24", 360)])
def test_the_pad_is_whole_on_the_screen(page: Page, deck: str, width: int, jokers: int) -> None:
    """The pack in use without scrolling, every key at least 24 px either way."""
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{AT}beat?rule-deck={deck}&rule-jokers={jokers}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    pad = page.locator('[data-pad="attack"] .cardpad')
    pad.locator(".cardpad-row").last.scroll_into_view_if_needed()
    box, bar, top = (
        pad.bounding_box(),
        page.locator(".actions").bounding_box(),
        page.locator("header").bounding_box(),
    )
    assert box and bar and top and box["height"] <= bar["y"] - top["height"]
    sizes = pad.locator(".cardkey").evaluate_all(
        "keys => keys.map((key) => [key.offsetWidth, key.offsetHeight])"
    )
    assert len(sizes) == int(deck) + jokers
    assert all(side >= 24 for size in sizes for side in size)


def test_names_of_any_length_stay_on_the_screen(page: Page, accessible: Accessible) -> None:
    """In steps, moves and transfers; the smallest phone is not scrolled sideways."""
    page.set_viewport_size({"width": 320, "height": 640})
    long = ("Wawrzyniec", "Konstantynopolitańczykiewiczówna", "Bartłomiej Jan Maria", "Ala")
    match = open_match(page, "durak", long, table="4", preset="perevodnoy-pass-card")
    for question, facts in (
        ("bout", "attacker=A&defender=B&trump=H&steps=A+7S&steps=B+7H+show"),
        ("turn", "attacker=A&defender=B&transfers.0.by=B"),
        ("transfer", "defender=B&table=7S&card=7H&trump=H&shown=yes&next_cards=4&asked=1"),
    ):
        page.goto(f"{match}/ask/{question}?{facts}")
        if question == "bout":
            page.locator('[data-pad="steps"] summary').tap()
            expect(page.locator(".steps li")).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        accessible(page)
