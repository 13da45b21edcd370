"""Phones that look at one match: what is written on one is seen on the others, and disturbs nobody."""

import re
from collections.abc import Callable

import pytest
from browsing import PHONE, Accessible, begin, open_match, write_deal
from entries import write_hand
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

SOON = 8_000
"""Milliseconds in which another phone shows it on a busy machine; on an idle one it is two seconds."""
DEAL = {"bid": "A:H", "counting": "totals", "total_A": "90", "total_B": "72"}


def test_a_deal_arrives(page: Page, other_phone: Callable[..., Page]) -> None:
    """Totals, log and title of another phone's board, its views, a history, a sheet; and what is undone."""
    match = begin(page)
    board, history, sheet, wall, turned = (other_phone() for _phone in range(5))
    board.goto(match)
    for phone, path in ((history, "history"), (sheet, "sheet"), (wall, "big"), (turned, "turned")):
        phone.goto(f"{match}/{path}")
    write_deal(page, match, **DEAL)
    expect(board.locator(".board .total")).to_have_text(["90", "72"], timeout=SOON)
    expect(board.locator(".entries tbody tr")).to_have_count(1)
    expect(board).to_have_title(re.compile("Ewa 90 – Jan 72"))
    expect(board.locator(".needs").first).to_contain_text("needs")
    expect(history.locator("#history li").first).to_contain_text("Deal 1", timeout=SOON)
    expect(sheet.locator("#sheet")).to_contain_text("90", timeout=SOON)
    page.goto(match)
    page.get_by_role("button", name="Undo").click()
    expect(board.locator(".board .total")).to_have_text(["0", "0"], timeout=SOON)
    expect(board.locator(".undone")).to_contain_text("Deal 1")
    for view in (wall, turned):
        expect(view.locator(".total").first).to_have_text("0", timeout=SOON)
    assert board.url == match


def test_a_page_whose_script_came_late_follows(page: Page, other_phone: Callable[..., Page]) -> None:
    """The network was away while it was loaded: nothing is thrown, and it follows as soon as it can."""
    match = begin(page)
    board = other_phone()
    board.route("**/offline/live.js", lambda route: route.abort(), times=1)
    board.goto(match)
    expect(board.locator(".board .total")).to_have_text(["0", "0"])
    write_deal(page, match, **DEAL)
    expect(board.locator(".board .total")).to_have_text(["90", "72"], timeout=5_000 + SOON)


def test_what_was_opened_chosen_and_looked_at_stays(page: Page, other_phone: Callable[..., Page]) -> None:
    """A fold that was opened, the focus, and what is in view stay while the page changes around them."""
    match = open_match(page, "durak", ("Ewa", "Jan", "Ala"), table="3")
    for fool in "ABCA":
        write_hand(page, match, fool)
    board = other_phone(viewport={"width": 360, "height": 480})
    board.goto(f"{match}?all=1")
    fold = board.locator(".why-so")
    fold.locator("summary").click()
    expect(fold).to_have_attribute("open", "")
    link = board.locator(".entries tbody tr").nth(1).get_by_role("link")
    name = link.inner_text()
    link.focus()
    board.mouse.wheel(0, 300)
    board.wait_for_timeout(400)
    stored = link.evaluate("link => (window.watched = link).getBoundingClientRect().top")
    assert board.evaluate("scrollY") > 0
    write_hand(page, match, "B")
    expect(board.locator(".entries tbody tr")).to_have_count(5, timeout=SOON)
    assert board.evaluate("document.activeElement === watched")
    assert board.locator(".entries tbody tr").nth(2).get_by_role("link").inner_text() == name
    assert abs(board.evaluate("watched.getBoundingClientRect().top") - stored) <= 1
    expect(fold).to_have_attribute("open", "")


def test_typing_is_not_disturbed(
    page: Page, other_phone: Callable[..., Page], accessible: Accessible
) -> None:
    """A page with a form stays as it is, to the pixel, and says what the others did; that can be closed."""
    match = begin(page)
    asking = other_phone()
    asking.goto(f"{match}/ask/count")
    field = (
        asking.locator("input[type=text], input[type=number], input[inputmode]").locator("visible=true").first
    )
    field.fill("5")
    place = field.bounding_box()
    write_deal(page, match, **DEAL)
    news = asking.locator("#news")
    expect(news).to_contain_text("The scorekeeper: Deal 1 written: 90:72", timeout=SOON, ignore_case=True)
    expect(field).to_have_value("5")
    expect(field).to_be_focused()
    assert field.bounding_box() == place
    accessible(asking)
    write_deal(page, match, **DEAL)
    expect(news).to_contain_text("Deal 2 written", timeout=SOON)
    expect(news).to_contain_text("and 1 more change")
    news.get_by_role("button", name="Close").click()
    expect(news).to_be_empty()
    write_deal(page, match, **DEAL)
    expect(news).to_contain_text("Deal 3 written", timeout=SOON)
    expect(news).not_to_contain_text("more change")
    news.get_by_role("link", name="Look").click()
    expect(asking.locator(".board .total").first).to_have_text("270")
