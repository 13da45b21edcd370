"""Whole matches of every kind of game on a phone, tap by tap, to a short target."""

import re

import pytest
from browsing import PHONE, exchange
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Ewa", "Jan", "Ala", "Olek")


def begin(page: Page, game: str, target: int | None = None, preset: str = "", **rules: str) -> str:
    """Start a match in which Ewa deals, by the form, and give its address."""
    page.goto("/en/new")
    choose(page, "game", game)
    if preset:
        choose(page, "preset", preset)
    for place, field in enumerate(page.locator("input[data-seat]").all()):
        field.fill(NAMES[place])
    choose(page, "dealer", "A")
    if rules or target:
        page.get_by_text("House rules").tap()
    for name in [*rules, "target"] if target else rules:
        chapter = page.locator("details.chapter:not([open])", has=page.locator(f'[name="rule-{name}"]'))
        if chapter.count():
            chapter.locator("summary").tap()
    for name, value in rules.items():
        choose(page, f"rule-{name}", value)
    if target:
        page.fill("#rule-target", str(target))
    page.get_by_role("button", name="Start").tap()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    return page.url


def label(page: Page, name: str, value: str) -> Locator:
    """One of several, by what it tells."""
    return page.locator("label", has=page.locator(f'input[name="{name}"][value="{value}"]'))


def choose(page: Page, name: str, value: str) -> None:
    """Tap one of several; another game or preset comes with the form it brings."""
    if name not in ("game", "preset"):
        return label(page, name, value).tap()
    if name == "game" and label(page, name, value).is_hidden():
        page.locator("#games > summary").tap()
    label(page, name, value).tap()
    return expect(page.locator(f'input[name="shown-{name}"]')).to_have_value(value)


def step(page: Page, action: str) -> None:
    """Tap a button that changes the page in place."""
    button = page.locator(f'button[name="do"][value="{action}"]').first
    with exchange(page, button):
        button.tap()


def record(page: Page, match: str, bid: str, words: dict[str, str], cards: dict[str, str]) -> None:
    """One deal recorded by words and card points, and saved."""
    page.goto(f"{match}/deal?mode=count")
    choose(page, "bid", bid)
    count(page, match, words, cards)


def count(page: Page, match: str, words: dict[str, str], cards: dict[str, str]) -> None:
    """The count of a deal whose bidding is entered already."""
    for word, side in words.items():
        choose(page, word, side)
    for side, points in cards.items():
        page.fill(f"#cards_{side}", points)
    save(page, match)


def save(page: Page, match: str) -> None:
    """Save the deal: the board is back."""
    page.locator('button[name="do"][value="save"]:visible').last.tap()
    expect(page).to_have_url(match)


def narrow(page: Page) -> None:
    """Nothing is wider than the phone."""
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


WORDS = {"jass": "A", "nine": "A", "last": "A"}


def test_klaberjass(page: Page) -> None:
    """A schmeiss thrown in, one forced, a bate; the higher total wins."""
    match = begin(page, "klaberjass", 120, schmeiss="on")
    page.get_by_role("link", name="Record deal").tap()
    step(page, "way:calls")
    step(page, "turn:9H")
    step(page, "call:schmeiss")
    expect(page.locator(".speaks")).to_have_text("Ewa speaks")
    step(page, "call:throw")
    save(page, match)
    page.get_by_role("link", name="Record deal").tap()
    step(page, "way:calls")
    step(page, "turn:9H")
    step(page, "call:schmeiss")
    step(page, "call:force")
    narrow(page)
    count(page, match, {"jass": "B", "nine": "B", "last": "A"}, {"A": "20", "B": "40"})
    record(page, match, "B:S", WORDS, {"A": "60", "B": "30"})
    expect(page.locator(".winner")).to_have_text("Ewa wins")
    expect(page.locator(".worth")).to_contain_text("Ewa +1")


