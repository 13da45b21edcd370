"""Saved without an answer: the entry waits in the phone, in view, and is written once, in its turn."""

from collections.abc import Callable

import pytest
from browsing import PHONE
from entries import KINDS, EntryKind, fill_in, prepare, record_of
from line import Fate, Line
from phone import Phone
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)


def losing(*fates: Fate) -> Callable[[str, str], Fate]:
    """What becomes of the forms that are sent, one after the other; the rest arrives, and all else does."""
    left = list(fates)
    return lambda method, path: left.pop(0) if method == "POST" and left else "arrives"


def waiting(page: Page) -> int:
    """How many entries the page shows as waiting."""
    return page.locator("#waiting li").count()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_of_entry_arrives_once(phone: Phone, line: Line, kind: EntryKind) -> None:
    """The first attempt is lost, of the second the answer: the third tells the phone that it is written."""
    page = phone.open()
    smooth, rough = prepare(page, kind), prepare(page, kind)
    before = record_of(page, smooth)
    fill_in(page, kind, smooth).click()
    expect(page.locator("form[data-sent]")).to_have_count(0)
    page.wait_for_load_state()
    assert record_of(page, smooth) != before
    button = fill_in(page, kind, rough)
    line.fate = losing("is lost", "is answered in vain")
    button.click()
    expect(page).to_have_url(rough)
    expect(page.locator("#waiting")).to_be_visible()
    page.locator("[data-try]").dispatch_event("click")  # it may be gone by itself at any moment
    expect(page.locator("#waiting")).to_be_hidden()
    assert record_of(page, rough) == record_of(page, smooth)
    page.reload()
    assert waiting(page) == 0
