"""The language is chosen on This phone, a tap explains a word; the walk leaves out no page, no question."""

import re

import pytest
from fitting import SMALL, open_phone
from playwright.sync_api import Browser, expect

from companion import library
from companion.i18n import LANGUAGES
from companion.web.shell.language import PREFIX
from tests.browser.languages import walk
from tests.browser.languages.serving import Served
from tests.browser.rulings.asking import ONCE
from tests.roles.routes import ROUTES


def test_no_page_is_left_out(served: Served) -> None:
    """Whatever the app shows to an owner is looked at; what is left out is no page."""
    rules = {rule.rule for rule in served.world.app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    asked = {route.rule.replace("/<lang>", PREFIX) for route in ROUTES if route.method == "GET"}
    pages = {rule for rule in rules if rule.startswith(PREFIX) and not re.search("/(fault|paper)/", rule)}
    assert pages - asked == set()
    assert len(walk.list_routes(served.world.places, all_that_refuse=True)) >= 50


def test_no_question_is_left_out() -> None:
    """There is a case for the form of every question that any game knows."""
    known = {name for game in library.names() for name in library.open_game(game).family.questions}
    assert {name for _game, name, _facts in ONCE} == known
    assert len({game for game, _name, _facts in ONCE}) > 5


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_is_a_tap_away(browser: Browser, live_app: str, lang: str) -> None:
    """Each by its own name behind the globe at the foot of every page; the phone keeps the choice."""
    page = open_phone(browser, live_app, SMALL)
    page.goto("/en/rules")
    page.locator(".foot a:has(.icon)").tap()
    expect(page.locator(f'a[hreflang="{lang}"]')).to_contain_text(LANGUAGES[lang])
    page.locator(f'a[hreflang="{lang}"]').tap()
    expect(page).to_have_url(re.compile(f"/{lang}/rules$"))
    expect(page.locator("html")).to_have_attribute("lang", lang)
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", lang)
    page.context.close()


def test_a_word_is_explained_by_a_tap(browser: Browser, live_app: str) -> None:
    """Without script: what it means comes up on the screen, moves nothing, and goes away again."""
    page = open_phone(browser, live_app, SMALL, java_script_enabled=False)
    page.goto("/ru/rules/deberts")
    word = page.locator(".gloss").first
    meaning = page.locator(f"#{word.get_attribute('popovertarget')}")
    expect(meaning).to_be_hidden()
    word.tap()
    expect(meaning).to_be_visible()
    box = meaning.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= SMALL["width"]
    page.keyboard.press("Escape")
    expect(meaning).to_be_hidden()
    page.context.close()
