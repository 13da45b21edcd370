"""What waits outlives an update of the app; where nothing can be kept, the page itself keeps it."""

import re
from collections.abc import Callable

from browsing import open_match
from entries import record_of
from line import Line
from phone import Phone, visit
from playwright.sync_api import Page, expect

WORDS = re.compile("^(Save|Save deal)$")


def fill(page: Page, match: str) -> None:
    """Tell a deal on its page, up to the save."""
    visit(page, f"{match}/deal?mode=totals")
    page.locator("label", has=page.locator('input[name=bid][value="A:H"]')).click()
    page.fill("#total_A", "90")
    page.fill("#total_B", "72")


def save(page: Page) -> None:
    """Tap the button that saves it."""
    page.get_by_role("button", name=WORDS).locator("visible=true").last.click()
    expect(page.locator("form[data-sent]")).to_have_count(0)


def entries_of(page: Page, match: str) -> int:
    """How many entries the record has."""
    record, _length = record_of(page, match)
    assert isinstance(record, dict)
    return len(record["entries"])


def test_an_update_comes_while_an_entry_waits(phone: Phone, line: Line) -> None:
    """Typed and saved with one version of the app, sent with the next."""
    page = phone.open()
    match = open_match(page, "derda", ("Ewa", "Jan"))
    visit(page, match)
    line.fate = lambda method, path: "is lost" if method == "POST" else "arrives"
    fill(page, match)
    save(page)
    expect(page.locator("#waiting li")).to_have_count(1)
    page.close()
    mark = phone.server.restart_updated()
    line.mend()
    page = phone.open(match)
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator(f'meta[name=update][content="{mark}"]')).to_have_count(1)
    assert entries_of(page, match) == 1


def test_where_nothing_can_be_kept_the_page_keeps_it(make_phone: Callable[..., Phone], line: Line) -> None:
    """No room in the phone and no network: the page says so, and stays as it is until the entry is sent."""
    phone = make_phone(base_url=line.address)
    page = phone.open()
    match = open_match(page, "derda", ("Ewa", "Jan"))
    page.add_init_script(
        "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError'); };"
    )
    fill(page, match)
    line.cut()
    save(page)
    expect(page.locator("#unkept")).to_be_visible()
    expect(page.locator("#total_A")).to_have_value("90")
    line.mend()
    save(page)
    expect(page).to_have_url(match)
    assert entries_of(page, match) == 1
