"""The walk past the pages: before a commit every fourth route; at night the others, and those of all games in
languages that take turns, in the two views with the least room; for a version all of it, by every role, in
every view and language."""

from collections.abc import Iterable, Sequence

import pytest
from browsing import step
from fitting import LONG, SMALL, find_misfits, open_phone
from playwright.sync_api import Browser, expect
from tiers import mostly_at_night, mostly_in_release
from typed import discard_drafts

from companion import library
from companion.i18n import LANGUAGES
from companion.jacknine.ruleset import JackNineRuleset
from tests.browser.languages import walk
from tests.browser.languages.serving import Served
from tests.browser.languages.walk import Visit
from tests.roles.world import ROLES

GAMES = library.names()
DRAWN = {("pl", "derda"), ("de", "coinche"), ("uk", "deberts"), ("ru", "durak")}
"""The games of every night: four unlike ones, each in a language of those who play it."""
ALL_GAMES = [
    pytest.param(lang, game, marks=[] if (lang, game) in DRAWN else pytest.mark.release)
    for lang in LANGUAGES
    for game in GAMES
]


@pytest.fixture(scope="module")
def main_pages(browser: Browser, served: Served) -> list[tuple[str, Sequence[str]]]:
    """Their addresses without a language, and the roles that may see them."""
    with open_phone(browser, served.address, SMALL).context as context:
        context.add_cookies(served.cookies("owner"))
        return walk.list_main(context.pages[0], served.world.places)


def find_all(browser: Browser, served: Served, visits: Iterable[Visit]) -> list[str]:
    """What is wrong on all of these visits."""
    with open_phone(browser, served.address, SMALL).context as context:
        wrong = list[str]()
        for visit in visits:
            context.clear_cookies()
            if visit.role != "nobody":
                context.add_cookies(served.cookies(visit.role))
            wrong += walk.look(context.pages[0], visit)
        return wrong


@mostly_at_night("first", range(4), {0})
def test_each_page_once(browser: Browser, served: Served, first: int) -> None:
    """Every fourth route: each by one role, in one language and view."""
    visits = walk.draw_visits(walk.list_by_role(served.world.places))
    assert find_all(browser, served, visits[first::4]) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_main_pages(
    browser: Browser, served: Served, main_pages: list[tuple[str, Sequence[str]]], lang: str
) -> None:
    """Each as its owner sees it, and every form of a question that nothing is said in."""
    drawn = walk.take_turns([*(path for path, _roles in main_pages), *walk.list_forms()])
    assert find_all(browser, served, (visit for visit in drawn if visit.lang == lang)) == []


@pytest.mark.release
@pytest.mark.parametrize("lang", LANGUAGES)
def test_main_pages_in_every_language(
    browser: Browser, served: Served, main_pages: list[tuple[str, Sequence[str]]], lang: str
) -> None:
    """The same in every view."""
    paths = [*(path for path, _roles in main_pages), *walk.list_forms()]
    assert find_all(browser, served, (Visit(path, lang=lang) for path in paths)) == []


def list_tables(game: str) -> tuple[str, ...]:
    """Those of a game whose pages differ; "" for the only one."""
    return walk.TABLES if game == "durak" else ("",)


def choose_views(pytestconfig: pytest.Config) -> tuple[walk.View, ...]:
    """At night the two with the least room, for a version all."""
    return walk.VIEWS if pytestconfig.getoption("--release") else walk.NARROW


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize(("lang", "game"), ALL_GAMES)
def test_all_questions_of_a_game(
    browser: Browser, served: Served, lang: str, game: str, half: int, pytestconfig: pytest.Config
) -> None:
    """Every other one of its forms and answers."""
    views = choose_views(pytestconfig)
    visits = [Visit(path, lang=lang, views=views) for path in walk.list_questions(game)]
    assert find_all(browser, served, visits[half::2]) == []


@pytest.mark.parametrize(("lang", "game"), ALL_GAMES)
def test_all_tables_of_a_game(
    browser: Browser, served: Served, lang: str, game: str, pytestconfig: pytest.Config
) -> None:
    """Beside each other, in the rulebook and before a match."""
    presets = list(library.open_game(game).book.presets)
    addresses = [f"/rules/{game}?preset={preset}" for preset in presets]
    addresses += [f"/rules/{game}/compare?a={presets[0]}&b={preset}" for preset in presets[1:]]
    addresses += [f"/new?game={game}&preset={preset}" for preset in presets]
    addresses += [f"/new?game={game}&table={table}" for table in list_tables(game)]
    views = choose_views(pytestconfig)
    assert find_all(browser, served, (Visit(path, lang=lang, views=views) for path in addresses)) == []


