"""Saved without an answer: the entry waits in the phone, in view, and is written once, in its turn."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browsing import PHONE
from entries import KINDS, EntryKind, fill_in, prepare, record_of
from evenings import say_online
from line import Fate, Line
from phone import Phone, Server, visit
from playwright.sync_api import Page, Playwright, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)


@pytest.fixture(scope="module")
def lasting_line(lasting_server: Server) -> Iterator[Line]:
    """The line of all these tests; it leads to the server of one test after the other."""
    line = Line(lasting_server.address)
    yield line
    line.close()


@pytest.fixture(scope="module")
def lasting_phone(
    playwright: Playwright,
    lasting_server: Server,
    lasting_line: Line,
    tmp_path_factory: pytest.TempPathFactory,
    browser_type_launch_args: dict[str, Any],
    phone_screen: dict[str, Any],
) -> Iterator[Phone]:
    """The phone of all these tests: each writes in matches of its own."""
    screen = phone_screen | {"base_url": lasting_line.address}
    phone = Phone(
        playwright, tmp_path_factory.mktemp("phone"), lasting_server, browser_type_launch_args, screen
    )
    yield phone
    phone.close()


@pytest.fixture
def line(server: Server, lasting_line: Line) -> Line:
    """That line, in order."""
    lasting_line.mend()
    return lasting_line


@pytest.fixture
def phone(lasting_phone: Phone, line: Line) -> Iterator[Phone]:
    """That phone, with a network and without pages of the test before."""
    yield lasting_phone
    line.mend()
    lasting_phone.set_offline(False)
    for page in lasting_phone.context.pages:
        page.close()
    problems = [*lasting_phone.thrown, *lasting_phone.foreign]
    lasting_phone.thrown.clear()
    lasting_phone.foreign.clear()
    assert problems == []


@pytest.fixture(scope="module")
def smooth_records() -> dict[str, object]:
    """What stands in the record after an entry that nothing befell, by its kind."""
    return {}


def write_smoothly(page: Page, kind: EntryKind, known: dict[str, object]) -> object:
    """What stands in the record then; it is the same for all matches, so each kind is written once."""
    if kind.name not in known:
        match = prepare(page, kind)
        before = record_of(page, match)
        fill_in(page, kind, match).click()
        expect(page.locator("form[data-sent]")).to_have_count(0)
        page.wait_for_load_state()
        after = record_of(page, match)
        assert after != before
        known[kind.name] = after
    return known[kind.name]


def losing(*fates: Fate) -> Callable[[str, str], Fate]:
    """What becomes of the forms that are sent, one after the other; the rest arrives, and all else does.

    What a deal comes to is asked for a moment after a tap, be it then that the deal is saved.
    """
    left = list(fates)

    def choose(method: str, path: str) -> Fate:
        return left.pop(0) if left and method == "POST" and not path.endswith("/preview") else "arrives"

    return choose


def waiting(page: Page) -> int:
    """How many entries the page shows as waiting."""
    return page.locator("#waiting li").count()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_of_entry_arrives_once(
    phone: Phone, line: Line, kind: EntryKind, smooth_records: dict[str, object]
) -> None:
    """The first attempt is lost, of the second the answer: the third tells the phone that it is written."""
    page = phone.open()
    smooth = write_smoothly(page, kind, smooth_records)
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
    phone: Phone,
    line: Line,
    kind: EntryKind,
    step: str,
    lose: Callable[[Phone, Line], None],
    smooth_records: dict[str, object],
) -> None:
    """From one step of it on there is no network: it waits at a kept board, and counts as it would have."""
    page = phone.open()
    smooth = write_smoothly(page, kind, smooth_records)
    rough = prepare(page, kind)
    visit(page, rough)
    phone.wait_until_saved(page, f"{rough}/names")  # the last of what goes with a board
    if kind.path.startswith(("/entries", "/enough")):
        page.goto(f"{rough}{kind.path}")  # opened once, it is kept too
        phone.wait_until_saved(page, f"{rough}{kind.path}")
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
    say_online(page)
    expect(page.locator("#waiting")).to_be_hidden(timeout=15_000)
    expect(page.locator("#kept")).to_be_hidden()
    assert record_of(page, rough) == smooth
