"""Rulebooks on a phone: a table's own rules, two tables side by side, a search, a card to print."""

from browsing import begin
from playwright.sync_api import Page, expect


def test_room_for_a_thumb_among_the_rules(page: Page) -> None:
    """Presets, numbers, ways to the card and left-out rules are at least 48 pixels high."""
    for address in ("/en/rules/deberts?preset=moscow", "/en/rules/durak?players=5"):
        page.goto(address)
        for target in page.locator(".picks a, .rule-ways a, .left-out a, .chapters a, .search button").all():
            box = target.bounding_box()
            assert box is not None
            assert box["height"] >= 47.5, (address, target.inner_text())


def test_two_tables_are_compared_by_keyboard(page: Page) -> None:
    """From the rulebook to the comparison, another table chosen, all without a finger on the glass."""
    page.goto("/en/rules/deberts?preset=kharkov")
    page.get_by_role("link", name="Compare two tables").press("Enter")
    page.get_by_label("The other").select_option(label="Sets")
    page.get_by_role("button", name="Compare").press("Enter")
    expect(page.get_by_role("status").filter(has_text="between Kharkov and Sets")).to_be_visible()
    different = page.locator(".contrast").count()
    expect(page.locator(".contrast.differs")).to_have_count(different)
    page.get_by_role("link", name="Also show what is the same").press("Enter")
    expect(page.locator(".contrast.differs")).to_have_count(different)
    assert page.locator(".contrast").count() > different
    expect(page.locator(".contrast").first.locator(".tag")).to_have_text("the same")


def test_from_a_match_to_its_card(page: Page) -> None:
    """Three taps from the scoreboard: more, its rules, then the card, naming paper or browser."""
    begin(page)
    page.get_by_role("link", name="More").tap()
    page.get_by_role("link", name="Rules of this match").tap()
    page.get_by_role("link", name="Table card to print").tap()
    expect(page.get_by_role("heading", name="Derda")).to_be_visible()
    expect(page.get_by_role("navigation", name="Print as PDF").get_by_role("link")).to_have_count(4)
