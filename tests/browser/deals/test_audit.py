"""A revoke at the table: the cards as they fell, one tap to the audit, one tap to write the penalty."""

import pytest
from browsing import PHONE, Accessible, begin
from derda import WRONG
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)


def record(page: Page, match: str) -> None:
    """Ewa plays hearts; every card is tapped as it fell."""
    page.goto(f"{match}/deal?mode=cards")
    page.locator("label", has=page.locator('input[name="bid"][value="A:H"]')).tap()
    for card in WRONG.split():
        page.locator(f'button[value="card:{card}"]').tap()
    expect(page.locator(".tricks li")).to_have_count(9)


def test_a_revoke_is_found_and_its_penalty_written(page: Page, accessible: Accessible) -> None:
    """Two taps from the last card: to the audit, and to the board with the deal written to the opponent."""
    match = begin(page)
    record(page, match)
    audit = page.locator(".dock").get_by_role("button", name="Audit this deal")
    expect(audit).to_be_in_viewport()
    audit.tap()
    expect(page).to_have_url(f"{match}/audit")
    found = page.locator(".found > li").first
    expect(found).to_contain_text("Trick 2: Jan could not play A")
    expect(found.locator(".due .card")).to_have_count(2)
    expect(found).to_contain_text("It could first be known in trick 3.")
    expect(found).to_contain_text("It costs the whole deal: Ewa 82, Jan 0.")
    write = page.get_by_role("button", name="Write the penalty")
    expect(write).to_be_in_viewport()
    accessible(page)
    write.tap()
    expect(page).to_have_url(match)
    expect(page.locator(".board .total").first).to_have_text("82")
    page.locator(".entries tbody a").first.tap()
    page.get_by_role("link", name="Audit this deal").tap()
    expect(page.locator(".found > li").first).to_contain_text("Trick 2")
    expect(page.get_by_role("button", name="Write the penalty")).to_have_count(0)
