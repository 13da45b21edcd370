"""Few taps for what players do most often, and most of its buttons within the thumb's reach."""

from collections.abc import Iterator

import pytest
from browsing import choice, open_match, write_deal
from fitting import PHONE, SHORT, open_phone
from playwright.sync_api import Browser, Locator, Page, expect
from thumb import Thumb


class SteadyThumb(Thumb):
    """A thumb that scrolls nothing: what it taps is in view."""

    def tap(self, target: Locator) -> None:
        """One tap."""
        expect(target).to_be_in_viewport(ratio=1)
        super().tap(target)


@pytest.fixture(params=["en", "uk"])
def lang(request: pytest.FixtureRequest) -> str:
    """The language that everything is written in, and that with the longest words."""
    return str(request.param)


@pytest.fixture
def phone(browser: Browser, live_app: str) -> Iterator[Page]:
    """A phone that is narrow and low."""
    page = open_phone(browser, live_app, PHONE)
    yield page
    page.context.close()


def visible(page: Page, selector: str) -> Locator:
    """The last of these that is seen."""
    return page.locator(f"{selector} >> visible=true").last


def begin(page: Page, lang: str, game: str = "derda", table: str = "") -> str:
    """A match with its board open."""
    match = open_match(page, game, SHORT[: int(table or 2)], lang, table)
    page.goto(match)
    return match


def test_a_match_in_two(phone: Page, lang: str) -> None:
    """Those who played before play again: who deals, Start."""
    begin(phone, lang)
    phone.goto(f"/{lang}/new")
    thumb = SteadyThumb(phone)
    thumb.choose("dealer", "B")
    thumb.tap(phone.locator(".actions .primary"))
    expect(phone.locator(".board")).to_be_visible()
    assert thumb.taps == 2


def test_a_deal_passed_out_in_two(phone: Page, lang: str) -> None:
    """A deal begins on the board and ends there."""
    match, thumb = begin(phone, lang), SteadyThumb(phone)
    thumb.tap(visible(phone, ".actions .primary"))
    thumb.tap(phone.locator('button[value="save:thrown-in"]'))
    expect(phone).to_have_url(match)
    assert thumb.taps == 2


def test_a_deal_by_totals_in_seven(phone: Page, lang: str) -> None:
    """Who plays which suit, on the board; two digits, Next, two digits, Save."""
    match = begin(phone, lang)
    write_deal(phone, match, bid="A:H", counting="totals", total_A="90", total_B="72")
    phone.goto(match)
    thumb = SteadyThumb(phone)
    thumb.tap(visible(phone, ".quick-bid .btn"))
    thumb.numbers("82", "65")
    thumb.tap(visible(phone, 'button[value="save"]'))
    expect(phone).to_have_url(match)
    assert thumb.taps <= 7


def test_a_deal_by_words_in_sixteen(phone: Page, lang: str) -> None:
    """A run and belo, then the card points."""
    match, thumb = begin(phone, lang), Thumb(phone)
    thumb.tap(visible(phone, ".actions .primary"))
    thumb.choose("bid", "A:H")
    thumb.step("run:B:3")
    thumb.choose("runs-0-top", "K")
    for name, value in (("bela", "B"), ("jass", "A"), ("nine", "B"), ("last", "A")):
        thumb.choose(name, value)
    thumb.numbers("52", "31")
    thumb.tap(visible(phone, 'button[value="save"]'))
    expect(phone).to_have_url(match)
    assert thumb.taps <= 16


def open_four(page: Page, lang: str, game: str, table: str = "4") -> SteadyThumb:
    """The board of a table of four, or fewer, and who plays which suit tapped on it."""
    begin(page, lang, game, table)
    thumb = SteadyThumb(page)
    thumb.tap(visible(page, ".quick-bid .btn"))
    return thumb


def save(page: Page, thumb: Thumb) -> int:
    """Save the deal, and give the taps that it took."""
    thumb.tap(visible(page, 'button[value="save"]'))
    expect(page.locator(".entries tbody tr")).to_have_count(1)
    return thumb.taps


