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


def cut_line(phone: Phone, line: Line) -> None:
    """The server, or what leads to it, answers no more."""
    line.cut()


def leave_network(phone: Phone, line: Line) -> None:
    """The phone has no network, and knows it."""
    phone.set_offline(True)


STEPS = ("before the page is opened", "before anything is typed", "before it is saved")
CASES = [
    pytest.param(kind, STEPS[at % 3], (cut_line, leave_network)[at % 2], id=f"{kind.name}, {STEPS[at % 3]}")
    for at, kind in enumerate(KINDS)
]


@pytest.mark.parametrize(("kind", "step", "lose"), CASES)
def test_every_kind_of_entry_is_written_without_network(
    phone: Phone, line: Line, kind: EntryKind, step: str, lose: Callable[[Phone, Line], None]
) -> None:
    """From one step of it on there is no network: it waits at a kept board, and counts as it would have."""
    page = phone.open()
    smooth, rough = prepare(page, kind), prepare(page, kind)
    fill_in(page, kind, smooth).click()
    expect(page.locator("form[data-sent]")).to_have_count(0)
    page.goto(rough)
    phone.wait_until_kept(page, f"{rough}/names")  # the last of what goes with a board
    if kind.path.startswith(("/entries", "/enough")):
        page.goto(f"{rough}{kind.path}")  # opened once, it is kept too
        phone.wait_until_kept(page, f"{rough}{kind.path}")
    if step == STEPS[0]:
        lose(phone, line)
    button = fill_in(page, kind, rough, before=lambda: lose(phone, line) if step == STEPS[1] else None)
    if step == STEPS[2]:
        lose(phone, line)
    button.click()
    expect(page).to_have_url(rough)
    expect(page.locator("#kept")).to_be_visible()
    expect(page.locator("#waiting li")).to_have_count(1)
    line.mend()
    phone.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#waiting")).to_be_hidden(timeout=15_000)
    expect(page.locator("#kept")).to_be_hidden()
    assert record_of(page, rough) == record_of(page, smooth)
