"""Every journey works in a browser that runs no scripts: by links and forms as the pages have them."""

import pytest
from flask import Flask
from plain_browser import PlainBrowser

from tests.web.browsers import Browser, known_browser

DERDA = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A"}
START = ('button[name="step"][value="start"]', "Start")
PLAY = "trump=H&hand=8H&hand=AH&trick=10H&card=8H&asked=1"


@pytest.fixture
def ewa(client: Browser) -> PlainBrowser:
    """The browser that keeps the score."""
    return PlainBrowser(client)


@pytest.fixture
def jan(other: Browser) -> PlainBrowser:
    """That of another player."""
    return PlainBrowser(other)


def begin(browser: PlainBrowser, names: str = "Ewa Jan", game: str = "derda", table: str = "") -> str:
    """A match begun on its form: the address of its board."""
    browser.open(f"/en/new?game={game}&table={table}")
    for seat, name in zip("ABCDEF", names.split(), strict=False):
        browser.fill(**{f"name-{seat}": name})
    browser.fill(dealer="A")
    browser.tap(*START)
    assert "/m/" in browser.url, browser.text()
    return browser.url


def step(browser: PlainBrowser, *actions: str) -> None:
    """Tap buttons of a deal or a hand, a page for each."""
    for action in actions:
        browser.tap(f'button[name="do"][value="{action}"]')


def test_a_match_is_begun_after_a_mistake(ewa: PlainBrowser) -> None:
    """What was filled in stays."""
    ewa.open("/en/new")
    ewa.fill(**{"name-A": "Ewa"})
    ewa.tap(*START)
    assert ewa.value("name-A") == "Ewa"
    ewa.fill(**{"name-B": "Jan", "dealer": "B"})
    ewa.tap(*START)
    assert "Jan" in ewa.text(".board")


def test_a_choice_of_game_loses_nothing(ewa: PlainBrowser) -> None:
    """A button asks for the other game's form: back at the choice, with all that was entered."""
    ewa.open("/en/new")
    ewa.fill(**DERDA | {"total-A": "240", "dealer": "B", "game": "deberts"})
    ewa.tap("button", "Show the options of this game")
    assert ewa.find('button[name="step"][formaction$="#what"]')  # back where one chose
    ewa.fill(preset="sets")
    ewa.tap("button", "Show the options of this game")
    chosen = {name: ewa.value(name) for name in ("preset", "name-B", "total-A", "dealer")}
    assert chosen == {"preset": "sets", "name-B": "Jan", "total-A": "240", "dealer": "B"}
    ewa.tap(*START)
    assert ewa.text(".top-title") == "Deberts, Sets"


def test_a_larger_table_is_filled_in(ewa: PlainBrowser) -> None:
    """The number is chosen, its places asked for, filled in, and the session begins."""
    names = ("Ewa", "Jan", "Aleksandra", "Olek", "Zofia", "Max")
    ewa.open("/en/new?game=durak")
    ewa.fill(**{f"name-{seat}": name for seat, name in zip("ABCD", names, strict=False)}, table="teams-6")
    ewa.tap("button", "Show the options of this game")
    assert ewa.value("name-C") == "Aleksandra"
    ewa.fill(**{f"name-{seat}": name for seat, name in zip("ABCDEF", names, strict=True)}, dealer="D")
    ewa.tap(*START)
    assert "/m/" in ewa.url


def test_a_deal_is_recorded(ewa: PlainBrowser) -> None:
    """Calls, a run, the count and its sum, a refusal that loses nothing, the saved deal."""
    match = begin(ewa)
    ewa.tap("a", "Record deal")
    step(ewa, "way:calls", "turn:9H", "call:pass", "call:play", "run:B:3")
    assert ewa.text(".speaks") == "Ewa plays ♥."
    ewa.fill(**{"runs-0-top": "K", "bela": "B", "jass": "A", "nine": "B"})
    ewa.fill(cards_A="11+10+31", cards_B="31")
    step(ewa, "save")
    assert "sztoch is 10" in ewa.text("#comes-to") and ewa.find("#at-last[data-wrong]")
    assert ewa.value("cards_A") == "11+10+31"
    ewa.fill(last="A")
    step(ewa, "save")
    assert ewa.url == match
    assert [total.etree_element.text.strip() for total in ewa.find(".board [data-from]")] == ["0", "167"]


def test_what_is_held_ready_for_scripts_is_not_sent(ewa: PlainBrowser) -> None:
    """A run is put in and taken out by the server."""
    match = begin(ewa)
    ewa.open(f"{match}/deal?mode=totals")
    step(ewa, "run:A:3")
    assert ewa.value("runs-0-seat") == "A"
    step(ewa, "unrun:0")
    assert ewa.value("runs-0-seat") is None


def test_a_hand_is_recorded_and_the_session_closed(ewa: PlainBrowser) -> None:
    """One tap for a hand."""
    begin(ewa, "Ewa Jan Ala Olek", "durak", "4")
    ewa.tap("button", "Jan is the fool")
    assert "Jan deals; Ala attacks Olek." in ewa.text(".next")
    ewa.tap("a", "Close the session")
    ewa.tap("button", "Close the session")
    assert "Jan pays the forfeit" in ewa.text(".outcome")


def test_a_refused_hand_keeps_what_was_chosen(ewa: PlainBrowser) -> None:
    """What was meant is written then."""
    begin(ewa, "Ewa Jan Ala Olek", "durak", "4")
    ewa.tap("a", "Something else")
    ewa.fill(walked_out="B")
    ewa.tap("button", "Ewa is the fool")
    assert "Jan left the table, and so lost." in ewa.text(".problems")
    assert ewa.value("walked_out") == "B"
    ewa.tap("button", "The player who left has lost")
    assert "Jan left the table: Jan lost." in ewa.text(".entries")


