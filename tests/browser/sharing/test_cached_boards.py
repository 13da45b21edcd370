"""A board that changed in view is kept like one that was opened, but not by all phones at once."""

from collections.abc import Callable

from browsing import begin, write_deal
from phone import Phone
from playwright.sync_api import expect

STORED = """async (address) => new DOMParser()
  .parseFromString(await (await caches.match(address)).text(), "text/html")
  .querySelector(".board .total").textContent"""


def test_an_exchanged_board_is_kept_a_little_later(make_phone: Callable[..., Phone]) -> None:
    """Not in the first seconds, but within half a minute the phone keeps the board as it is now."""
    phone = make_phone()
    page = phone.open()
    match = begin(page)
    phone.wait_until_saved(page, match)
    write_deal(page, match, bid="A:H", counting="totals", total_A="90", total_B="72")
    expect(page.locator(".board .total").first).to_have_text("90", timeout=8_000)
    assert page.evaluate(STORED, match) == "0"
    page.wait_for_timeout(2_000)
    assert page.evaluate(STORED, match) == "0"
    page.wait_for_function(
        f"async (address) => await ({STORED})(address) === '90'", arg=match, timeout=60_000, polling=500
    )
