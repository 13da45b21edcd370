"""With `--nightly`: every page there is, all questions of all games with answers, matches of all kinds."""

import pytest
from browsing import Accessible, exchange
from fitting import SMALL, find_misfits, open_phone
from playwright.sync_api import Browser
from typed import discard_drafts

from companion import library
from companion.i18n import LANGUAGES
from tests.browser.languages import walk
from tests.browser.languages.serving import Served
from tests.roles.world import ROLES

GAMES = library.names()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_of_a_game(browser: Browser, served: Served, lang: str, game: str) -> None:
    """Its questions, its tables beside each other, and a match of it: under way, and when it is over."""
    page = open_phone(browser, served.address, SMALL)
    presets = list(library.open_game(game).book.presets)
    addresses = [*walk.list_questions(game), *(f"/rules/{game}?preset={preset}" for preset in presets)]
    addresses += [f"/rules/{game}/compare?a={presets[0]}&b={preset}" for preset in presets[1:]]
    addresses += [f"/new?game={game}&preset={preset}" for preset in presets]
    tables = walk.TABLES if game == "durak" else ("",)
    addresses += [f"/new?game={game}&table={table}" for table in tables]
    for table in tables:
        match = walk.begin(page, game, table)
        if game == "durak" and not table.startswith("teams"):
            walk.follow(page, match)
        addresses += [*walk.list_boards(match, game), *walk.list_rooms(match, game)]
        over = walk.begin(page, game, table)
        walk.end(page, over, game)
        addresses += [over, f"{over}/history", f"{over}/big", f"{over}/turned", f"{over}/sheet"]
    wrong = [one for address in addresses for one in walk.look(page, lang, address)]
    page.context.close()
    assert wrong == []


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_that_a_role_sees(browser: Browser, served: Served, lang: str, role: str) -> None:
    """Every page at a table, and what is said to those who may not see it."""
    page = open_phone(browser, served.address, SMALL)
    if role != "nobody":
        page.context.add_cookies(served.cookies(role))
    addresses = walk.list_routes(served.world.places, role, all_that_refuse=True)
    wrong = [one for address in addresses for one in walk.look(page, lang, address)]
    page.context.close()
    assert wrong == []


@pytest.mark.parametrize("game", [game for game in GAMES if game != "durak"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_deal_half_told(browser: Browser, served: Served, lang: str, game: str) -> None:
    """With a run, with calls, with cards as they fell, and with a number that is being typed."""
    page = open_phone(browser, served.address, SMALL)
    match = walk.begin(page, game)
    wrong = []
    for way, step in (("count", "run:B:3"), ("count", "way:calls"), ("cards", "card:AS")):
        page.goto(f"/{lang}{match}/deal?mode={way}&bid=A:H")
        button = page.locator(f'button[name="do"][value="{step}"]').first
        with exchange(page, button):
            button.tap()
        wrong += [f"{step}: {misfit}" for misfit in find_misfits(page)]
        discard_drafts(page)
    page.goto(f"/{lang}{match}/deal?mode=totals&bid=A:H")
    page.locator(".points input").first.fill("70")
    page.wait_for_load_state("networkidle")  # what it comes to, as far as one number tells
    wrong += find_misfits(page)
    page.context.close()
    assert wrong == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_keeps_a_reader_out(
    browser: Browser, served: Served, accessible: Accessible, lang: str
) -> None:
    """The checker finds no fault with any main page in any language."""
    page = open_phone(browser, served.address, SMALL)
    page.context.add_cookies(served.cookies("owner"))
    for address in walk.list_main(page, served.world.places):
        if address != "/fault/under-way":  # it leaves by itself
            page.goto(f"/{lang}{address}")
            accessible(page)
    page.context.close()
