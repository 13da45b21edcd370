"""A long history on a phone: page by page, there and back, while the newest page goes on by itself."""

from collections.abc import Callable

import pytest
from browsing import PHONE, Accessible, begin, carried, write_deal
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

DEAL = {"bid": "A:H", "counting": "totals", "total_A": "90", "total_B": "72"}
CHANGES = 53


def lengthen(page: Page, match: str, changes: int) -> None:
    """Undo the last deal and put it back, again and again."""
    for n in range(changes):
        form = carried(page.request.get(match).text())
        path = ("undo", "put-back")[n % 2]
        answer = page.request.post(f"{match}/{path}", form={**form}, max_redirects=0)
        assert answer.status == 303, answer.text()


def test_a_history_is_turned_over(
    page: Page, other_phone: Callable[..., Page], accessible: Accessible
) -> None:
    """Fifty changes to a page; what is new comes to the newest page, and moves no other one."""
    match = begin(page)
    write_deal(page, match, **DEAL)
    lengthen(page, match, CHANGES)
    newest = other_phone()
    newest.goto(f"{match}/history")
    page.goto(f"{match}/history")
    lines = page.locator("#history .log li")
    expect(lines).to_have_count(50)
    accessible(page)
    for name in ("Older", "Oldest"):
        box = page.get_by_role("link", name=name, exact=True).bounding_box()
        assert box is not None and box["height"] >= 48 and box["x"] + box["width"] <= 393
    page.get_by_role("link", name="Older").click()
    expect(lines).to_have_count(CHANGES + 1 - 50 + 1)
    expect(lines.last).to_contain_text("The match was started.")
    expect(page.get_by_role("link", name="Older")).to_have_count(0)
    without_scripts = other_phone(java_script_enabled=False)
    without_scripts.goto(f"{match}/history")
    without_scripts.get_by_role("link", name="Older").click()
    expect(without_scripts.locator("#history .log li")).to_have_count(CHANGES + 1 - 50 + 1)
    write_deal(page, match, **DEAL)
    expect(newest.locator("#history .log li").first).to_contain_text("written", timeout=8_000)
    expect(newest.locator("#history .log li")).to_have_count(50)
    expect(lines).to_have_count(CHANGES + 1 - 50 + 1)
    page.get_by_role("link", name="Newer").click()
    expect(lines).to_have_count(50)
    page.get_by_role("link", name="Newest").click()
    expect(lines.first).to_contain_text("written")
    expect(page.get_by_role("link", name="Newer")).to_have_count(0)