@pytest.mark.parametrize(
    ("lang", "game", "table"),
    [
        pytest.param(*row.values, table, marks=row.marks)
        for row in ALL_GAMES
        for table in list_tables(str(row.values[1]))
    ],
)
def test_a_match(
    browser: Browser, served: Served, lang: str, game: str, table: str, pytestconfig: pytest.Config
) -> None:
    """Under way, and when it is over."""
    with open_phone(browser, served.address, SMALL).context as context:
        context.add_cookies(served.cookies("owner"))
        page = context.pages[0]
        match = walk.begin(page, game, table)
        if game == "durak" and not table.startswith("teams"):
            walk.follow(page, match)
        addresses = [*walk.list_boards(match, game), *walk.list_rooms(match, game)]
        over = walk.begin(page, game, table)
        walk.end(page, over, game)
        addresses += [over, f"{over}/history", f"{over}/big", f"{over}/turned", f"{over}/sheet"]
    views = choose_views(pytestconfig)
    assert find_all(browser, served, (Visit(path, lang=lang, views=views) for path in addresses)) == []


@mostly_in_release("role", ROLES, {"opponent", "stranger"})
def test_all_that_a_role_sees(browser: Browser, served: Served, role: str) -> None:
    """Every page at a table, and what is said to those who may not see it, in the two tightest views."""
    addresses = walk.list_routes(served.world.places, role, all_that_refuse=True)
    drawn = walk.take_turns(addresses, role)
    assert find_all(browser, served, drawn) == []


@pytest.mark.release
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_that_a_role_sees_in_every_language(
    browser: Browser, served: Served, lang: str, role: str
) -> None:
    """The same, whole."""
    addresses = walk.list_routes(served.world.places, role, all_that_refuse=True)
    assert find_all(browser, served, (Visit(path, role, lang) for path in addresses)) == []


@pytest.mark.parametrize(("lang", "game"), [row for row in ALL_GAMES if row.values[1] != "durak"])
def test_a_deal_half_recorded(browser: Browser, served: Served, lang: str, game: str) -> None:
    """Of players with long names: with a run, calls, cards as they fell, and numbers that are being typed."""
    page = open_phone(browser, served.address, SMALL)
    match = walk.begin(page, game, names=LONG)
    wrong = list[str]()
    ruleset = library.open_game(game).family.ruleset
    assert isinstance(ruleset, JackNineRuleset)
    runs = [("count", "run:B:3")] if ruleset.run_points else []
    for way, action in (*runs, ("count", "way:calls"), ("cards", "card:AS")):
        said = "" if action == "way:calls" else "&bid=A:H"  # until then it can be told call by call
        page.goto(f"/{lang}{match}/deal?mode={way}{said}")
        step(page, action)
        wrong += walk.find_flaws(page, action, walk.FILLED_IN)
        discard_drafts(page)
    page.goto(f"/{lang}{match}/deal?mode=totals&bid=A:H")
    points = (70, 62, 30)[: page.locator(".points input").count() - (walk.PLAYERS.get(game) == 4)]
    for field, number in zip(page.locator(".points input").all(), points, strict=False):
        field.fill(str(number))
    page.wait_for_load_state("networkidle")  # what it comes to, as far as the numbers tell
    wrong += walk.find_flaws(page, "numbers", walk.FILLED_IN)
    page.context.close()
    assert wrong == []


@pytest.mark.parametrize("lang", ["en", "pl"])
@pytest.mark.parametrize("table", ["", "?game=durak&table=teams-6"])
def test_a_match_that_is_refused(browser: Browser, served: Served, lang: str, table: str) -> None:
    """The form of a new match with all that it can unfold, and with what is wrong with it."""
    page = open_phone(browser, served.address, SMALL)
    page.goto(f"/{lang}/new{table}")
    draw = page.locator("label", has=page.locator("#draw"))
    if draw.count():
        draw.click()
    wrong = [*walk.find_flaws(page, "unfolded", walk.VIEWS[:2])]
    page.locator(".actions .primary").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    wrong += walk.find_flaws(page, "refused", walk.VIEWS[:2])
    page.context.close()
    assert wrong == []


FIGURES = "dealer=B&made.A=42&made.B=50&made.C=40&totals.A=70&totals.B=148&totals.C=53"


@pytest.mark.parametrize(("width", "text"), [(320, 100), (360, 200), (1280, 100)])
@pytest.mark.parametrize("game", ["deberts-3", "deberts-4-alone"])
def test_figures_by_side_in_an_answer(
    browser: Browser, served: Served, game: str, width: int, text: int
) -> None:
    """Three and four names of players, the figures below them and the words beside them are whole."""
    page = open_phone(browser, served.address, {"width": width, "height": 740}, text)
    match = walk.begin(page, game, names=("Мар’яна", "Іван", "Оксана", "Ґеник"))
    fourth = "&made.D=30&totals.D=53" if game == "deberts-4-alone" else ""
    page.goto(f"/fr{match}/ask/outcome?asked=1&declarer=A&{FIGURES}{fourth}")
    expect(page.locator("table.by-side thead .num")).to_have_count(4 if fourth else 3)
    assert find_misfits(page) == []
    page.context.close()
