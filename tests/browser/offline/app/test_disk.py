"""What the disk of a phone refuses is acknowledged by nobody; what lies there is not thrown away unasked."""

import re

from offline_app import LONG, begin, open_page, record_deal, status
from phone import Phone, Server
from playwright.sync_api import Page, expect

SILENT = "ServiceWorker.prototype.postMessage = () => {}"
"""A worker that hears nothing: it may have much to do, or be another one."""


def open_with_room(phone: Phone, address: str, room: int | None) -> Page:
    """A page in a browser started anew, whose disk has room for so many bytes more: it looks but rarely."""
    phone.close()
    page = phone.context.new_page()
    size = {} if room is None else {"quotaSize": room}
    page.context.new_cdp_session(page).send(
        "Storage.overrideQuotaForOrigin", {"origin": phone.server.address, **size}
    )
    page.goto(address, timeout=LONG)
    return page


def fill_in_deal(page: Page) -> None:
    """A deal by totals, saved by a tap."""
    page.locator("label", has=page.locator('input[name=bid][value="A:H"]')).tap()
    page.fill("#total_A", "100")
    page.fill("#total_B", "62")
    page.get_by_role("button", name=re.compile("^Save")).locator("visible=true").last.tap()


def test_a_full_disk_acknowledges_nothing(page: Page, app_phone: Phone, server: Server) -> None:
    """The player reads it, what was typed stays, what is there can be read; with room it is recorded once."""
    server.stop()
    match = begin(page, "derda", ("Ewa", "Jan"))
    record_deal(page, match, 90)
    page = open_with_room(app_phone, f"{match}/deal?mode=totals", 1)
    fill_in_deal(page)
    expect(page.locator("#unkept")).to_be_visible(timeout=LONG)
    expect(page.locator("#total_A")).to_have_value("100")
    for address in (match, f"{match}/history", "/en/"):  # a list keeps what it has worked out
        open_page(page, address)
        expect(page.locator("main")).to_contain_text("90")
    page = open_with_room(app_phone, f"{match}/deal?mode=totals", None)
    fill_in_deal(page)
    expect(page).to_have_url(match, timeout=LONG)
    expect(page.locator(".board .total").first).to_have_text("190")
    assert status(page)["unsent"] == 2


def test_what_is_not_at_the_server_is_asked_about(page: Page, app_phone: Phone, server: Server) -> None:
    """Also where the worker says nothing: the disk knows what would be lost."""
    server.stop()
    record_deal(page, begin(page, "derda", ("Ola", "Tomek")), 90)
    page = app_phone.context.new_page()
    page.add_init_script(SILENT)
    open_page(page, "/en/browser")
    page.get_by_role("button", name="Forget this phone").tap()
    unsent = page.locator("#in-phone [data-unsent]")
    expect(unsent).to_be_visible()
    expect(unsent).to_have_text(re.compile("entries not yet on the server: [1-9]"))
    page.close()
