"""One walk over the pages: by role, language and view; on each, what is cut and what keeps a reader out."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, cycle, product
from urllib.parse import urlencode

from browsing import Scheme, carried, find_barriers, open_match, write_deal
from entries import write_hand
from fitting import PHONE, SHORT, SIDEWAYS, SMALL, find_misfits
from playwright.sync_api import Page, ViewportSize, expect

from companion import library
from companion.i18n import LANGUAGES
from tests.browser.languages.serving import FAULTS
from tests.browser.rulings.asking import ONCE, asked
from tests.roles.routes import ROUTES
from tests.roles.world import ROLES, Places

NO_PAGES = re.compile(r"\.\w+(\?|$)|/news\?|/paper/|/resume$|^/(static|pocket)/|^/en/move/<code>$")
"""Addresses that are answered by a file, by another address, or by what only a script reads."""
TABLES = ("teams-4", "2", "3", "5", "6", "teams-6")
"""Tables of Durak, beside that of four for themselves."""
PDF = re.compile(r"\.pdf\??")
PRINTED = ".pdf?by=browser&"
"""Part of the address of a page that a browser prints in place of a PDF."""
PAPER = re.compile(r"/sheets?(/|$)|/big$|[?]by=browser")
"""What is lettered by the size of its paper, or of the screen, and grows by no setting."""
PLAYERS = dict.fromkeys(("klaberjass-4", "darda", "belote", "coinche", "contree", "bela", "clabber"), 4)
PLAYERS |= {"klaberjass-3": 3, "bela-3": 3, "deberts-3": 3, "deberts-4": 4, "deberts-4-alone": 4}
"""How many sit down to a game, where they are more than two."""
TOTALS = {"counting": "totals", "total_A": "90", "total_B": "72"}
COUNTED = {
    "klaberjass-3": {"counting": "totals", "total_A": "70", "total_B": "62", "total_C": "30"},
    "deberts-3": {"counting": "totals", "total_A": "70", "total_B": "42", "total_C": "30"},
    "bela-3": {"counting": "totals", "total_A": "70", "total_B": "62", "total_C": "30"},
    "deberts-4-alone": {
        **{"counting": "totals", "total_A": "70", "total_B": "42", "total_C": "30", "total_D": "20"},
    },
    "darda": {"jass": "A", "nine": "A", "last": "A", "cards_B": "17"},
    "coinche": {"bid_points": "80", **TOTALS},
    "contree": {"bid_points": "80", "counting": "points", "points_A": "90"},
}
"""A deal as it is counted, where it is counted otherwise."""
CALLERS = {"bela-3": "BC"}
"""Players of the first two deals, at tables where only elder hand may play."""
FOLLOWED = ("trump:H", "beaten-off", "talon:used-up")
"""What was recorded of a hand in the middle of its last bouts."""

SHELVES = (
    *("/nowhere", "/join/nobody", "/rules?q=a", "/rules?q=zzzz", "/?q=zzzz"),
    *("/rules/deberts?preset=one-blow&all=1", "/rules/deberts?q=jack", "/rules/durak?players=teams-4"),
    *(f"/rules/deberts/compare?{tables}" for tables in ("a=moscow&b=one-blow", "a=sets&b=one-blow&all=1")),
)
"""What is neither of one match nor of one game."""
WHOLE = ("deberts", "durak")
"""The games all of whose pages are looked at; the others share most of them."""


def list_routes(places: Places, role: str = "owner", all_that_refuse: bool = False) -> list[str]:
    """Every page of the app that a role may see, at a table of which `places` speaks; with refusals, too."""
    asked = (route for route in ROUTES if route.method == "GET" and route.path.startswith("/en/"))
    seen = [route.path for route in asked if all_that_refuse or route.expected(role) in {200, 410}]
    pages = [PDF.sub(PRINTED, path) for path in seen if PDF.search(path) or not NO_PAGES.search(path)]
    return [places.fill(path).removeprefix("/en") for path in pages]


def list_by_role(places: Places) -> list[tuple[str, Sequence[str]]]:
    """Every route, what is found nowhere, and every fault, with the roles that may see them."""
    found: dict[str, Sequence[str]] = dict.fromkeys([*SHELVES, *(f"/fault/{name}" for name in FAULTS)], ROLES)
    seen = {role: list_routes(places, role) for role in ROLES}
    for path in list_routes(places):
        found[path] = [role for role in ROLES if path in seen[role]]
    return [*found.items()]


def list_main(page: Page, places: Places) -> list[tuple[str, Sequence[str]]]:
    """The same, and the answers to all questions and what every game has, of some its matches too."""
    # With their forms, folded.
    answers = (question for question in list_questions() if question.endswith("asked=1"))
    found: dict[str, Sequence[str]] = dict.fromkeys(answers, ROLES)
    for game in library.names():
        rulebook = (f"/rules/{game}", f"/sheets/{game}", f"/sheets/{game}/card")
        found |= dict.fromkeys((*rulebook, f"/ask/{game}", f"/new?game={game}"), ROLES)
        match = begin(page, game)
        if game == "durak":
            follow(page, match)
        rooms = list_rooms(match, game) if game in WHOLE else []
        found |= dict.fromkeys([*list_boards(match, game), *rooms], ("owner",))
    return [*(found | dict(list_by_role(places))).items()]


def list_questions(game: str | None = None) -> Iterator[str]:
    """The questions of a game, or each once of any game: its form with the facts in it, and its answer."""
    chosen = ONCE
    if game:
        named = library.open_game(game).family.questions
        chosen = [(game, name, facts) for name in named if (facts := asked(game, name)) is not None]
    for name, question, facts in chosen:
        yield f"/ask/{name}/{question}?{urlencode(facts)}"
        yield f"/ask/{name}/{question}?{urlencode([*facts, ('asked', '1')])}"


def list_forms() -> Iterator[str]:
    """The form of each question once: blank, and refused for what it does not say."""
    for game, question, _facts in ONCE:
        yield f"/ask/{game}/{question}"
        yield f"/ask/{game}/{question}?asked=1"


def begin(page: Page, game: str, table: str = "", names: Sequence[str] = (*SHORT, "Zofia", "Max")) -> str:
    """A match in which something is written, some of it doubted; its path without a language."""
    players = int(table[-1]) if table else PLAYERS.get(game, 4 if game == "durak" else 2)
    match = open_match(page, game, names[:players], table=table or str(players))
    for number in range(1 if table.startswith("teams") else 2):  # teams say first who of them deals
        if game == "durak":
            write_hand(page, match, "AB"[number])
        else:
            caller = CALLERS.get(game, "AB")[number]
            write_deal(page, match, bid=f"{caller}:{'HS'[number]}", **COUNTED.get(game, TOTALS))
    send(page, f"{match}/entries/1/object", side="B", reason="other")
    return match[match.index("/m/") :]


def send(page: Page, address: str, to: str = "", **fields: str) -> None:
    """Send a form as its page would: to its own address, or to one below it."""
    sent: dict[str, str | float | bool] = {**fields, **carried(page.request.get(address).text())}
    answer = page.request.post(f"{address}{to}", form=sent, max_redirects=0)
    assert answer.status == 303, (address, answer.text())


def follow(page: Page, match: str, taps: Sequence[str] = FOLLOWED) -> None:
    """A hand is recorded tap by tap, and left in the middle."""
    for tap in taps:
        send(page, f"/en{match}/hand/follow", do=tap)


def end(page: Page, match: str, game: str) -> None:
    """The session is closed, or the match conceded where that can be done, or else broken off."""
    can_concede = "more/concede" in page.request.get(f"/en{match}/more").text()
    how = "/close" if game == "durak" else "/concede" if can_concede else "/abandon"
    send(page, f"/en{match}/more", how, side="A")


def list_boards(match: str, game: str) -> list[str]:
    """A match's board, and the pages on which something is entered."""
    if game == "durak":
        return [match, f"{match}/hand", f"{match}/hand/follow"]
    ways = ("count&bid=A:H", "totals&bid=A:H", "cards&bid=A:H")
    return [match, *(f"{match}/deal?mode={way}" for way in ways)]