def test_a_hand_is_followed(ewa: PlainBrowser) -> None:
    """A page for every tap; who was ticked and what was transferred stays."""
    ewa.open("/en/new?game=durak&preset=perevodnoy&table=4")
    names = {"name-A": "Ewa", "name-B": "Jan", "name-C": "Ala", "name-D": "Olek"}
    ewa.fill(**names, dealer="A", preset="perevodnoy")
    ewa.tap(*START)
    ewa.open(f"{ewa.url}/hand/follow")
    step(ewa, "first:A", "talon:used-up")
    ewa.fill(out="B")
    step(ewa, "transfer")
    assert "Jan attacks Ala" in ewa.text("h1")
    assert ewa.value("out") == "B"
    step(ewa, "card:JH")
    assert len(ewa.find(".transfers .card")) == 1
    step(ewa, "picked-up")
    assert "Olek attacks Ewa" in ewa.text("h1")
    assert "Jan out" in ewa.text(".bouts li")
    ewa.fill(out="A")
    step(ewa, "picked-up")
    assert "still has cards" in ewa.text("#follow")
    assert ewa.value("out") == "A"


def test_cards_of_a_question_are_tapped(ewa: PlainBrowser) -> None:
    """Each tap on an ordered pad loads the page with the card in its place; then there is an answer."""
    ewa.open("/en/ask/derda/trick")
    ewa.fill(trump="H", leader="A")
    ewa.tap('button.cardkey[value="AH"]')
    ewa.tap('button.cardkey[value="JH"]')
    assert [card.etree_element.text for card in ewa.find('[data-pad="trick"] summary .card')] != []
    ewa.tap('.actions button[name="asked"]')
    assert ewa.text(".verdict-line") == "Player B takes the trick."


def test_a_bout_of_a_question_is_tapped(ewa: PlainBrowser) -> None:
    """Card by card, and who picks up."""
    ewa.open("/en/ask/durak/bout")
    ewa.tap('button[name="players"][value="2"]')
    ewa.fill(trump="H")
    ewa.tap('[data-pad="steps"] button.cardkey[value="7S"]')
    ewa.tap('button[value="defender pick-up"]')
    ewa.tap('.actions button[name="asked"]')
    assert ewa.text(".verdict-line") == "No, Player B picks up."


def test_a_ruling_is_saved(ewa: PlainBrowser) -> None:
    """What needs a script is not offered."""
    ewa.open(f"/en/ask/derda/play?{PLAY}")
    ewa.tap("button", "Keep and share")
    assert "may not be played" in ewa.text(".verdict-line")
    for button in ewa.find("button"):
        if "".join(button.etree_element.itertext()).strip() in {"Print", "Copy the address"}:
            assert button.etree_element.get("hidden") is not None


def test_a_match_is_deleted_and_put_back(ewa: PlainBrowser) -> None:
    """By two buttons."""
    board = begin(ewa)
    ewa.open(f"{board}/delete")
    ewa.tap("button", "Yes, delete")
    ewa.tap("button", "Undo")
    assert ewa.url == board


def test_a_device_moves_by_a_code(ewa: PlainBrowser, app: Flask) -> None:
    """Every step, and until when the code is good."""
    begin(ewa)
    ewa.open("/en/move")
    ewa.tap("button", "Show a code")
    assert "Valid until" in ewa.text()
    new = PlainBrowser(app.test_client())
    new.open(str(ewa.find("#address")[0].etree_element.get("value")))
    new.tap("button", "Yes, take them over")
    assert "Ewa" in new.text("a.resume")
    ewa.open(ewa.url)
    assert "The other phone has taken the code" in ewa.text("h1")


def test_a_board_is_loaded_again_by_a_link(ewa: PlainBrowser, jan: PlainBrowser) -> None:
    """So are its views for a table; what scripts do is said where there are none."""
    match = begin(ewa)
    boards = [f"{match}{view}" for view in ("", "/big", "/turned")]
    for board in boards:
        jan.open(board)
        jan.tap("a", "Reload")
        assert jan.url == board
    jan.open("/en/browser")
    assert "Without scripts nothing is stored on this phone." in jan.text()
    assert jan.find("#in-phone")[0].etree_element.get("hidden") is not None
    jan.open("/en/pocket")
    assert "It needs scripts" in jan.text('#pocket [data-in="unscripted"]')


def test_the_pencil_goes_from_phone_to_phone(ewa: PlainBrowser, app: Flask) -> None:
    """Link, question, pencil, taking back and leaving."""
    match = begin(ewa)
    jan = PlainBrowser(known_browser(app, "the browser of Jan"))
    ewa.open(f"{match}/phones")
    ewa.tap('button[value="opponent-B"], button[value^="opponent"]')
    jan.open(str(ewa.find("#address")[0].etree_element.get("value")))
    jan.tap(".actions .primary")
    assert jan.url == match
    ewa.open(f"{match}/phones")
    ewa.tap("button", "Hand over the pencil")
    assert ewa.find(".part") != []
    jan.open(f"{match}/deal")
    assert jan.find("#deal") != []
    ewa.tap(".part button")
    assert ewa.find(".part") == []
    jan.open(f"{match}/phones")
    jan.tap(".asked-first button")
    assert jan.url == "/en/"
