"""Deals of Derda as a player writes them while the line fails."""

import contextlib
import re
import time

from browsing import open_match
from device_storage import stored
from entries import record_of
from line import Line
from phone import visit
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, expect

_SAVE = re.compile("^(Save|Save deal)$")


def begin(page: Page) -> str:
    """A match of Derda with its board open; its address."""
    match = open_match(page, "derda", ("Ewa", "Jan"))
    visit(page, match)
    return match


def record(page: Page, match: str, declarer: str, points: str) -> None:
    """Record a deal by totals, tap by tap, and save it."""
    type_deal(page, match, declarer, points)
    save(page)


def type_deal(page: Page, match: str, declarer: str, points: str) -> None:
    """A deal by totals, up to the button that saves it."""
    visit(page, f"{match}/deal?mode=totals")
    choose_bid(page, f"{declarer}:H")
    fill(page, points)


def choose_bid(page: Page, bid: str) -> None:
    """Tap who plays which suit."""
    page.locator("label", has=page.locator(f'input[name=bid][value="{bid}"]')).click()


def fill(page: Page, points: str) -> None:
    """So much for the first player, and the rest for the other."""
    page.fill("#total_A", points)
    page.fill("#total_B", str(162 - int(points)))


def save(page: Page, taps: int = 1) -> None:
    """Tap the button that saves the deal, and wait until there is an answer, or none."""
    page.get_by_role("button", name=_SAVE).locator("visible=true").last.click(click_count=taps)
    expect(page.locator("form[data-sent]")).to_have_count(0, timeout=30_000)
    page.wait_for_load_state()


def totals(page: Page, match: str) -> list[int]:
    """What the first player has of each deal of the record."""
    record, _length = record_of(page, match)
    assert isinstance(record, dict)
    return [entry["totals"]["A"] for entry in record["entries"]]


def stop_forms(line: Line) -> None:
    """Nothing that is sent arrives; pages do."""
    line.fate = lambda method, path: "is lost" if method == "POST" else "arrives"


def expect_all_sent(page: Page) -> None:
    """Nothing waits in the phone any more, and the page says so."""
    until = time.monotonic() + 120
    waiting: list[dict[str, object]] = [{}]
    while waiting and time.monotonic() < until:
        with contextlib.suppress(PlaywrightError):  # the board loads itself anew
            waiting = stored(page, "waiting")
        page.wait_for_timeout(50)
    assert waiting == []
    expect(page.locator("#waiting")).to_be_hidden(timeout=20_000)


def send_waiting(page: Page) -> None:
    """The network is back: all is sent that waits."""
    say_online(page)
    expect_all_sent(page)


def say_online(page: Page) -> None:
    """Tell the page that the network is back, in case it has not noticed."""
    with contextlib.suppress(PlaywrightError):  # it has: it loads itself anew
        page.evaluate("dispatchEvent(new Event('online'))")
