"""A deal put together while the server does not answer: it comes to the same as with it."""

from collections.abc import Sequence
from typing import Any

import pytest
from browsing import PHONE, Accessible, open_match
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Ewa", "Jan", "Ala", "Olek")
OWN = ("csrf_token", "form_key", "seq", "asked")
"""What every copy of a form has of its own."""
Taps = Sequence[tuple[str, str]]
"""What is tapped: a button of the form, or one of several by its name and value; a number is typed."""

RUNS: Taps = (
    ("bid", "A:H"),
    ("do", "run:B:3"),
    ("runs-0-top", "K"),
    ("do", "run:A:4"),
    ("runs-1-top", "A"),
    ("runs-1-suit", "S"),
    ("do", "run:B:3"),
    ("runs-2-top", "10"),
    ("do", "unrun:1"),
)
WORDS: Taps = (("do", "counting:count"), ("jass", "A"), ("last", "B"), ("cards_A", "52+3"), ("cards_B", "11"))
TOTALS: Taps = (("do", "counting:totals"), ("total_A", "102"), ("total_B", "60"))
GAMES: dict[str, Taps] = {
    "derda": (*RUNS, ("bela", "B"), *WORDS),
    "klaberjass": (*RUNS, *TOTALS),
    "klaberjass-3": (*RUNS, *WORDS, ("cards_C", "34")),
    "klaberjass-4": (*RUNS, ("do", "counting:totals"), ("total_B", "20"), ("trickless", "B")),
    "darda": (*RUNS, ("do", "four:A"), ("fours-0-rank", "A"), *WORDS, ("nine", "A"), ("cards_B", "62")),
    "bulka": (*RUNS, *TOTALS),
    "deberts": (*RUNS, *WORDS),
}


def button(page: Page, action: str) -> Locator:
    """A button of the form that is to be seen."""
    return page.locator(f'#deal button[name="do"][value="{action}"]').first


def tap(page: Page, name: str, value: str) -> None:
    """One tap, or one number typed."""
    place = page.locator(f'#deal [name="{name}"]').first
    if name == "do":
        button(page, value).tap()
    elif place.get_attribute("inputmode"):
        place.fill(value)
    else:
        label = page.locator("#deal label", has=page.locator(f'[name="{name}"][value="{value}"]'))
        if label.is_hidden():
            page.locator("details.more > summary").tap()
        label.tap()


def entered(page: Page) -> list[tuple[str, str]]:
    """What would be sent, but for what every copy of a form has of its own."""
    sent: list[list[str]] = page.evaluate("[...new FormData(document.getElementById('deal'))]")
    return sorted((name, value) for name, value in sent if name not in OWN)


def put_together(page: Page, taps: Taps) -> None:
    """Tap it all, one after the other, waiting for each row that comes or goes."""
    rows = 0
    for name, value in taps:
        tap(page, name, value)
        if name != "do":
            continue
        rows += 1 if value.startswith(("run:", "four:")) else -1 if value.startswith("un") else 0
        expect(page.locator(".run")).to_have_count(rows)
        if value.startswith("counting:"):
            expect(button(page, value)).to_have_attribute("aria-pressed", "true")


def save(page: Page, match: str) -> Any:
    """Save it with the network, once more if the page asks; the entries as the record has them."""
    page.locator('button[name="do"][value="save"]:visible').last.tap()
    expect(page.locator("#comes-to .comes-asked, .board .total, .comes-wrong").first).to_be_visible()
    expect(page.locator("#deal[data-sent]")).to_have_count(0)  # a tap before that is the same tap once more
    if page.locator(".comes-asked").is_visible():
        page.locator('button[name="do"][value="save"]:visible').last.tap()
    expect(page).to_have_url(match)
    return page.request.get(f"{match}/record.json").json()["entries"]