def list_rooms(match: str, game: str) -> list[str]:
    """All other pages of a match."""
    rooms = ("more", "names", "history", "entries/1", "entries/1?edit=1", "entries/1/object", "sheet")
    views = ("turned", "big", "ask", "export", "delete", "phones")
    writing = ("hand/follow",) if game == "durak" else ("deal", "enough", "audit", "ask/audit")
    return [f"{match}/{item}" for item in (*rooms, *views, *writing)]


@dataclass(frozen=True)
class View:
    """On what a page is looked at: a screen, a paper, and text enlarged to so many per cent."""

    screen: ViewportSize
    scheme: Scheme = "light"
    text: int = 100

    def __str__(self) -> str:
        return f"{self.screen['width']}, {self.scheme}, {self.text} %"


VIEWS = (
    View(SMALL),
    View(PHONE, "dark"),
    View(PHONE, text=200),
    View(SIDEWAYS),
    View({"width": 1280, "height": 740}, "dark"),
)
NARROW = (VIEWS[0], VIEWS[2])
"""Those with the least room: the smallest screen, and the largest text."""
FILLED_IN = (View(PHONE), View(SMALL), View(SIDEWAYS), View(PHONE, text=200), View(PHONE, "dark"))
"""Those of a form with long names in it, which have no room in the smallest of all."""


