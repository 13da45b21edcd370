"""The pages on a phone: a match begun with few taps, room for a thumb, both papers, for every reader."""

import re

import pytest
from browsing import BOARD, begin, open_match
from playwright.sync_api import Page, expect


def test_seats_are_changed_by_taps(page: Page) -> None:
    """With remembered names no letter is typed, neither as they sat nor the other way round."""
    begin(page)
    page.goto("/en/")
    page.get_by_role("link", name="New match").tap()
    for name in ("Ewa", "Jan", "Jan", "Ewa"):
        page.get_by_role("button", name=name).tap()
    page.locator("label", has=page.locator("input[name=dealer][value=B]")).tap()
    page.get_by_role("button", name="Start").tap()
    expect(page.locator(".board .names").first).to_have_text("Jan")
    expect(page.locator(".board .side").nth(1)).to_contain_text("deals")


def test_drawn_cards_are_tapped(page: Page) -> None:
    """The card pads appear when cards are drawn for the deal, each whole on the screen, and settle it."""
    page.goto("/en/new")
    page.fill("#name-A", "Ewa")
    page.fill("#name-B", "Jan")
    expect(page.locator(".cardpad").first).to_be_hidden()
    page.locator("label", has=page.locator("#draw")).tap()
    for seat, card in (("A", "10S"), ("B", "9H")):
        page.locator("label", has=page.locator(f"input[name=drawn-{seat}][value='{card}']")).tap()
    box = page.locator(".cardpad").first.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 393
    page.get_by_role("button", name="Start").tap()
    expect(page.get_by_role("status").filter(has_text="Jan deals first")).to_be_visible()


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_nothing_has_to_be_pushed_sideways(page: Page, size: str) -> None:
    """At 320 pixels, with long names and with text twice as large, no page is wider than the screen."""
    page.set_viewport_size({"width": 320, "height": 640})
    board = begin(page, names=("Konstantynopolitańczykowianeczka Ewelina"[:40], "W" * 40))
    for address in (board, f"{board}/history", "/pl/", "/en/new", "/en/m/nowhere"):
        page.goto(address)
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, address


def test_both_scores_of_a_match_stay_together(page: Page) -> None:
    """In the list of matches, however long the names are, no score has a line of its own."""
    page.set_viewport_size({"width": 320, "height": 640})
    begin(page)
    begin(page)
    page.goto("/en/")
    scores, name = page.locator(".matches .standing b"), page.locator(".matches .player").nth(1)
    for letters in range(1, 25):
        name.evaluate("(name, letters) => { name.textContent = 'W'.repeat(letters) }", letters)
        first, second = (box["y"] for box in (score.bounding_box() for score in scores.all()) if box)
        assert first == second, letters


def test_room_for_a_thumb(page: Page) -> None:
    """Whatever can be tapped outside a sentence is at least 48 pixels high, card keys included."""
    board, session = begin(page), open_match(page, "durak", ("Ewa", "Jan", "Ala", "Olek"), table="teams-4")
    ways = ("", "/hand", "/more?open=touch")
    for address in ("/en/", "/en/new", board, f"{board}/history", *(session + way for way in ways)):
        page.goto(address)
        for target in page.locator("a:visible, button:visible, summary:visible, .choice:visible").all():
            if target.evaluate("el => Boolean(el.closest('p, th, td, .skip') || el.matches('.skip'))"):
                continue
            box = target.bounding_box()
            assert box is not None
            assert box["height"] >= 47.5, (address, target.inner_text())


def test_totals_are_huge(page: Page) -> None:
    """The totals on the board are at least three times as large as text."""
    begin(page)
    size = page.locator(".total").first.evaluate("el => parseFloat(getComputedStyle(el).fontSize)")
    assert size >= 48


def test_a_hasty_thumb_starts_one_match(page: Page) -> None:
    """Start tapped three times in a row is one match."""
    page.goto("/en/new")
    page.fill("#name-A", "Halina")
    page.fill("#name-B", "Jan")
    page.locator("label", has=page.locator("input[name=dealer][value=A]")).click()
    page.locator(".actions .primary").click(click_count=3)
    expect(page).to_have_url(BOARD)
    page.goto("/en/?q=halina")
    expect(page.locator(".list .standing")).to_have_count(1)


def test_the_switches(page: Page) -> None:
    """The language and the paper are switched on This phone, and stay switched."""
    page.goto("/en/new")
    page.get_by_role("link", name="This phone").tap()
    page.get_by_role("link", name="Polski").tap()
    expect(page).to_have_url(re.compile(r"/pl/new\??$"))
    page.goto("/pl/browser")
    paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.locator("a[href*='/paper/dark']").tap()
    expect(page).to_have_url(re.compile(r"/pl/browser\??$"))
    page.wait_for_load_state()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != paper
