"""What waits outlives an update of the app; where nothing can be kept, the page itself keeps it."""

from browsing import open_match
from evenings import begin, expect_all_sent, record, save, stop_forms, totals, type_deal
from line import Line
from phone import Phone
from playwright.sync_api import expect


def test_an_update_comes_while_an_entry_waits(phone: Phone, line: Line) -> None:
    """Typed and saved with one version of the app, sent with the next."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    record(page, match, "A", "90")
    expect(page.locator("#waiting li")).to_have_count(1)
    page.close()
    mark = phone.server.restart_updated()
    line.mend()
    page = phone.open(match)
    expect_all_sent(page)
    expect(page.locator(f'meta[name=update][content="{mark}"]')).to_have_count(1)
    assert totals(page, match) == [90]


def test_where_nothing_can_be_kept_the_page_keeps_it(phone: Phone, line: Line) -> None:
    """No room in the phone and no network: the page says so, and stays as it is until the entry is sent."""
    page = phone.open()
    match = open_match(page, "derda", ("Ewa", "Jan"))
    page.add_init_script(
        "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError'); };"
    )
    type_deal(page, match, "A", "90")
    line.cut()
    save(page)
    expect(page.locator("#unkept")).to_be_visible()
    expect(page.locator("#total_A")).to_have_value("90")
    line.mend()
    save(page)
    expect(page).to_have_url(match)
    assert totals(page, match) == [90]
