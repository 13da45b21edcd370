"""A revoke at the table: the cards as they fell, one tap to the audit, one tap to write the penalty."""

import re

import pytest
from browsing import PHONE, SCREEN, Accessible, Scheme
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

# Jan does not beat the seven of trumps in the second trick, though he has the king and the queen.
FELL = "9C KC 7H AS 9H QH AH KH 8H 7S AC 10C 7D JD 9S 9D 8D JC"


def begin(page: Page) -> str:
    """A match in which Ewa deals; its address."""
    page.goto("/en/new")
    page.fill("#name-A", "Ewa")
    page.fill("#name-B", "Jan")
    page.locator("label", has=page.locator("input[name=dealer][value=A]")).click()
    page.locator(".actions .primary").click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    return page.url


def record(page: Page, match: str) -> None:
    """Ewa plays hearts; every card is tapped as it fell."""
    page.goto(f"{match}/deal?mode=cards")
    page.locator("label", has=page.locator('input[name="bid"][value="A:H"]')).tap()
    for card in FELL.split():
        page.locator(f'button[value="card:{card}"]').tap()
    expect(page.locator(".tricks li")).to_have_count(9)


def test_a_revoke_is_found_and_its_penalty_written(page: Page) -> None:
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
    write.tap()
    expect(page).to_have_url(match)
    expect(page.locator(".board .total").first).to_have_text("82")
    page.locator(".entries tbody a").first.tap()
    page.get_by_role("link", name="Audit this deal").tap()
    expect(page.locator(".found > li").first).to_contain_text("Trick 2")
    expect(page.get_by_role("button", name="Write the penalty")).to_have_count(0)


def test_back_from_the_audit_the_deal_is_still_there(page: Page) -> None:
    """What was declared can be added after the audit named it; then less is wrong."""
    match = begin(page)
    record(page, match)
    page.locator(".dock").get_by_role("button", name="Audit this deal").tap()
    expect(page.locator(".verdict-line")).to_have_text("3 mistakes were found.")
    page.get_by_role("link", name="Continue the deal").tap()
    expect(page.locator(".tricks li")).to_have_count(9)
    page.locator("label", has=page.locator('input[name="bela"][value="B"]')).tap()
    page.locator(".dock").get_by_role("button", name="Audit this deal").tap()
    expect(page.locator(".verdict-line")).to_have_text("2 mistakes were found.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_reader_can_use_it(
    browser: Browser, live_app: str, accessible: Accessible, scheme: Scheme
) -> None:
    """axe finds nothing on the form with a wrong card, the audit, the choice of deals, the question."""
    context = browser.new_context(
        viewport=SCREEN,
        screen=SCREEN,
        base_url=live_app,
        has_touch=True,
        color_scheme=scheme,
        service_workers="block",
    )
    page = context.new_page()
    match = begin(page)
    record(page, match)
    accessible(page)
    page.locator(".dock").get_by_role("button", name="Audit this deal").tap()
    expect(page).to_have_url(f"{match}/audit")
    accessible(page)
    for path in (f"{match}/audit?made.A=84&made.B=38", f"{match}/ask/audit", "/en/ask/derda/audit"):
        page.goto(path)
        accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()
