"""A session of Durak begun on a phone: taps, the ring of seats, the keyboard, no script, large text."""

import pytest
from browsing import BOARD, PHONE, choice
from playwright.sync_api import Page, expect
from typed import discard_drafts

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
    expect(page.get_by_role("status")).to_contain_text("deals first")


def test_by_keyboard(page: Page) -> None:
    """Arrows go through how many play, and the focus stays there while the places follow."""
    page.goto("/en/new?game=durak")
    page.locator('input[name="table"][value="4"]').focus()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.keyboard.press("ArrowRight")
    expect(page.locator("input[data-seat]")).to_have_count(5)
    expect(page.locator('input[name="table"][value="5"]')).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#name-A")).to_be_focused()
    page.keyboard.type(NAMES[0])
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.locator('input[name="dealer"][value="A"]')).to_be_checked()
    for seat, name in zip("BCDE", NAMES[1:5], strict=True):
        page.keyboard.press("Tab")
        expect(page.locator(f"#name-{seat}")).to_be_focused()
        page.keyboard.type(name)
    page.locator("#dealer-A").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator('input[name="dealer"][value="draw"]')).to_be_checked()


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_nothing_has_to_be_pushed_sideways(page: Page, size: str) -> None:
    """At 320 pixels, with long names and with text twice as large, no table is wider than the screen."""
    page.set_viewport_size({"width": 320, "height": 640})
    for table in ("2", "3", "5", "6", "teams-6"):
        discard_drafts(page)  # or what was typed for the table before is taken up meanwhile
        page.goto(f"/en/new?game=durak&table={table}")
        page.fill("#name-A", "W" * 40)
        page.fill("#name-B", "Konstantynopolitańczykowianeczka Ewelina"[:40])
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, table
        boxes = page.locator(".who .choice").evaluate_all(
            "all => all.map((element) => element.getBoundingClientRect().toJSON())"
        )
        assert len(boxes) >= 3
        assert all(box["left"] >= 0 and box["right"] <= 320 and box["height"] >= 47.5 for box in boxes), boxes
    page.goto("/en/rules/durak")
    page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