def test_what_tricks_bring_is_counted_without_a_network(page: Page) -> None:
    """The page changes to it and back, and keeps what was typed in each way."""
    match = open_match(page, "belote", NAMES)
    page.goto(f"{match}/deal")
    page.context.set_offline(True)
    put_together(page, (("bid", "A:H"), ("do", "counting:totals"), ("total_A", "92")))
    put_together(page, (("do", "counting:points"), ("points_A", "104"), ("bela", "B")))
    page.locator('button[name="do"][value="save"]:visible').last.tap()
    expect(page.locator("#waiting")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#waiting")).to_be_hidden()
    (entry,) = page.request.get(f"{match}/record.json").json()["entries"]
    assert (entry["count"], entry["bela"]) == ({"points": {"A": 104}}, "B")


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_saved_without_a_network_is_the_same_entry(page: Page, game: str) -> None:
    """Put together and saved without a network, and sent when it is back."""
    entries = []
    for hindered in (False, True):
        match = open_match(page, game, NAMES)
        page.goto(f"{match}/deal?mode=totals")
        page.context.set_offline(hindered)
        put_together(page, GAMES[game])
        if not hindered:
            entries.append(save(page, match))
            continue
        page.locator('button[name="do"][value="save"]:visible').last.tap()
        waiting = page.locator("#waiting [data-count]")
        expect(waiting).to_have_text("1")
        expect(page.locator(".run")).to_have_count(0)  # the next deal
        page.context.set_offline(False)
        expect(page.locator("#waiting")).to_be_hidden()
        entries.append(page.request.get(f"{match}/record.json").json()["entries"])
    assert entries[0] == entries[1]
    assert [entry["runs"][1]["top"] for entry in entries[1]] == ["10"]


@pytest.fixture
def match(page: Page) -> str:
    """A match of two in which Ewa deals."""
    return open_match(page, "derda", NAMES)


def silence(page: Page) -> Locator:
    """What is said at the thumb."""
    return page.locator("#comes-to")


def test_a_deal_begun_call_by_call_goes_on_by_its_outcome(page: Page) -> None:
    """The same fields as the server would have shown: who plays, the offer, the turned card, and the runs."""
    forms = []
    for hindered in (False, True):
        match = open_match(page, "derda", NAMES)
        page.goto(f"{match}/deal?mode=totals")
        for action in ("way:calls", "turn:9H", "call:pass"):
            tap(page, "do", action)
        expect(page.locator(".calls li")).to_have_count(1)
        if hindered:
            page.context.set_offline(True)
            tap(page, "do", "call:pass")
            expect(silence(page)).to_contain_text("The calls need the network.")
        tap(page, "do", "way:outcome")
        expect(button(page, "way:outcome")).to_have_attribute("aria-pressed", "true")
        forms.append([entered(page)])
        tap(page, "bid", "A:H")
        tap(page, "do", "run:A:3")
        tap(page, "runs-0-top", "A")
        page.fill("#total_A", "82")
        expect(page.locator(".turned")).to_have_count(1)
        forms[-1].append(entered(page))
        page.context.set_offline(False)
    assert forms[0] == forms[1]


def test_the_screen_reader_has_it_too(page: Page, match: str, accessible: Accessible) -> None:
    """Rows that were added here are as good as the server's; those held ready are for nobody."""
    page.goto(f"{match}/deal?mode=count")
    tap(page, "bid", "A:H")
    page.context.set_offline(True)
    tap(page, "do", "run:A:4")
    expect(page.locator(".run")).to_have_count(1)
    expect(page.get_by_text("How many cards")).to_be_visible()
    accessible(page)
    expect(page.get_by_role("button", name="Remove this run")).to_have_count(1)
    page.get_by_role("button", name="Remove this run").press("Enter")
    expect(page.locator(".run")).to_have_count(0)
    assert page.evaluate("document.activeElement.matches('#deal .tab')")


def test_what_may_be_outdated_is_not_claimed(page: Page, match: str) -> None:
    """While entries wait, who deals and speaks first is left open, and nothing moves because of it."""
    page.goto(f"{match}/deal")
    state = page.locator(".top-title .of-state")
    expect(state).to_have_text("Ewa deals")
    before = page.locator(".plays").bounding_box()
    page.evaluate("document.body.classList.add('behind')")
    expect(state).to_be_hidden()
    expect(page.locator(".plays small.of-state").first).to_be_hidden()
    assert page.locator(".plays").bounding_box() == before
