"""Two phones at a table: what is agreed to and doubted, in how many taps, and without network."""

import re
from collections.abc import Callable

import pytest
from browsing import BOARD, PHONE, Accessible, begin, write_deal
from fitting import find_misfits
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

SOON = 10_000
"""Milliseconds in which one phone shows what another one said, on a busy machine."""
HEARTS = {"bid": "A:H", "counting": "totals", "total_A": "97", "total_B": "65"}

Sit = Callable[..., Page]


@pytest.fixture
def sit_down(page: Page, join: Callable[..., Page]) -> Sit:
    """A second phone at a table, which joined as the opponent of a side; both show the board."""

    def make(match: str, side: str = "B") -> Page:
        phone = join(page, match, f"opponent:{side}")
        page.goto(match)
        return phone

    return make


def is_board(page: Page) -> None:
    expect(page).to_have_url(BOARD)


def agree(page: Page, name: str = "Agree") -> None:
    """One tap."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).first.click()
    is_board(page)


def test_agree_in_one_tap_and_again_after_a_correction(page: Page, sit_down: Sit) -> None:
    """The tick arrives on the other phone; a correction takes it back on both, and one tap gives it again."""
    match = begin(page)
    write_deal(page, match, **HEARTS)
    jan = sit_down(match)
    page.goto(match)
    expect(jan.locator(".agreeing-what")).to_have_text("Deal 1: 97:65")
    agree(jan)
    expect(jan.locator(".agreeing")).to_have_count(0)
    expect(page.locator(".entries .agreed")).to_have_count(1, timeout=SOON)
    page.goto(f"{match}/entries/1?edit=1")
    expect(page.locator("main")).to_contain_text(
        "Jan has agreed to it as it stands; if you change it, that agreement"
    )
    page.fill("[name=total_A]", "99")
    page.fill("[name=total_B]", "63")
    page.get_by_role("button", name=re.compile("^(Save|Save deal)$")).locator("visible=true").last.click()
    expect(page.locator(".notice").first).to_have_text(
        "Deal 1 is no longer agreed: Jan agreed to the earlier version."
    )
    changed = jan.locator(".changed-agreement")
    expect(changed).to_contain_text("Deal 1 was changed after Jan agreed: 97:65 → 99:63", timeout=SOON)
    expect(jan.locator(".entries .agreed")).to_have_count(0)
    agree(jan, "Agree again")
    expect(changed).to_have_count(0)
    page.goto(match)
    expect(page.locator(".entries .agreed")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".entries .agreed")).to_have_count(0)  # what was agreed to last is gone again


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_object_in_three_taps(page: Page, sit_down: Sit, accessible: Accessible, lang: str) -> None:
    """It is in view on both phones with all that was said, and gone from both once it is withdrawn."""
    match = begin(page, lang, names=("Konstantynopolitańczykiewiczówna", "Wawrzyniec"))
    write_deal(page, match, **HEARTS)
    jan = sit_down(match)
    page.goto(match)
    jan.locator(".agreeing a.btn").click()
    jan.locator("label.choice").first.click()
    assert not find_misfits(jan)
    accessible(jan)
    jan.locator(".actions .primary").click()
    is_board(jan)
    for phone in (jan, page):
        expect(phone.locator(".doubts")).to_be_visible(timeout=SOON)
        expect(phone.locator(".doubts b")).to_be_in_viewport()
        expect(phone.locator(".entries .doubted")).to_have_count(1)
        phone.goto(match)
        assert not find_misfits(phone)
        accessible(phone)
    for phone in (jan, page):
        phone.goto(f"{match}/entries/1")
        assert not find_misfits(phone)
        accessible(phone)
    jan.goto(match)
    page.goto(match)
    with jan.expect_navigation():
        jan.locator(".doubts form button").click()
    expect(jan.locator(".doubts")).to_have_count(0)
    expect(page.locator(".doubts, .doubted")).to_have_count(0, timeout=SOON)
