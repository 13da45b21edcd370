"""Every main page in every language: on the smallest phone, and with text twice as large, nothing is cut."""

import re
from collections.abc import Iterator

import pytest
from browsing import open_match, write_deal
from fitting import PHONE, SHORT, SMALL, find_misfits, open_phone
from playwright.sync_api import Browser, Page, expect

from companion import library
from companion.i18n import LANGUAGES

SCREENS = {"320": (SMALL, 100, 10), "200 per cent": (PHONE, 200, 3)}
"""The screen, the size of the text in per cent, and up to how many letters no word is broken there."""
PAGES = (
    *("", "/new", "/rules", "/ask", "/bin", "/put-away", "/browser", "/export", "/import", "/move"),
    *("/move/code", "/move/here", "/offline", "/pocket", "/rules?q=a", "/rules?q=zzzz"),
    *(f"/{room}/{game}" for game in library.names() for room in ("rules", "sheets")),
    *(f"/new?game={game}" for game in library.names()),
    *(f"/sheets/{game}/card" for game in library.names()),
    *(f"/ask/{game}" for game in ("derda", "klaberjass-4", "deberts", "durak")),
    *(f"/ask/deberts/{question}" for question in ("play", "runs", "outcome", "penalty", "auction", "finish")),
    *(f"/ask/durak/{question}" for question in ("beat", "throw-in")),
    *("/rules/deberts?preset=one-blow", "/rules/deberts/compare?a=moscow&b=one-blow", "/nowhere"),
)
MATCH = (
    *("", "/ask", "/ask/audit", "/more", "/names", "/history", "/phones", "/entries/1", "/entries/1/object"),
    *("/export", "/sheet", "/delete", "/turned", "/big"),
)
DEAL = ("/deal", "/deal?counting=totals", "/enough", "/audit")
HAND = ("/hand", "/hand/follow")


@pytest.fixture(scope="module")
def matches(browser: Browser, live_app: str) -> Iterator[tuple[Page, str, str]]:
    """A page of a phone, its match of Deberts with a deal, and one of Durak."""
    page = open_phone(browser, live_app, SMALL)
    deberts = open_match(page, "deberts", SHORT)
    write_deal(page, deberts, bid="A:H", counting="totals", total_A="92", total_B="60")
    durak = open_match(page, "durak", SHORT, table="4")
    yield page, deberts, durak
    page.context.close()


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_cut_in_any_language(
    browser: Browser, live_app: str, matches: tuple[Page, str, str], lang: str, screen: str
) -> None:
    """Whatever the page says there; its language is the one that was asked for."""
    owner, deberts, durak = matches
    size, text, whole = SCREENS[screen]
    page = open_phone(browser, live_app, size, text, storage_state=owner.context.storage_state())
    addresses = [f"/{lang}{path}" for path in PAGES]
    for match, parts in ((deberts, (*MATCH, *DEAL)), (durak, (*MATCH[:3], *HAND))):
        addresses += [f"/{lang}/m/{match.rsplit('/', 1)[1]}{part}" for part in parts]
    if text > 100:  # what is lettered by the size of its paper, or of the screen, grows by no setting
        addresses = [one for one in addresses if not re.search(r"/sheets?(/|$)|/big$", one)]
    wrong = []
    for address in addresses:
        page.goto(address)
        expect(page.locator("html")).to_have_attribute("lang", lang)
        wrong += [f"{address}: {one}" for one in find_misfits(page, whole)]
    page.context.close()
    assert wrong == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_is_a_tap_away(browser: Browser, live_app: str, lang: str) -> None:
    """Each by its own name at the foot of every page; the phone keeps the choice."""
    page = open_phone(browser, live_app, SMALL)
    page.goto("/en/rules")
    page.locator(f'.foot a[hreflang="{lang}"]').tap()
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator(f'.foot a[hreflang="{lang}"]')).to_contain_text(LANGUAGES[lang])
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
