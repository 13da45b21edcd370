"""Every question asked once on a phone: the form, one tap, the answer."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from companion import library
from tests.browser.rulings.asking import ONCE


def test_none_is_left_out() -> None:
    """There is a case for the form of every question that any game knows."""
    known = {name for game in library.names() for name in library.open_game(game).family.questions}
    assert {name for _game, name, _facts in ONCE} == known
    assert len({game for game, _name, _facts in ONCE}) > 5


@pytest.mark.parametrize(("game", "name", "facts"), ONCE, ids=[f"{name}-{game}" for game, name, _ in ONCE])
def test_asked_on_a_phone(page: Page, game: str, name: str, facts: list[tuple[str, str]]) -> None:
    """What is known is filled in; one tap gives a verdict, why, and the rules."""
    page.goto(f"/en/ask/{game}/{name}?{urlencode(facts)}")
    expect(page.locator(".verdict-line")).to_have_count(0)
    page.locator('.actions button[name="asked"]').tap()
    expect(page.locator(".verdict-line")).not_to_be_empty()
    expect(page.locator(".why")).not_to_be_empty()
    assert page.locator(".cited .rule-id").count() >= 1
