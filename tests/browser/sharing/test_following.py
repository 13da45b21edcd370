"""Phones that look at one match: what is written on one is seen on the others, and disturbs nobody."""

import re
from collections.abc import Callable

import pytest
from browsing import PHONE, Accessible, begin, write_deal
from playwright.sync_api import Page, Request, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

SOON = 8_000
"""Milliseconds in which another phone shows it on a busy machine; on an idle one it is two seconds."""
DEAL = {"bid": "A:H", "counting": "totals", "total_A": "90", "total_B": "72"}


def questions_of(page: Page) -> list[Request]:
    """What a page asks from now on: whether it is still as it was."""
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if "x-seen" in request.headers else None)
    return asked


def test_a_deal_arrives(page: Page, other_phone: Callable[..., Page]) -> None:
    """Totals, log and title of another phone's board; a history and a sheet; and what is undone."""
    match = begin(page)
    board, history, sheet = other_phone(), other_phone(), other_phone()
    board.goto(match)
    history.goto(f"{match}/history")
    sheet.goto(f"{match}/sheet")
    write_deal(page, match, **DEAL)
    expect(board.locator(".board .total")).to_have_text(["90", "72"], timeout=SOON)
    expect(board.locator(".entries tbody tr")).to_have_count(1)
    expect(board).to_have_title(re.compile("Ewa 90 – Jan 72"))
    expect(board.locator(".needs").first).to_contain_text("needs")
    expect(history.locator(".log li").first).to_contain_text("Deal 1", timeout=SOON)
    expect(sheet.locator("#sheet")).to_contain_text("90", timeout=SOON)
    page.goto(match)
    page.get_by_role("button", name="Undo").click()
    expect(board.locator(".board .total")).to_have_text(["0", "0"], timeout=SOON)
    expect(board.locator(".undone")).to_contain_text("Deal 1")
    assert board.url == match


def test_a_page_whose_script_came_late_follows(page: Page, other_phone: Callable[..., Page]) -> None:
    """The network was away while it was loaded: nothing is thrown, and it follows as soon as it can."""
    match = begin(page)
    board = other_phone()
    board.route("**/offline/live.js", lambda route: route.abort(), times=1)
    board.goto(match)
    expect(board.locator(".board .total")).to_have_text(["0", "0"])
    write_deal(page, match, **DEAL)
    expect(board.locator(".board .total")).to_have_text(["90", "72"], timeout=5_000 + SOON)


def test_what_was_opened_chosen_and_looked_at_stays(page: Page, other_phone: Callable[..., Page]) -> None:
    """A fold that was opened, the focus, and what is in view stay while the page changes around them."""
    match = begin(page)
    for _deal in range(4):
        write_deal(page, match, **DEAL)
    board = other_phone(viewport={"width": 360, "height": 480})
    board.goto(f"{match}?all=1")
    board.locator("#invite summary").click()
    fold = board.locator("#invite details")
    expect(fold).to_have_attribute("open", "")
    link = board.locator(".entries tbody tr").nth(1).get_by_role("link")
    name = link.inner_text()
    link.focus()
    board.mouse.wheel(0, 300)
    board.wait_for_timeout(400)
    stored = link.evaluate("link => (window.watched = link).getBoundingClientRect().top")
    assert board.evaluate("scrollY") > 0
    write_deal(page, match, **DEAL)
    expect(board.locator(".entries tbody tr")).to_have_count(5, timeout=SOON)
    assert board.evaluate("document.activeElement === watched")
    assert board.locator(".entries tbody tr").nth(2).get_by_role("link").inner_text() == name
    assert abs(board.evaluate("watched.getBoundingClientRect().top") - stored) <= 1
    expect(fold).to_have_attribute("open", "")


def test_nothing_changes_under_a_finger_or_a_selection(page: Page, other_phone: Callable[..., Page]) -> None:
    """While a finger is down, or something is selected, the page waits; then it changes."""
    match = begin(page)
    board = other_phone()
    board.goto(match)
    totals = board.locator(".board .total")
    board.evaluate("getSelection().selectAllChildren(document.querySelector('.board .names'))")
    with board.expect_response(lambda answer: "x-seen" in answer.request.headers and answer.status == 200):
        write_deal(page, match, **DEAL)
    board.wait_for_timeout(600)
    expect(totals.first).to_have_text("0")
    board.evaluate("getSelection().empty()")
    expect(totals.first).to_have_text("90", timeout=SOON)
    board.mouse.move(180, 300)
    board.mouse.down()
    with board.expect_response(lambda answer: "x-seen" in answer.request.headers and answer.status == 200):
        write_deal(page, match, **DEAL)
    board.wait_for_timeout(600)
    expect(totals.first).to_have_text("90")
    board.mouse.up()
    expect(totals.first).to_have_text("180", timeout=SOON)


