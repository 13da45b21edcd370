"""Phones of which several may write or speak: what one does disturbs none that types, and is said there."""

from collections.abc import Callable

import pytest
from browsing import PHONE, Accessible, begin, open_match, write_deal
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

SOON = 8_000
DEAL = {"bid": "A:H", "counting": "totals", "total_A": "90", "total_B": "72"}
Join = Callable[..., Page]


def test_a_pencil_that_is_taken_back_while_it_types(page: Page, join: Join, accessible: Accessible) -> None:
    """The page says so, and keeps what was typed; given again, it says that too."""
    match = begin(page)
    jan = join(page, match, "pencil")
    jan.goto(f"{match}/deal?bid=B:H&mode=totals")
    field = jan.locator('[name="total_A"]')
    field.evaluate(
        "(field) => { field.value = '77'; field.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    page.goto(match)
    page.get_by_role("button", name="Take the pencil back").click()
    news = jan.locator("#news")
    expect(news).to_contain_text("The pencil was taken back; what you typed stays here.", timeout=SOON)
    expect(field).to_have_value("77")
    accessible(jan)
    look = news.get_by_role("link", name="Look").bounding_box()
    assert look and look["height"] >= 48


def test_what_this_phone_writes_is_no_news_to_it(page: Page, join: Join) -> None:
    """A hand that is followed writes with every tap; only what the others do is said."""
    match = open_match(page, "durak", ("Ewa", "Jan", "Ala"), table="3")
    jan = join(page, match, "pencil")
    jan.goto(f"{match}/hand/follow")
    page.goto(f"{match}/names")
    with jan.expect_response(lambda answer: "/news" in answer.url and answer.status == 204, timeout=SOON):
        jan.locator('button[name="do"][value="trump:H"]').click()
    expect(jan.locator("#news")).to_be_empty()
    expect(page.locator("#news")).to_contain_text("The hand in progress was saved.", timeout=SOON)
    page.fill("[name=place]", "Lwów")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("The match has moved on")
    expect(page.locator("#news")).to_be_empty()  # for that is said now
    page.get_by_role("button", name="Save").click()
    expect(jan.locator("#news")).to_contain_text("Place: Lwów", timeout=SOON)


def test_what_is_said_of_an_entry_is_seen_by_all(page: Page, join: Join, other_phone: Join) -> None:
    """Doubted by the opponent: on the owner's board, on the onlooker's, and where something is typed."""
    match = begin(page)
    write_deal(page, match, **DEAL)
    jan = join(page, match, "opponent:B")
    onlooker = other_phone()
    onlooker.goto(match)
    typing = page.context.new_page()
    typing.goto(f"{match}/deal")
    page.goto(match)
    jan.goto(f"{match}/entries/1/object")
    jan.locator("label", has=jan.locator('[name="reason"][value="count"]')).click()
    jan.get_by_role("button", name="Save").click()
    for board in (page, onlooker):
        expect(board.locator(".doubts")).to_contain_text("Deal 1", timeout=SOON)
    expect(typing.locator("#news")).to_contain_text("Jan’s phone", timeout=SOON)
    expect(jan).to_have_url(match)
    jan.get_by_role("button", name="Withdraw the objection").click()
    for board in (page, onlooker):
        expect(board.locator(".doubts")).to_have_count(0, timeout=SOON)


def test_the_next_game_is_found_from_the_last(page: Page, join: Join) -> None:
    """When a rematch is begun, the other phones' boards of the finished game lead to it."""
    match = begin(page)
    jan = join(page, match, "opponent:B")
    for _deal in range(6):
        write_deal(page, match, **DEAL)
    page.goto(match)
    expect(jan.locator(".outcome")).to_be_visible(timeout=SOON)
    page.get_by_role("button", name="Rematch").click()
    jan.get_by_role("link", name="Open the rematch").click(timeout=SOON)
    expect(jan.locator(".board .total").first).to_have_text("0")
    assert jan.url == page.url
