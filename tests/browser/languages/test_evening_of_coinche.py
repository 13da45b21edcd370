"""An evening of Coinche in French: without trumps, with all trumps, a générale; by few taps, to the paper."""

from browsing import BOARD, SCREEN, choice
from fitting import find_misfits, open_phone
from playwright.sync_api import Browser, Page, expect
from thumb import Thumb

from .english import English
from .paper import Paper
from .plans import LOCALES

NAMES = ("Bartholomé", "Marie-Antoinette", "Jean-Christophe", "Ly")
DEALS: tuple[tuple[str, str, tuple[str, ...], str, int, tuple[str, str]], ...] = (
    ("B:NT", "100", (), "62", 5, ("60", "200")),
    ("A:AT", "110", ("double:2", "pairs_A:1", "pairs_C:1"), "120", 9, ("620", "0")),
    ("D:H", "generale", ("alone:yes",), "", 4, ("0", "750")),
    ("D:C", "80", (), "62", 5, ("60", "180")),
)
"""Deals: taker and trumps, bid, further taps, points of the first side, number of taps, points written."""


def test_an_evening_of_coinche(browser: Browser, live_app: str) -> None:
    page = open_phone(browser, live_app, SCREEN, locale=LOCALES["fr"])
    english, wrong = English("fr"), list[str]()
    page.on("pageerror", lambda error: wrong.append(f"thrown: {error}"))

    def look(page: Page) -> None:
        wrong.extend(english.look(page, *NAMES))
        wrong.extend(f"{page.url}: {misfit}" for misfit in find_misfits(page))

    page.goto("/fr/new?game=coinche&preset=all-contracts")
    for name, item in zip(NAMES, page.locator("input[data-seat]").all(), strict=True):
        item.fill(name)
    choice(page, "dealer", "A").tap()
    look(page)
    page.locator('button[name="step"][value="start"]').tap()
    expect(page).to_have_url(BOARD)
    match, thumb = page.url, Thumb(page)

    for number, (bid, points, further, count, taps, written) in enumerate(DEALS, 1):
        thumb.taps = 0
        thumb.tap(page.locator(f'.quick-bid a[href$="bid={bid}"]'))
        thumb.choose("bid_points", points)
        for name, value in (item.split(":") for item in further):
            thumb.choose(name, value)
        thumb.keys(count)
        expect(page.locator("#comes-to")).to_contain_text("réussissent")
        look(page)
        thumb.tap(page.locator('button[name="do"][value="save"]:visible').last)
        expect(page).to_have_url(match)
        assert thumb.taps == taps, bid
        expect(page.locator(".entries tbody tr").first.locator("td")).to_have_text([str(number), *written])
        look(page)

    expect(page.locator(".winner")).to_be_visible()
    page.goto(f"{match}/sheet")
    look(page)
    printed = page.locator('nav.actions a[href*="paper=a4"]').get_attribute("href")
    paper = Paper(page.request.get(str(printed), timeout=60_000).body())
    for words in (*NAMES, "100 SA", "110 TA ×2", "G ♥", "capot", "belote 20 · belote 20", "1130 : 740"):
        assert paper.says(words), (words, paper.text)
    assert (paper.find_undrawn(), paper.find_foreign_fonts()) == (set(), set())
    page.context.close()
    assert wrong == []
