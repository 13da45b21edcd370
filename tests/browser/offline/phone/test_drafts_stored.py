"""Drafts and what may befall a phone: killed, left at once, without network, without room."""

import pytest
from browsing import begin
from phone import Phone
from playwright.sync_api import Page, expect
from typed import choose, expect_taken_up, step, wait_until_saved


def type_run(page: Page, match: str) -> list[str]:
    """A deal with a run and card points, kept: what stands in it."""
    page.goto(f"{match}/deal")
    choose(page, "bid", "B:H")
    step("run:A:3")(page)
    expect(page.locator(".run")).to_have_count(1)
    page.fill('[name="cards_A"]', "34")
    return wait_until_saved(page, "#deal")


@pytest.mark.profile
def test_the_battery_is_empty(phone: Phone) -> None:
    """The browser is killed; started again with the same profile, all its forms have what was typed."""
    page = phone.open("/en/", controlled=False)
    match = begin(page)
    deal = type_run(page, match)
    other = phone.open(f"{match}/more", controlled=False)
    other.locator("summary").filter(has_text="Adjust").click()
    other.fill("#points-adjust", "-20")
    adjusted = wait_until_saved(other, "#entry-adjust")
    third = phone.open("/en/new", controlled=False)
    third.fill("#name-A", "Wawrzyniec")
    new = wait_until_saved(third, "#new")
    fourth = phone.open("/en/ask/derda/play", controlled=False)
    choose(fourth, "trump", "H")
    question = wait_until_saved(fourth, "#ask")
    phone.kill()
    page = phone.open(f"{match}/deal", controlled=False)
    expect_taken_up(page, "#deal", deal)
    expect(page.locator(".run")).to_have_count(1)
    for address, form, stands in (
        (f"{match}/more", "#entry-adjust", adjusted),
        ("/en/new", "#new", new),
        ("/en/ask/derda/play", "#ask", question),
    ):
        page.goto(address)
        expect_taken_up(page, form, stands)
        expect(
            page.locator(form).locator("input:visible, select:visible, textarea:visible").first
        ).to_be_visible()