def test_a_dock_that_changes_takes_no_tap_at_first(page: Page, other_phone: Callable[..., Page]) -> None:
    """The owner's board on a second phone of theirs: what comes under the thumb is not tapped by mistake."""
    match = begin(page)
    board = other_phone(storage_state=page.context.storage_state())
    board.goto(match)
    expect(board.get_by_role("button", name="Undo")).to_have_count(0)
    write_deal(page, match, **DEAL)
    undo = board.get_by_role("button", name="Undo")
    expect(undo).to_be_visible(timeout=SOON)
    expect(board.locator(".actions")).to_have_class(re.compile("settling"))
    undo.click()  # as soon as it can be
    expect(board.locator(".board .total").first).to_have_text("0")


def test_typing_is_not_disturbed(
    page: Page, other_phone: Callable[..., Page], accessible: Accessible
) -> None:
    """A page with a form stays as it is, to the pixel, and says what the others did; that can be closed."""
    match = begin(page)
    asking = other_phone()
    asking.goto(f"{match}/ask/count")
    field = (
        asking.locator("input[type=text], input[type=number], input[inputmode]").locator("visible=true").first
    )
    field.fill("5")
    place = field.bounding_box()
    write_deal(page, match, **DEAL)
    news = asking.locator("#news")
    expect(news).to_contain_text("The scorekeeper: Deal 1 written: 90:72", timeout=SOON, ignore_case=True)
    expect(field).to_have_value("5")
    expect(field).to_be_focused()
    assert field.bounding_box() == place
    accessible(asking)
    write_deal(page, match, **DEAL)
    expect(news).to_contain_text("Deal 2 written", timeout=SOON)
    expect(news).to_contain_text("and 1 more change")
    news.get_by_role("button", name="Close").click()
    expect(news).to_be_empty()
    write_deal(page, match, **DEAL)
    expect(news).to_contain_text("Deal 3 written", timeout=SOON)
    expect(news).not_to_contain_text("more change")
    news.get_by_role("link", name="Look").click()
    expect(asking.locator(".board .total").first).to_have_text("270")


def test_a_page_out_of_sight_asks_nothing(page: Page, other_phone: Callable[..., Page]) -> None:
    """Hidden it is silent; on return it asks at once."""
    match = begin(page)
    board = other_phone()
    board.goto(match)
    with board.expect_response(lambda answer: answer.status == 304):
        pass
    board.evaluate(
        """() => {
          Object.defineProperty(document, "hidden", { configurable: true, get: () => window.away !== false });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    asked = questions_of(board)
    write_deal(page, match, **DEAL)
    board.wait_for_timeout(4_000)
    assert len(asked) <= 1  # which was on its way
    board.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect(board.locator(".board .total").first).to_have_text("90")


def test_it_asks_less_often_when_nothing_happens(page: Page) -> None:
    """About every second and a half at first, then every three and a half, in the end four times a minute."""
    match = begin(page)
    page.clock.install()
    page.goto(match)
    asked = questions_of(page)

    def count(minutes: int) -> int:
        before = len(asked)
        for _step in range(minutes * 60):
            page.clock.run_for(1_000)
            page.wait_for_timeout(8)
        return len(asked) - before

    assert 25 <= count(1) <= 50
    page.clock.fast_forward("05:00")
    assert 10 <= count(1) <= 22
    page.clock.fast_forward("30:00")
    assert 2 <= count(1) <= 6


def test_without_network_it_asks_again_later(page: Page, other_phone: Callable[..., Page]) -> None:
    """What was missed meanwhile is there as soon as the network is."""
    match = begin(page)
    board = other_phone()
    board.goto(match)
    board.context.set_offline(True)
    write_deal(page, match, **DEAL)
    board.wait_for_timeout(3_000)
    expect(board.locator(".board .total").first).to_have_text("0")
    board.context.set_offline(False)
    expect(board.locator(".board .total").first).to_have_text("90", timeout=SOON)
