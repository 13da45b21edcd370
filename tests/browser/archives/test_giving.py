"""A match given to another phone by a link: nothing leaves that phone before it is agreed to."""

import re
from collections.abc import Callable

import pytest
from browsing import BOARD, Accessible, begin, write_deal
from fitting import LONG, PHONE, SIDEWAYS, SMALL, find_misfits, open_phone
from line import Line
from phone import Phone
from playwright.sync_api import Browser, Page, ViewportSize, expect

HEARTS = {"bid": "A:H", "counting": "totals", "total_A": "90", "total_B": "72"}
GIVEN = re.compile(r"/en/given#give=")


def give(page: Page, match: str) -> str:
    """The link to a match."""
    page.goto(f"{match}/give")
    return page.locator("#address").input_value()


def test_no_host_gets_anything_before_it_is_taken_in(make_phone: Callable[..., Phone], line: Line) -> None:
    """Opened, loaded again, left and opened once more; then a tap sends it, and the match is there."""
    ewa = make_phone().open()
    match = begin(ewa, names=("Wawrzyniec", "Żaneta"))
    write_deal(ewa, match, **HEARTS)
    packed = give(ewa, match).partition("#give=")[2]
    secrets = ("give=", packed[:30], packed[-30:], "Wawrzyniec", match.rpartition("/")[2])
    jan = make_phone(base_url=line.address).open()
    for _time in range(2):
        jan.goto(f"{line.address}/#give={packed}")
        expect(jan).to_have_url(GIVEN)
        expect(jan.locator("#preview")).to_contain_text("Derda · Entries: 1")
        expect(jan.locator("#preview .standing")).to_have_text("Wawrzyniec 90Żaneta 72")
        jan.reload()
        expect(jan.locator("#preview")).to_be_visible()
        jan.wait_for_load_state("networkidle")
        jan.get_by_role("link", name="No").click()
        expect(jan).to_have_url(f"{line.address}/en/")
        jan.wait_for_load_state("networkidle")
    assert len(line.requests) > 10
    assert [request for request in line.requests if any(secret in request for secret in secrets)] == []
    jan.goto(f"{line.address}/#give={packed}")
    jan.get_by_role("button", name="Yes, take it in").click()
    expect(jan).to_have_url(BOARD)
    expect(jan.locator(".board .total").first).to_have_text("90")
    assert [request for request in line.requests if packed in request] != []


@pytest.mark.parametrize(("screen", "text"), [(SMALL, 100), (PHONE, 200), (SIDEWAYS, 100)])
def test_the_pages_fit(
    browser: Browser, page: Page, base_url: str, accessible: Accessible, screen: ViewportSize, text: int
) -> None:
    """Pages of giving, and of a whole and a damaged link."""
    match = begin(page, names=(LONG[0], LONG[3]))
    write_deal(page, match, **HEARTS)
    link = give(page, match)
    other = open_phone(browser, base_url, screen, text)
    other.goto(f"{match}/give")
    expect(other.locator("img.code")).to_be_visible()
    assert find_misfits(other, 10 if text == 100 else 3) == []
    for address, seen in ((link, "#preview"), (link[:-3], "#link-error")):
        other.goto("/en/rules")
        other.goto(address)
        expect(other).to_have_url(GIVEN)
        expect(other.locator(seen)).to_be_visible()
        assert find_misfits(other, 10 if text == 100 else 3) == []
        accessible(other)
    other.context.close()
