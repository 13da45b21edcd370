"""All that one does at a table, with the server's process gone: each game, question and page, and an evening.

One phone goes through it; each test stands by itself. What was recorded is at the server once, in order.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from cases import CaseCatalogue
from device_storage import wait_for
from entries import EntryKind, fill_in
from offline import Answers, ask_phone, ask_server, cited_rules, differences
from offline_app import BOARD, LONG, begin, known_matches, open_page, record_deal, status
from phone import Phone, Server
from playwright.sync_api import BrowserContext, Page, expect

from companion import library
from companion.i18n import LANGUAGES
from tests.unit.offline.parity.apps import TESTS
from tests.unit.offline.parity.tour import query

NAMES = ("Ewa", "Jan", "Ala", "Olek")
_PLAYED_IN = {"derda": "pl", "bulka": "cs", "darda": "cs", "deberts": "ru", "durak": "uk"}
"""The language of those who play a game, else German: in it, and in English, everything of it is asked."""
SAVE = "Save|Save deal"


@dataclass(frozen=True)
class Game:
    """A game with two entries, each as it is written by its form, the first once more as it is corrected."""

    name: str
    path: str
    button: str
    first: Mapping[str, str]
    corrected: Mapping[str, str]
    second: Mapping[str, str]
    recorded: tuple[Mapping[str, Any], ...]
    """What stands in the record then."""
    action: str = ""

    def kind(self, fields: Mapping[str, str]) -> EntryKind:
        """An entry of it."""
        return EntryKind("", self.name, self.path, self.button, fields, action=self.action)


def _by_totals(name: str, *sides: str) -> Game:
    """Three deals in hearts by the totals of each side."""
    made = [dict(zip(sides, points, strict=False)) for points in ((90, 40, 32), (92, 38, 32), (50, 60, 52))]
    if len(sides) == 2:
        made = [dict(zip(sides, (points, 162 - points), strict=True)) for points in (90, 92, 50)]
    typed = [{f"total_{side}": str(points) for side, points in counts.items()} for counts in made]
    bid = {"bid": "B:H"}
    recorded = tuple({"type": "deal", "totals": counts} for counts in made[1:])
    path = "/deal?mode=totals"
    return Game(name, path, SAVE, bid | typed[0], typed[1], bid | typed[2], recorded)


def _adjusted(name: str) -> Game:
    """Points that both sides agree on."""
    first, corrected, second = (
        {"side": "B", "points": points, "reason": "agreed"} for points in ("-20", "-30", "40")
    )
    recorded = tuple({"type": "adjust", "side": "B", "points": points} for points in (-30, 40))
    path, action = "/more?open=adjust", "/more/adjust"
    return Game(name, path, "Write it down", first, corrected, second, recorded, action)


GAMES = {
    item.name: item
    for item in (
        *(_by_totals(name, "A", "B") for name in ("derda", "klaberjass", "klaberjass-4", "bulka", "deberts")),
        _by_totals("klaberjass-3", "A", "B", "C"),
        _adjusted("darda"),
        Game(
            "durak",
            "/hand",
            "Jan is the fool",
            {},
            {"result": "C"},
            {},
            ({"type": "hand", "loser": "C"}, {"type": "hand", "loser": "B"}),
        ),
    )
}


@dataclass
class Written:
    """What was recorded on this phone: addresses of matches, each with the entries it is to have."""

    matches: dict[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)


@pytest.fixture(scope="module")
def written() -> Written:
    """What the tests have recorded so far."""
    return Written()


@pytest.fixture
def alone(server: Server) -> None:
    """Nobody answers."""
    server.stop()


@pytest.fixture(autouse=True, scope="module")
def zone() -> Iterator[None]:
    """The server is where the phone is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Europe/Warsaw")
        yield


@pytest.fixture(autouse=True, scope="module")
def patience(zone: None, app_phone: Phone) -> None:
    """Pages of a machine that does much else may take long."""
    app_phone.context.set_default_navigation_timeout(LONG)


def play(page: Page, game: Game) -> str:
    """Begin a match and record in it, correct, take back and put back; its address."""
    match = begin(page, game.name, NAMES)
    fill_in(page, game.kind(game.first), match).tap()
    expect(page).to_have_url(match, timeout=LONG)
    correction = EntryKind("a correction", game.name, "/entries/1?edit=1", SAVE, game.corrected)
    fill_in(page, correction, match).tap()
    expect(page).not_to_have_url(f"{match}/entries/1?edit=1", timeout=LONG)
    fill_in(page, game.kind(game.second), match).tap()
    expect(page).to_have_url(match, timeout=LONG)
    page.get_by_role("button", name="Undo").tap()
    back = page.get_by_role("button", name="Put back")
    expect(back).to_be_visible(timeout=LONG)
    back.tap()
    expect(back).to_have_count(0, timeout=LONG)
    return match