def test_klaberjass_for_four(page: Page) -> None:
    """Four bidders in order to no-trumps; one side's cards bring the other's; partners share a board."""
    match = begin(page, "klaberjass-4", 150)
    narrow(page)
    expect(page.locator(".round li")).to_have_count(4)
    expect(page.locator(".round li").first).to_contain_text("Jan")
    page.get_by_role("link", name="Record deal").tap()
    step(page, "way:calls")
    step(page, "turn:9H")
    for name in ("Jan", "Ala", "Olek", "Ewa", "Jan", "Ala"):
        expect(page.locator(".speaks")).to_have_text(f"{name} speaks")
        step(page, "call:pass")
    step(page, "call:play NT")
    expect(page.locator('[name="jass"]').first).to_be_hidden()
    choose(page, "last", "B")
    page.fill("#cards_B", "80")
    expect(page.locator("#cards_A")).to_have_attribute("placeholder", "40")
    expect(page.locator("#comes-to")).to_contain_text("Jan & Olek +90")
    save(page, match)
    record(page, match, "B:H", {"jass": "B", "nine": "B", "last": "B"}, {"A": "30"})
    expect(page.locator(".winner")).to_have_text("Jan & Olek win")
    narrow(page)


def test_two_totals_of_four_players_in_five_taps(page: Page) -> None:
    """Totals, who plays, two digits, Save: what one side made leaves the rest to the other."""
    match = begin(page, "klaberjass-4")
    page.get_by_role("link", name="Totals").tap()
    choose(page, "bid", "B:H")
    for key in "62":
        page.locator(f'[data-numkeys] [data-key="{key}"]').tap()
    expect(page.locator("#comes-to")).to_contain_text("Jan & Olek +100")
    expect(page.locator("#total_B")).to_have_value("100")
    page.locator('.numkeys button[value="save"]').tap()
    expect(page).to_have_url(match)


def test_darda(page: Page) -> None:
    """Four nines, a run of five and bejle are tapped; the best meld of a side carries the others."""
    match = begin(page, "darda", 300)
    page.get_by_role("link", name="Record deal").tap()
    choose(page, "bid", "B:H")
    step(page, "four:C")
    choose(page, "fours-0-rank", "9")
    step(page, "run:A:3")
    choose(page, "runs-0-top", "A")
    step(page, "run:B:5")
    choose(page, "runs-1-top", "A")
    narrow(page)
    choose(page, "bela", "B")
    for word in WORDS:
        choose(page, word, "A")
    page.fill("#cards_A", "60")
    expect(page.locator("#comes-to")).to_contain_text("Jan & Olek said bejle, and jasek is part of it")
    choose(page, "jass", "B")
    expect(page.locator("#cards_B")).to_have_attribute("placeholder", "57")
    expect(page.locator("#comes-to")).to_contain_text("Ewa & Ala +351")
    save(page, match)
    expect(page.locator(".winner")).to_have_text("Ewa & Ala win")


def test_deberts_in_sets_with_a_dive(page: Page) -> None:
    """A dive accepted on the board, a game won by points with mars: four sets, carried into the rematch."""
    match = begin(page, "deberts", 100, preset="sets", dive="on", mars="on")
    page.get_by_role("link", name="Dive").tap()
    choose(page, "by", "A")
    choose(page, "accepted", "yes")
    page.locator("details[open] button.btn").tap()
    expect(page).to_have_url(match)
    expect(page.locator("main")).to_contain_text("The game is worth 2. Only Jan may double now.")
    record(page, match, "A:H", WORDS, {"A": "60", "B": "10"})
    expect(page.locator(".winner")).to_have_text("Ewa wins")
    expect(page.locator(".worth")).to_contain_text("Sets 4 : 0")
    page.get_by_role("button", name="Rematch").tap()
    expect(page.locator(".evening").get_by_role("row", name="Stakes +4 −4")).to_be_visible()
    expect(page.locator(".side").first).to_contain_text("deals")
    narrow(page)


def test_deberts_announced(page: Page) -> None:
    """The target alone does not end it; the button of the side that has it does."""
    match = begin(page, "deberts", 100)
    record(page, match, "A:H", WORDS, {"A": "60", "B": "10"})
    page.get_by_role("button", name="Ewa announces the end").tap()
    expect(page.locator(".winner")).to_have_text("Ewa wins")


def test_deberts_one_blow(page: Page) -> None:
    """One deal is the game, and a declarer who loses it pays double."""
    match = begin(page, "deberts", preset="one-blow")
    record(page, match, "A:H", {"jass": "B", "nine": "B", "last": "B"}, {"A": "20", "B": "40"})
    expect(page.locator(".winner")).to_have_text("Jan wins")
    expect(page.locator(".worth")).to_contain_text("Jan +2")
