"""The board large, for a whole room, and turned, for the player opposite: both follow the match."""

import pytest
from browsing import PHONE, Accessible, open_match, write_deal
from entries import write_hand
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

LONG = ("Wawrzyniec", "Konstantynopolitańczykiewiczówna", "Ewa", "Olek", "Ala", "Jan")
SIZES = ((320, 640), (360, 740), (1280, 800), (1920, 1080))
SHOWN = ".total, .roles, .seat, .facts p, .below p, .leave a, .figures, .board, .ring"
CUT = """(shown) => [...document.querySelectorAll(shown)].filter((element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return left < -1 || right > innerWidth + 1 || element.scrollWidth > element.clientWidth + 1
    || (document.body.classList.contains("large") && (top < -1 || bottom > innerHeight + 1));
}).map((element) => element.outerHTML)"""


def play(page: Page, players: int, lang: str) -> str:
    """A match of so many, with something written in it."""
    if players == 2:
        match = open_match(page, "derda", LONG[:2], lang)
        for _deal in range(4):
            write_deal(page, match, bid="A:H", counting="totals", total_A="90", total_B="72")
    elif players == 4:
        match = open_match(page, "klaberjass-4", LONG[:4], lang, table="4")
        write_deal(page, match, bid="A:H", counting="totals", total_A="102", total_B="60")
    else:
        match = open_match(page, "durak", LONG[:players], lang, table=str(players))
        for fool in "ABBCA":
            write_hand(page, match, fool)
    return match


@pytest.mark.parametrize("lang", ["en", "pl"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_everything_is_in_view(page: Page, accessible: Accessible, players: int, lang: str) -> None:
    """Totals, the last entry and who deals fit on phones, tablets and televisions, with long names too."""
    match = play(page, players, lang)
    for view in ("big", "turned"):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{match}/{view}")
            assert page.evaluate(CUT, SHOWN) == [], (view, width)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            if view == "big":
                assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        accessible(page)


def test_the_board_is_read_from_afar(page: Page) -> None:
    """Totals are five squares of thirty high; on a screen half a metre wide the rest is 1 cm."""
    page.set_viewport_size({"width": 1280, "height": 800})
    square, millimetre = 1280 / 30, 1280 / 500
    for players in (2, 3, 4, 6):
        page.goto(f"{play(page, players, 'en')}/big")
        for shown, least in (
            (".total", 4.9 * square),
            (".names", 10 * millimetre),
            (".seat .player", 10 * millimetre),
            (".roles, .below p", 10 * millimetre),
        ):
            sizes = page.locator(shown).evaluate_all(
                "all => all.map((element) => parseFloat(getComputedStyle(element).fontSize))"
            )
            assert all(size * 0.7 >= least for size in sizes), (players, shown)  # a digit is 0.7 of its line


def test_the_way_there_and_back(page: Page) -> None:
    """Behind More, and one tap back to the board; upside down is upside down."""
    match = play(page, 2, "en")
    for name, back in (("Turn", "Turn back"), ("Big board", "Scoreboard")):
        page.goto(f"{match}/more")
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.locator(".figures, .board")).to_be_visible()
        page.wait_for_load_state()
        if name == "Turn":
            first, last = (
                page.locator(item).bounding_box() for item in (".figure .names >> nth=0", ".facts")
            )
            assert first and last and first["y"] > last["y"]
        page.get_by_role("link", name=back).click()
        expect(page).to_have_url(match)