def entries_of(context: BrowserContext, match: str) -> list[Any]:
    """What the server has of it."""
    answer = context.request.get(f"{match}/record.json")
    assert answer.ok, answer.text()
    entries: list[Any] = answer.json()["entries"]
    return entries


def says(entry: Any, expected: Any) -> bool:
    """Whether an entry says at least this."""
    if isinstance(expected, Mapping):
        return isinstance(entry, Mapping) and all(
            says(entry.get(name), value) for name, value in expected.items()
        )
    return bool(entry == expected)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_match_of_every_game(page: Page, alone: None, written: Written, game: Game) -> None:
    """Begun, recorded, corrected, taken back and put back; its history and its sheet tell it."""
    match = play(page, game)
    written.matches[match] = game.recorded
    open_page(page, f"{match}/history")
    expect(page.locator("main")).to_contain_text("taken out")
    for lang in LANGUAGES:
        open_page(page, f"{match}/sheet".replace("/en/", f"/{lang}/"))
        expect(page.locator("#sheet")).to_contain_text("Jan")


def test_an_evening(page: Page, app_phone: Phone, alone: None, written: Written) -> None:
    """Game after game by the same players, the browser closed amid the second; its table, and the sheet's."""
    match = begin(page, "derda", NAMES)
    deal = {"type": "deal"}
    record_deal(page, match, 90)
    written.matches[match] = ({**deal, "totals": {"A": 90, "B": 72}}, {"type": "concede", "side": "B"})
    second = play_on(page, match)
    record_deal(page, second, 100)
    page = app_phone.restart("about:blank")
    page.context.set_default_navigation_timeout(LONG)
    open_page(page, second)
    expect(page.locator(".board .total").first).to_have_text("100")
    record_deal(page, second, 120)
    made = ({**deal, "totals": {"A": 100}}, {**deal, "totals": {"A": 120}})
    written.matches[second] = (*made, {"type": "concede", "side": "B"})
    third = play_on(page, second)
    record_deal(page, third, 130)
    written.matches[third] = ({**deal, "totals": {"A": 130, "B": 32}},)
    evening = page.locator(".evening")
    expect(evening.get_by_role("row", name="Games 2 0")).to_be_visible()
    expect(evening.locator("tbody tr:not(.sum)")).to_have_count(2)  # those that are over
    open_page(page, third.replace("/en/", "/pl/"))
    expect(evening.locator("tbody tr:not(.sum)")).to_have_count(2)
    evening.get_by_role("link").first.tap()
    expect(page).to_have_url(match.replace("/en/", "/pl/"), timeout=LONG)
    open_page(page, "/en/resume")
    expect(page).to_have_url(third)


def play_on(page: Page, match: str) -> str:
    """The second player concedes, and both want another game; its address."""
    conceded = EntryKind(
        "", "", "/more?open=concede", "Concede the game", {"side": "B"}, action="/more/concede"
    )
    fill_in(page, conceded, match).tap()
    expect(page).to_have_url(match, timeout=LONG)
    expect(page.locator(".winner")).to_have_text("Ewa wins")
    page.get_by_role("button", name="Rematch").tap()
    expect(page).not_to_have_url(match, timeout=LONG)
    expect(page).to_have_url(BOARD)
    return page.url


def test_another_evening(page: Page, alone: None, written: Written) -> None:
    """Sessions of hands: closed, and the next one begun."""
    match = begin(page, "durak", NAMES)
    fill_in(page, GAMES["durak"].kind({}), match).tap()
    expect(page).to_have_url(match, timeout=LONG)
    close = EntryKind("", "", "/more?open=close", "Close the session", action="/more/close")
    fill_in(page, close, match).tap()
    expect(page).to_have_url(match, timeout=LONG)
    written.matches[match] = ({"type": "hand", "loser": "B"}, {"type": "close"})
    page.get_by_role("button", name="Next session").tap()
    expect(page).not_to_have_url(match, timeout=LONG)
    expect(page.locator(".evening")).to_be_visible()
    written.matches[page.url] = ()


# --- what is asked and read ---------------------------------------------------------------------------


def _examples() -> dict[tuple[str, str], Mapping[str, Any]]:
    """A case of every question of every game."""
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    catalogue = CaseCatalogue(library.GAMES, TESTS / "cases")
    for game in library.names():
        for case in catalogue.of_game(game):
            if "question" in case.given and case.expect.get("verdict"):
                found.setdefault((game, case.given["question"]), {**case.given, "game": game})
    return found