@pytest.mark.parametrize(
    ("game", "points", "most"), [("belote", "82", 4), ("bela", "82", 4), ("deberts-4", "100", 5)]
)
def test_a_deal_of_two_pairs(phone: Page, lang: str, game: str, points: str, most: int) -> None:
    """A deal of pairs takes who plays which suit, the points of one side, and Save."""
    thumb = open_four(phone, lang, game)
    thumb.numbers(points)
    assert save(phone, thumb) <= most


@pytest.mark.parametrize(("doubled", "most"), [(False, 5), (True, 6)])
def test_a_deal_of_coinche(phone: Page, lang: str, doubled: bool, most: int) -> None:
    """The contract in the order it is said: the page stays, and the pad is open for the points."""
    thumb = open_four(phone, lang, "coinche")
    thumb.choose("bid_points", "110")
    where = phone.evaluate("scrollY")
    if doubled:
        thumb.choose("double", "2")
    assert phone.evaluate("scrollY") == where
    expect(phone.locator("[data-numkeys]")).to_be_visible()
    thumb.numbers("98")
    expect(phone.locator(".plays")).to_be_in_viewport(ratio=1)
    assert save(phone, thumb) <= most


def test_a_deal_of_bela_with_melds_in_seven(phone: Page, lang: str) -> None:
    """A terca and bela, before the points; what says more of the terca is in view at once."""
    thumb = open_four(phone, lang, "bela")
    tile = phone.locator('.tile[value^="run:"][value$=":3"]').first
    seat = str(tile.get_attribute("value")).split(":")[1]
    thumb.step(f"run:{seat}:3")
    expect(tile).to_have_attribute("aria-pressed", "true")
    thumb.choose("runs-0-top", "K")
    thumb.choose("bela", seat)
    thumb.numbers("82")
    expect(phone.locator(".points input").first).to_be_in_viewport(ratio=1)
    assert save(phone, thumb) <= 7


@pytest.mark.parametrize(("game", "table"), [("belote", "4"), ("bela", "4"), ("bela-3", "3")])
def test_a_capot_costs_one_tap(phone: Page, lang: str, game: str, table: str) -> None:
    """Its tile instead of the points; or all points, and the answer to what they mean."""
    thumb = open_four(phone, lang, game, table)
    if game == "belote":
        thumb.tap(choice(phone, "trickless", "B").first)
        most = 5
    else:
        thumb.numbers("162")
        thumb.tap(phone.locator(".every-trick .choice:visible").first)
        most = 6
    assert save(phone, thumb) <= most
    expect(phone.locator(".board")).to_contain_text("252")


def test_undo_in_one_and_an_older_deal_in_two(phone: Page, lang: str) -> None:
    """On the board; by its line and one button more."""
    match = begin(phone, lang)
    for _deal in range(2):
        write_deal(phone, match, bid="A:H", counting="totals", total_A="90", total_B="72")
    phone.goto(match)
    steady = SteadyThumb(phone)
    steady.tap(visible(phone, 'form[action$="/undo"] button'))
    expect(phone.locator(".entries tbody tr")).to_have_count(1)
    assert steady.taps == 1
    thumb = Thumb(phone)
    thumb.tap(phone.locator(".entries tbody a").first)
    thumb.tap(phone.locator(".actions .primary"))
    expect(phone.locator('[name="bid"][value="A:H"]')).to_be_checked()
    assert thumb.taps == 2


def test_a_hand_in_one(phone: Page, lang: str) -> None:
    """A session of Durak is recorded by tapping the seat of the fool."""
    match, thumb = begin(phone, lang, "durak", "4"), SteadyThumb(phone)
    thumb.tap(phone.locator('.ring button[name="result"][value="C"]'))
    expect(phone.locator(".entries tbody tr")).to_have_count(1)
    expect(phone).to_have_url(match)
    assert thumb.taps == 1


def test_a_bout_in_one(phone: Page, lang: str) -> None:
    """A hand is followed by a tap; each bout takes one more."""
    begin(phone, lang, "durak", "4")
    thumb = SteadyThumb(phone)
    thumb.tap(phone.locator(".actions .primary"))
    thumb.tap(phone.locator('button[name="do"][value="first:A"]'))
    for bout in range(2):
        expect(phone.locator(".bouts li")).to_have_count(bout)
        thumb.tap(phone.locator('button[name="do"][value="beaten-off"]'))
    expect(phone.locator(".bouts li")).to_have_count(2)
    assert thumb.taps == 4
