"""What the tests of this folder rest on: a phone that stays the same, a server that comes and goes."""

import pytest
from browsing import begin
from device_storage import STORAGE
from phone import Phone, Server
from playwright.sync_api import Error, expect


@pytest.mark.profile
def test_a_phone_stays_the_same_one(phone: Phone) -> None:
    """Closed or killed, it still owns its match, and has what pages put into its database."""
    page = phone.open("/en/", controlled=False)
    board = begin(page)
    page.evaluate(f"async () => (await {STORAGE}).keep('drafts', {{ key: 'trial' }})")
    for again in (phone.kill, phone.close):
        again()
        page = phone.open(board, controlled=False)
        expect(page.get_by_role("link", name="More")).to_be_visible()
        assert page.evaluate(f"async () => (await {STORAGE}).find('drafts', 'trial')") == {"key": "trial"}


def test_a_server_comes_and_goes(phone: Phone, server: Server) -> None:
    """It refuses while it is stopped, and is updated as a whole: pages and the files they name."""
    page = phone.open("/en/new", controlled=False)
    assert page.locator("meta[name=update]").count() == 0
    server.stop()
    with pytest.raises(Error, match="REFUSED"):
        page.request.get("/en/new")
    for _time in range(2):
        mark = server.restart_updated()
        assert mark in page.request.get("/en/new").text()
        assert mark in page.request.get("/static/any/shell/base.css").text()
    server.restart_original()
    assert "update-" not in page.request.get("/en/new").text()
