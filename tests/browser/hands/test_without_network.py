"""A hand followed while the network comes and goes: a tap that was not saved says so, and is saved once."""

import re

import pytest
from browsing import PHONE, open_match
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Ewa", "Jan", "Ala", "Olek")


def test_without_network_two_taps_on_a_seat_are_one_hand(page: Page) -> None:
    """The hand waits in the phone, and the ring takes no second tap of the same thumb."""
    match = open_match(page, "durak", NAMES, table="4")
    page.route(f"{match}/hand", lambda route: route.abort())
    page.goto(match)
    page.locator("button.seat").first.tap()
    expect(page.locator("#waiting li")).to_have_count(1)
    expect(page.locator("#fool")).to_have_class(re.compile("settling"))


def test_a_hand_saved_without_a_network_is_the_same_entry(page: Page) -> None:
    """Who is the fool, tapped without a network, is sent when it is back; named as what it is meanwhile."""
    entries = []
    for hindered in (False, True):
        match = open_match(page, "durak", NAMES)
        page.goto(f"{match}/hand")
        page.locator("details > summary").filter(has_text="More").tap()
        page.locator("label", has=page.locator('input[name="trump"][value="H"]')).tap()
        page.fill("#note", "late")
        page.context.set_offline(hindered)
        page.locator('button[name="result"]').first.tap()
        if hindered:
            expect(page.locator("#waiting [data-name]")).to_have_text("Hand")
            page.context.set_offline(False)
            expect(page.locator("#waiting")).to_be_hidden()
        else:
            expect(page).to_have_url(match)
        entries.append(page.request.get(f"{match}/record.json").json()["entries"])
    assert entries[0] == entries[1]
    assert entries[1][0]["trump"] == "H"
