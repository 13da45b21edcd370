"""The app on the home screen: a browser finds nothing that keeps it from being installed."""

import json
from collections.abc import Callable

import pytest
from browsing import begin
from keeping import wait_for_kept
from phone import Phone, Server
from playwright.sync_api import expect


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_it_can_be_installed(phone: Phone, lang: str) -> None:
    """The browser reads the manifest without an error, and would install what it describes.

    The shell without windows finds nothing to object to, ever; a whole Chromium does look.
    """
    page = phone.open(f"/{lang}/")
    session = phone.context.new_cdp_session(page)
    told = session.send("Page.getAppManifest")
    assert told["errors"] == []
    assert json.loads(told["data"])["start_url"] == f"/{lang}/"
    assert told["manifest"]["id"] == told["manifest"]["scope"] == f"{phone.server.address}/"
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_it_begins_without_network(phone: Phone, server: Server) -> None:
    """The first page and the shortcut to the running match open from what is kept."""
    page = phone.open()
    board = begin(page)
    wait_for_kept(page, f"{server.address}/en/resume")
    server.stop()
    page = phone.restart("/en/")
    expect(page.locator(".resume")).to_contain_text("Ewa")
    page.goto("/en/resume")
    expect(page).to_have_url(board)
    expect(page.locator(".board")).to_be_visible()


def test_without_a_safe_connection_it_is_left_out(make_phone: Callable[..., Phone], server: Server) -> None:
    """By plain HTTP from another machine there is no worker and no switch; all else is as it was."""
    phone = make_phone(
        args=["--host-resolver-rules=MAP table.test 127.0.0.1"],
        base_url=server.address.replace("127.0.0.1", "table.test"),
    )
    page = phone.open(controlled=False)
    begin(page)
    expect(page.locator(".board")).to_be_visible()
    assert page.evaluate("isSecureContext") is False
    expect(page.locator("#awake")).to_have_count(0)
    expect(page.locator("#kept")).to_be_hidden()
