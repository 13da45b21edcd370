"""A ruling at the table, on a phone: asked, attached, seen on the board, sent to somebody, on the sheet."""

import pytest
from browsing import PHONE, Accessible, begin
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

PLAY = "trump=H&hand=8H&hand=AH&trick=10H&card=8H&asked=1"


def test_attached_and_sent(page: Page, browser: Browser, base_url: str, accessible: Accessible) -> None:
    """From the answer to the match in one tap; the link shows the same elsewhere; the sheet a footnote."""
    board = begin(page)
    page.goto(f"{board}/ask/play?{PLAY}")
    accessible(page)
    page.get_by_role("button", name="Attach to the match").tap()
    expect(page.get_by_role("status").first).to_contain_text("Attached to the match")
    expect(page.locator(".verdict-line")).to_contain_text("may not be played")
    accessible(page)
    address = page.get_by_label("The address of this ruling").input_value()
    assert address.startswith(f"{base_url}/r/")
    page.get_by_text("Code for another phone").tap()
    expect(page.get_by_role("img", name="Code with the address of this ruling")).to_be_visible()
    with browser.new_context(locale="pl-PL", service_workers="block") as somebody:
        there = somebody.new_page()
        there.goto(address)
        expect(there.locator(".verdict-line")).to_contain_text("zagrać nie można")
        expect(there.get_by_text("Ewa, Jan")).to_be_visible()
        accessible(there)
    page.get_by_role("link", name="Scoreboard").last.tap()
    rulings = page.get_by_role("region", name="Rulings")
    expect(rulings).to_contain_text("may not be played")
    accessible(page)
    page.goto(f"{board}/sheet")
    expect(page.locator(".s-footnotes")).to_contain_text("May I play this? No, 8♥ may not be played.")
    page.goto(board)
    rulings.get_by_role("link", name="May I play this?").tap()
    page.get_by_role("button", name="Withdraw").tap()
    expect(page.get_by_text("The ruling was withdrawn from the match; its page stays.")).to_be_visible()
    expect(rulings).to_have_count(0)


def test_printed_on_one_page(page: Page) -> None:
    """On paper the verdict, why, rules and facts on one page, and nothing to tap."""
    page.goto(f"/en/ask/derda/play?{PLAY}")
    page.get_by_role("button", name="Keep and share").tap()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    page.emulate_media(media="print")
    for shown in (".verdict-line", ".answer > p", ".rule", ".facts", ".given"):
        expect(page.locator(shown).first).to_be_visible()
    expect(page.locator("button:visible:not(.gloss)")).to_have_count(0)  # a word of the game is text there
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1
