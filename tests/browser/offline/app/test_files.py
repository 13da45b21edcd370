"""Matches that are archived, deleted and imported without a network, on the server once there is one."""

import json
from urllib.parse import urlsplit

import pytest
from browsing import Accessible
from offline_app import LONG, begin, status
from phone import Phone, Server
from playwright.sync_api import FilePayload, Page, expect

RECORD = {
    "format": "companion-match",
    "version": 1,
    "game": "derda",
    "players": ["Ala", "Łucja"],
    "first_dealer": "A",
    "entries": [],
}


@pytest.fixture(autouse=True)
def served(server: Server, app_phone: Phone) -> None:
    """Each test begins with a network."""
    app_phone.set_offline(False)
    server.start()


def test_all_of_it_is_done_on_the_server_too(page: Page, server: Server, accessible: Accessible) -> None:
    """The phone shows it at once; a file is imported where it was chosen, though the network is back."""
    page.goto("/en/")
    server.stop()
    begun = begin(page, "derda", ("Ewa", "Jan")), begin(page, "derda", ("Ola", "Iga"))
    archived, deleted = (urlsplit(match).path for match in begun)
    page.goto(f"{archived}/export")
    page.get_by_role("button", name="Archive").tap()
    expect(page.get_by_text("Archived: Ewa")).to_be_visible(timeout=LONG)
    accessible(page)
    page.goto(f"{deleted}/delete")
    page.get_by_role("button", name="Yes, delete").tap()
    expect(page.get_by_text("Deleted: Ola")).to_be_visible(timeout=LONG)
    page.goto("/en/import")
    content = json.dumps(RECORD).encode()
    file = FilePayload(name="match.json", mimeType="application/json", buffer=content)
    page.locator("#file").set_input_files(file)
    page.get_by_role("button", name="Look inside").tap()
    expect(page.get_by_role("heading", name="New: 1")).to_be_visible(timeout=LONG)
    accessible(page)
    server.start()
    page.get_by_role("button", name="Import 1 match").tap()
    expect(page.get_by_role("heading", name="Imported")).to_be_visible(timeout=LONG)
    page.get_by_role("link", name="Open").tap()
    expect(page.locator("h1")).to_contain_text("Łucja", timeout=LONG)
    assert status(page, "deliver")["unsent"] == 0
    shown = {path: page.request.get(path).text() for path in ("/en/", "/en/put-away", "/en/bin")}
    assert "Łucja" in shown["/en/"] and archived not in shown["/en/"] and deleted not in shown["/en/"]
    assert archived in shown["/en/put-away"] and deleted in shown["/en/bin"]
