"""A hand followed while the network comes and goes: a tap that was not saved says so, and is saved once."""

import re
from typing import Any

import pytest
from browsing import PHONE, choice, open_match, tap_followed
from playwright.sync_api import Locator, Page, Route, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Ewa", "Jan", "Ala", "Olek")
ADDRESS = re.compile(r"/hand/follow$")


@pytest.fixture
def match(page: Page) -> str:
    """A hand of four is followed; Ewa attacks."""
    match = open_match(page, "durak", NAMES)
    page.goto(f"{match}/hand/follow")
    tap_followed(page, "first:A")
    return match


def button(page: Page, action: str) -> Locator:
    """The first button that does this."""
    return page.locator(f'button[name="do"][value="{action}"]').first


def tick(page: Page, seat: str) -> None:
    """Say that somebody went out."""
    choice(page, "out", seat).tap()


def notice(page: Page) -> Locator:
    """What is said beside the button that was tapped."""
    return page.locator(".not-sent")


def bouts(page: Page, match: str) -> Any:
    """What the server has of the hand."""
    page.goto(f"{match}/hand/follow")
    return page.locator(".bouts li").count()


def test_ticks_stay_and_a_tap_counts_once(page: Page, match: str) -> None:
    """The server saved the tap, and its answer was lost: tried again it is the same bout."""
    tap_followed(page, "talon:used-up")
    tick(page, "A")

    def lose_answer(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.abort()

    page.route(ADDRESS, lose_answer)
    button(page, "beaten-off").tap()
    expect(notice(page)).to_contain_text("Not saved yet: the server does not answer.")
    expect(page.locator('input[name="out"][value="A"]')).to_be_checked()
    page.unroute(ADDRESS)
    page.get_by_role("button", name="Try again").tap()
    expect(page.locator(".bouts li")).to_have_count(1)
    assert page.locator(".bouts li").inner_text().count("Ewa out") == 1
    assert bouts(page, match) == 1


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
