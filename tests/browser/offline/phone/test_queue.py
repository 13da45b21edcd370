"""Several entries wait: each is written once, whatever happens to the browser."""

import pytest
from evenings import (
    begin,
    expect_all_sent,
    record,
    save,
    say_online,
    send_waiting,
    stop_forms,
    totals,
    type_deal,
)
from line import Line
from phone import Phone, visit
from playwright.sync_api import Page, expect


@pytest.mark.profile
def test_it_waits_through_an_empty_battery(phone: Phone, line: Line) -> None:
    """The phone is dead at once after the save; switched on again it sends what waits."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    record(page, match, "A", "90")
    record(page, match, "A", "91")
    phone.kill()
    page = phone.restart(match)
    expect(page.locator("#waiting li")).to_have_count(2)
    line.mend()
    send_waiting(page)
    assert totals(page, match) == [90, 91]


def test_two_tabs_send_what_waits_once(phone: Phone, line: Line) -> None:
    """Both are told of the network at the same moment."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    for points in ("90", "91"):
        record(page, match, "A", points)
    tab = phone.open(match)
    visit(page, match)
    line.mend()
    for open_page in (page, tab):
        say_online(open_page)
    for open_page in (page, tab):
        expect_all_sent(open_page)
    assert totals(page, match) == [90, 91]


def test_an_update_comes_while_an_entry_waits(phone: Phone, line: Line) -> None:
    """Typed and saved with one version of the app, sent with the next."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    record(page, match, "A", "90")
    page.close()
    mark = phone.server.restart_updated()
    line.mend()
    page = phone.open(match)
    expect_all_sent(page)
    page.goto(match)  # a server that has just begun may have been too slow for the first page
    expect(page.locator(f'meta[name=update][content="{mark}"]')).to_have_count(1)
    assert totals(page, match) == [90]


def test_the_storage_is_opened_again_when_the_browser_closed_it(page: Page) -> None:
    """All data of the site is deleted while its page is open: what is saved then is kept again."""
    match = begin(page)
    type_deal(page, match, "A", "90")
    session = page.context.new_cdp_session(page)
    origin = page.evaluate("location.origin")
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "indexeddb"})
    page.wait_for_timeout(300)
    page.context.set_offline(True)
    save(page)
    expect(page.locator("#unkept")).to_be_hidden()
    expect(page.locator("#waiting li")).to_have_count(1)
