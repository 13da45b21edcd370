"""A session of Durak begun on a phone: taps, the ring of seats, the keyboard, no script, large text."""

import pytest
from browsing import BOARD, PHONE, choice
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Ewa", "Jan", "Aleksandra", "Konstanty Ildefons", "Ola", "Tomek")


def seat(page: Page, table: str) -> None:
    """Tap how many play; the places follow without another page."""
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        choice(page, "table", table).tap()
    expect(page.locator('input[name="shown-table"]')).to_have_value(table)


def fill(page: Page, players: int) -> None:
    """Type so many names, clockwise."""
    for name, field in zip(NAMES[:players], page.locator("input[data-seat]").all(), strict=True):
        field.fill(name)


def test_a_new_company_sits_down(page: Page) -> None:
    """Two against two: typed names keep their seats, partners are marked, and the lot says who deals."""
    page.goto("/en/new?game=durak")
    fill(page, 4)
    seat(page, "6")
    fill(page, 6)
    choice(page, "dealer", "C").tap()
    seat(page, "teams-4")
    expect(page.locator("input[data-seat]")).to_have_count(4)
    expect(choice(page, "dealer", "C")).to_have_text("Aleksandra deals")
    expect(page.locator(".team")).to_have_text(["Team 1", "Team 2", "Team 1", "Team 2"])
    expect(page.locator('input[name="dealer"][value="C"]')).to_be_checked()
    seat(page, "6")
    expect(page.locator("#name-F")).to_have_value("Tomek")
    seat(page, "teams-4")
    choice(page, "dealer", "draw").tap()
    page.get_by_role("button", name="Start").tap()
    expect(page).to_have_url(BOARD)
    expect(page.get_by_role("status").filter(has_text="deals first")).to_be_visible()
