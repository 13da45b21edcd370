"""A deal put together while the server does not answer: it comes to the same as with it."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from browsing import PHONE, open_match
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Ewa", "Jan", "Ala", "Olek")
OFFLINE = "No network"
OWN = ("csrf_token", "form_key", "seq", "asked")
"""What every copy of a form has of its own."""
Taps = Sequence[tuple[str, str]]
"""What is tapped: a button of the form, or one of several by its name and value; a number is typed."""

BEGIN: Taps = (("bid", "A:H"), ("do", "run:B:3"), ("runs-0-top", "K"))
RUNS: Taps = (
    *BEGIN,
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
HINDRANCES: dict[str, Callable[[BrowserContext], object]] = {
    "no network": lambda context: context.set_offline(True),
    "a server that breaks": lambda context: context.route(
        re.compile(r"/deal(/preview)?(\?|$)"), lambda route: fail(route)
    ),
}


def fail(route: Route) -> None:
    """What stands before a server that is down."""
    if route.request.method == "POST":
        return route.fulfill(status=503, body="down")
    return route.continue_()


def restore(context: BrowserContext) -> None:
    """The network is there again."""
    context.unroute_all(behavior="ignoreErrors")
    context.set_offline(False)


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


def put_together(page: Page, match: str, taps: Taps) -> list[tuple[str, str]]:
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
    return entered(page)


def save(page: Page, match: str) -> Any:
    """Save it with the network, once more if the page asks; the entries as the record has them."""
    page.locator('button[name="do"][value="save"]:visible').last.tap()
    expect(page.locator("#comes-to .comes-asked, .board .total, .comes-wrong").first).to_be_visible()
    expect(page.locator("#deal[data-sent]")).to_have_count(0)  # a tap before that is the same tap once more
    if page.locator(".comes-asked").is_visible():
        page.locator('button[name="do"][value="save"]:visible').last.tap()
    expect(page).to_have_url(match)
    return page.request.get(f"{match}/record.json").json()["entries"]


@pytest.mark.parametrize("hindrance", HINDRANCES)
@pytest.mark.parametrize("game", GAMES)
def test_a_deal_comes_to_the_same_without_a_server(page: Page, game: str, hindrance: str) -> None:
    """Runs and fours added and taken out, the count told in another way, as the server would do it."""
    taps = GAMES[game]
    forms, entries = [], []
    for hinder in (None, HINDRANCES[hindrance]):
        match = open_match(page, game, NAMES)
        page.goto(f"{match}/deal?mode=totals")
        if hinder:
            hinder(page.context)
        forms.append(put_together(page, match, taps))
        if hinder:
            expect(page.locator("#comes-to")).to_contain_text(OFFLINE)
            assert page.url == f"{match}/deal?mode=totals"
        restore(page.context)
        expect(page.locator("#comes-to")).not_to_contain_text(OFFLINE, timeout=10_000)  # counted after all
        entries.append(save(page, match))
    assert forms[0] == forms[1]
    assert entries[0] == entries[1]
    assert entries[0][0]["runs"][1]["top"] == "10"