EXAMPLES = _examples()


def _forms(game: str) -> list[str]:
    """Where one asks, in English and in the language of its players."""
    questions = library.open_game(game).family.questions
    paths = [f"/{game}", *(f"/{game}/{question}" for question in questions)]
    return [f"/{lang}/ask{path}" for lang in _languages(game) for path in paths]


def _asked(game: str) -> dict[str, Mapping[str, Any]]:
    """Each question asked: its address with what is asked."""
    questions = library.open_game(game).family.questions
    examples = {question: EXAMPLES[game, question] for question in questions}
    return {
        f"/{lang}/ask/{game}/{question}?{query(example)}": example
        for lang in _languages(game)
        for question, example in examples.items()
    }


def _languages(game: str) -> tuple[str, str]:
    return "en", _PLAYED_IN.get(game, "de")


@pytest.fixture(scope="module")
def answers(server: Server, app_phone: Phone) -> Iterator[Answers]:
    """What the server says to all of it, asked before it is gone."""
    server.start()
    addresses = [form for game in library.names() for form in (*_forms(game), *_asked(game))]
    yield ask_server(app_phone.context, server.address, addresses)


@pytest.mark.parametrize("game", library.names())
def test_every_question(page: Page, answers: Answers, alone: None, game: str) -> None:
    """Its form opens; what is asked is answered by the rules that the arbiter cites, as at the server."""
    open_page(page, "/en/ask")
    asked = _asked(game)
    answered = ask_phone(page, [*_forms(game), *asked])
    assert {code for code, _text in answered.values()} == {200}
    for address, request in asked.items():
        cited = {rule.id for rule in library.rule(dict(request)).rules}
        assert cited and cited <= set(cited_rules(answered[address][1])), address
    assert "\n".join(differences({address: answers[address] for address in answered}, answered)) == ""


def test_every_page_is_the_servers(page: Page, app_phone: Phone, server: Server) -> None:
    """Board, history, sheets, rulebooks with a search, table cards, the list, in all languages."""
    server.start()
    status(page, "deliver")
    page.goto("/en/")
    match = begin(page, "derda", NAMES)
    for points in (90, 82):
        record_deal(page, match, points)
    wait_for(page, lambda: status(page, "deliver") and match.rpartition("/")[2] in known_matches(page))
    id = match[match.index("/m/") :]
    shown = [id, *(f"{id}{path}" for path in OF_A_MATCH), *BESIDE]
    shown += [
        path
        for game in library.names()
        for path in (f"/rules/{game}", f"/sheets/{game}", f"/sheets/{game}/card")
    ]
    addresses = [f"/{lang}{path}" for lang in LANGUAGES for path in shown]
    answered = ask_server(page.context, server.address, addresses)
    server.stop()
    open_page(page, match)
    here = ask_phone(page, addresses)
    assert {code for code, _text in here.values()} == {200}
    assert "\n".join(differences(answered, here)) == ""


OF_A_MATCH = (
    "/history",
    "/sheet",
    "/names",
    "/more",
    "/turned",
    "/big",
    "/ask",
    "/entries/1",
    "/entries/1?edit=1",
    "/deal?mode=count",
)
BESIDE = ("/", "/?q=Jan", "/new", "/ask", "/rules", "/rules/derda?q=trump", "/rules/durak?q=козырь")


# --- the server is back -------------------------------------------------------------------------------


def test_everything_is_at_the_server_once(
    page: Page, app_phone: Phone, server: Server, written: Written
) -> None:
    """In order, and nothing beside it; each sheet is as the phone had it."""
    server.stop()
    for game in (GAMES["derda"], GAMES["durak"]):
        written.matches[play(page, game)] = game.recorded
    sheets = {}
    for match in written.matches:
        open_page(page, f"{match}/sheet")
        sheets[match] = page.locator("#sheet").inner_text()
    server.start()
    answered = status(page, "deliver")
    assert (answered["unsent"], answered["aside"], answered["fault"]) == (0, 0, None)
    for match, expected in written.matches.items():
        entries = entries_of(page.context, match)
        assert len(entries) == len(expected), json.dumps(entries)
        differing = [value for value, other in zip(entries, expected, strict=True) if not says(value, other)]
        assert differing == [], json.dumps(expected)
        page.goto(f"{match}/sheet")
        expect(page.locator("html:not([data-pocket])")).to_be_attached()
        assert page.locator("#sheet").inner_text() == sheets[match]
