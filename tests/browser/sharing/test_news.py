"""Phones of which several may write or speak: what one does disturbs none that types, and is said there."""

from collections.abc import Callable

import pytest
from browsing import PHONE, begin, write_deal
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

SOON = 8_000
DEAL = {"bid": "A:H", "counting": "totals", "total_A": "90", "total_B": "72"}
Join = Callable[..., Page]


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
