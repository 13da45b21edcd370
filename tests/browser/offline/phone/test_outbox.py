"""Saved without an answer: the entry waits in the phone, in view, and is written once, in its turn."""

from collections.abc import Callable

import pytest
from browsing import PHONE
from entries import KINDS, EntryKind, fill_in, prepare, record_of
from line import Fate, Line
from phone import Phone
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)


def write_smoothly(page: Page, kind: EntryKind) -> object:
    """What stands in the record after an entry that nothing befell."""
    match = prepare(page, kind)
    before = record_of(page, match)
    fill_in(page, kind, match).click()
    expect(page.locator("form[data-sent]")).to_have_count(0)
    page.wait_for_load_state()
    after = record_of(page, match)
    assert after != before
    return after


def losing(*fates: Fate) -> Callable[[str, str], Fate]:
    """What becomes of the forms that are sent, one after the other; the rest arrives, and all else does.

    What a deal comes to is asked for a moment after a tap, be it then that the deal is saved.
    """
    left = list(fates)

    def choose(method: str, path: str) -> Fate:
        return left.pop(0) if left and method == "POST" and not path.endswith("/preview") else "arrives"

    return choose


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_of_entry_arrives_once(phone: Phone, line: Line, kind: EntryKind) -> None:
    """The first attempt is lost, of the second the answer: the third tells the phone that it is written."""
    page = phone.open()
    smooth = write_smoothly(page, kind)
    rough = prepare(page, kind)
    button = fill_in(page, kind, rough)
    line.fate = losing("is lost", "is answered in vain")
    button.click()
    expect(page).to_have_url(rough)
    expect(page.locator("#waiting")).to_be_visible()
    page.locator("[data-try]").dispatch_event("click")  # it may be gone by itself at any moment
    expect(page.locator("#waiting")).to_be_hidden()
    assert record_of(page, rough) == smooth
    page.reload()
    expect(page.locator("#waiting li")).to_have_count(0)