@dataclass(frozen=True)
class Visit:
    """A page, looked at by a role in a language."""

    path: str
    role: str = "owner"
    lang: str = "en"
    views: tuple[View, ...] = VIEWS


def draw_visits(pages: Iterable[tuple[str, Sequence[str]]]) -> list[Visit]:
    """Each page once, by a role that may see it; languages, views and roles meet in pairs."""
    met, visits = Counter[tuple[object, object]](), []
    for path, roles in pages:
        choices = product(roles, LANGUAGES, range(len(VIEWS)))
        role, lang, view = chosen = min(
            choices, key=lambda choice: sum(met[pair] for pair in combinations(choice, 2))
        )
        met.update(combinations(chosen, 2))
        visits.append(Visit(path, role, lang, (VIEWS[view],)))
    return visits


def take_turns(paths: Iterable[str], role: str = "owner") -> list[Visit]:
    """Each page in the views with the least room; the languages take turns."""
    return [Visit(path, role, lang, NARROW) for path, lang in zip(paths, cycle(LANGUAGES), strict=False)]


_OPEN = """() => { for (const fold of document.querySelectorAll("main details")) {
  fold.removeAttribute("name");
  fold.open = true;
} }"""
_ENLARGE = "text => { document.documentElement.style.fontSize = `${text}%` }"
_MEANINGS = """() => [...document.querySelectorAll(".gloss-text")].filter((tooltip) => {
  tooltip.showPopover();
  const { left, right } = tooltip.getBoundingClientRect();
  const cut = left < 0 || right > innerWidth || tooltip.scrollWidth > tooltip.clientWidth + 1;
  tooltip.hidePopover();
  return cut;
}).map((tooltip) => `out of the screen: ${tooltip.textContent.trim().slice(0, 60)}`)"""


def look(page: Page, visit: Visit) -> Iterator[str]:
    """What is wrong with a page whose folds are open: what is cut in a view, what axe complains of."""
    page.set_viewport_size(SMALL)
    page.goto(f"/{visit.lang}{visit.path}")
    expect(page.locator("html")).to_have_attribute("lang", visit.lang)
    yield from find_flaws(page, visit.path, visit.views)


def find_flaws(page: Page, name: str, views: Sequence[View] = VIEWS) -> Iterator[str]:
    """The same of a page as it stands; axe looks at it in the first and in the last view."""
    page.evaluate(_OPEN)
    for view in views:
        page.set_viewport_size(view.screen)
        page.emulate_media(color_scheme=view.scheme, reduced_motion="reduce")
        text = 100 if PAPER.search(name) else view.text
        page.evaluate(_ENLARGE, text)
        flaws = [*find_misfits(page, 10 if text == 100 else 3), *page.evaluate(_MEANINGS)]
        if view in (views[0], views[-1]) and name != "/fault/under-way":  # which leaves by itself
            flaws += find_barriers(page)
        yield from (f"{name} at {view}: {flaw}" for flaw in flaws)
