"""Sign out all others: a phone on which something waits is told so, and sends it when it is back in."""

from collections.abc import Callable

from browsing import Accessible, begin
from evenings import record, totals
from line import Line
from phone import Phone
from playwright.sync_api import Page, expect

from .test_moving import YES, show_code


def take_over(page: Page, other: Page) -> None:
    """Move to this phone by a code of the other, which sees that it was taken."""
    page.goto(show_code(other))
    page.get_by_role("button", name=YES).tap()
    expect(page.locator("a.resume")).to_be_visible()
    expect(other.locator("#move-code")).to_have_attribute("data-state", "used")


def test_what_waits_is_sent_by_a_phone_that_is_back_in(
    make_phone: Callable[..., Phone], line: Line, accessible: Accessible
) -> None:
    """By a code of the phone that signed it out; until then nothing is sent, and nothing is lost."""
    mine, lost = make_phone(base_url=line.address).open(), make_phone(base_url=line.address).open()
    match = begin(mine)
    take_over(lost, mine)
    line.fate = lambda method, path: "is lost" if method == "POST" and "/deal" in path else "arrives"
    record(lost, match, "A", "90")
    expect(lost.locator("#waiting li")).to_have_count(1)
    mine.goto("/en/browser")
    mine.get_by_text("Lost a phone, or a token?").tap()
    mine.get_by_text("Sign out all others", exact=True).tap()
    accessible(mine)
    mine.get_by_role("button", name="Yes, sign them out").tap()
    expect(mine.get_by_text("All other phones and programs are signed out.")).to_be_visible()
    line.mend()
    lost.goto("/en/")
    expect(lost.get_by_text("This phone was signed out.")).to_be_visible()
    accessible(lost)
    assert totals(mine, match) == []
    lost.get_by_role("link", name="How to get back in").tap()
    accessible(lost)
    take_over(lost, mine)
    lost.goto(match)
    expect(lost.locator(".board .total").first).to_have_text("90")
    assert totals(mine, match) == [90]
