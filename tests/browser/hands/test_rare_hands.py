"""What is seldom recorded of a hand, on a phone: in few taps, without a script too, and corrected."""

import re

import pytest
from browsing import PHONE, Accessible, Scheme
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE | {"viewport": {"width": 360, "height": 740}})
NAMES = ("Ewa", "Jan", "Wawrzyniec", "Konstantynopolitańczykiewiczówna")
BOARD = re.compile(r"/m/[\w-]{22}$")
RULES = {"five_of_a_suit": "redeal", "epaulettes": "true", "walk_out": "plays-on"}


def sit_down(page: Page, base: str = "", **rules: str) -> str:
    """The board of a new session of four who have agreed on these house rules; the first deals."""
    page.goto(f"{base}/en/new?game=durak&table=4")
    for name, field in zip(NAMES, page.locator("input[data-seat]").all(), strict=False):
        field.fill(name)
    page.locator('input[name="dealer"][value="A"]').check(force=True)
    for fold in page.locator("details:has([name^='rule-'])").all():
        fold.evaluate("element => { element.open = true }")
    for name, value in rules.items():
        page.locator(f'input[name="rule-{name}"][value="{value}"]').check(force=True)
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(BOARD)
    return page.url


def unfold(page: Page, title: str) -> None:
    page.locator("summary", has_text=title).click()


def test_a_plain_hand_takes_two_taps_whatever_is_played(page: Page) -> None:
    """Epaulettes, new deals and who left stand beside the way of who tells none of them."""
    board = sit_down(page, **RULES)
    page.get_by_role("link", name="Record hand").click()
    for fold in page.locator("#hand details").all():
        expect(fold).not_to_have_attribute("open", "")
    fool = page.get_by_role("button", name="Jan is the fool")
    expect(fool).to_be_in_viewport()
    fool.click()
    expect(page).to_have_url(board)
    expect(page.locator(".loss .count")).to_have_text(["0", "1", "0", "0"])


def test_an_evening_with_house_rules(page: Page) -> None:
    """A new deal, epaulettes, somebody who leaves: each recorded, shown, undone, and put right."""
    board = sit_down(page, **RULES)
    page.get_by_role("link", name="Record hand").click()
    unfold(page, "Five of one suit")
    page.get_by_role("button", name="Wawrzyniec", exact=True).click()
    expect(page).to_have_url(board)
    expect(page.locator(".entries")).to_contain_text("Wawrzyniec was dealt five of one suit: a new deal.")
    expect(page.locator(".next")).to_contain_text("Ewa deals; whoever holds the lowest trump")

    page.get_by_role("link", name="Record hand").click()
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    page.get_by_role("button", name="Jan is the fool").click()
    expect(page).to_have_url(board)
    expect(page.locator(".marks")).to_have_text("2 epaulettes")
    expect(page.locator(".epaulette")).to_have_count(2)

    page.get_by_role("link", name="Record hand").click()
    unfold(page, "Somebody left the table")
    page.get_by_role("radio", name="Wawrzyniec").check(force=True)
    page.get_by_role("button", name="Void: only one player was left").click()
    expect(page).to_have_url(board)
    expect(page.locator(".entries")).to_contain_text("Wawrzyniec left the table, and one was left alone")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".entries")).not_to_contain_text("left the table")

    # Nobody said who: the sentence stands at the fold, which is open.
    page.get_by_role("link", name="Record hand").click()
    unfold(page, "Somebody left the table")
    page.get_by_role("button", name="Void: only one player was left").click()
    expect(page.locator("#walked_out-error")).to_have_text("Tap who left the table.")
    page.get_by_role("radio", name="Wawrzyniec").check(force=True)
    page.get_by_role("button", name="Ewa is the fool").click()
    expect(page).to_have_url(board)
    expect(page.locator(".entries")).to_contain_text("Ewa is the fool. Wawrzyniec left the table.")

    # The second hand: three epaulettes, and who went out first.
    page.get_by_role("link", name="Jan is the fool.").click()
    page.get_by_role("link", name="Correct").click()
    expect(page.get_by_role("radio", name="2", exact=True)).to_be_checked()
    page.get_by_role("radio", name="3", exact=True).check(force=True)
    unfold(page, "More")
    page.get_by_role("combobox", name="Went out in place 1").select_option(label="Ewa")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_contain_text("corrected")
    expect(page.locator("main")).to_contain_text("Went out, in this order: Ewa")
    page.goto(board)
    expect(page.locator(".epaulette")).to_have_count(3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_a_reader_out(page: Page, accessible: Accessible, scheme: Scheme) -> None:
    """The checker finds no fault with the form unfolded, the board, a hand and its correction."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    board = sit_down(page, **RULES)
    page.goto(f"{board}/hand")
    page.evaluate("document.querySelectorAll('details').forEach(element => { element.open = true })")
    accessible(page)
    for target in page.locator("#hand :is(button, summary, .choice, select):visible").all():
        box = target.bounding_box()
        assert box is not None and box["height"] >= 47.5, target.inner_text()
    page.set_viewport_size({"width": 320, "height": 640})
    for size in ("100%", "200%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.get_by_role("radio", name="4", exact=True).check(force=True)
    page.get_by_role("button", name="Jan is the fool").click()
    expect(page.locator(".marks")).to_be_visible()
    accessible(page)
    page.goto(f"{board}/entries/1")
    accessible(page)
    page.goto(f"{board}/entries/1?edit=1")
    accessible(page)
