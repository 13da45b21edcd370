"""Entries that were in the phone alone, whose database its browser has deleted."""

from browsing import Accessible, open_match
from evenings import record
from line import Line
from phone import Phone
from playwright.sync_api import expect

DELETE = """() => new Promise((resolve, reject) => {
  const request = indexedDB.deleteDatabase("companion");
  request.onsuccess = resolve;
  request.onerror = request.onblocked = reject;
})"""


def test_the_next_page_says_how_many_are_lost(phone: Phone, line: Line, accessible: Accessible) -> None:
    """Until it is closed; then never again."""
    page = phone.open()
    match = open_match(page, "derda", ("Ewa", "Jan"))
    page.goto(match)
    phone.wait_until_saved(page, f"{match}/deal")
    line.cut()
    record(page, match, "A", "90")
    expect(page.locator("#waiting li")).to_have_count(1)
    page.wait_for_function("localStorage.getItem('waiting') === '1'")  # a moment after it is stored
    note = page.locator("#lost")
    expect(note).to_be_hidden()
    page.evaluate(DELETE)
    page.goto(match)
    expect(note).to_contain_text("before they were sent (1)")
    expect(page.locator("#waiting li")).to_have_count(0)
    accessible(page)
    note.get_by_role("button", name="Close").tap()
    expect(note).to_be_hidden()
    page.reload()
    expect(page.locator("#at-risk")).to_be_hidden()
    expect(note).to_be_hidden()
