"""This phone: what is kept in it, and how it forgets."""

from browsing import Accessible, begin
from device_storage import cached, stored, wait_for_cached, wait_until_quiet
from evenings import stop_forms
from line import Line
from phone import Phone
from playwright.sync_api import Page, expect
from typed import wait_until_saved


def cell(page: Page, name: str) -> str:
    """What the page says there is of something."""
    return page.locator(f"[data-count={name}]").inner_text()


def test_forgetting_takes_two_taps(distant_phone: Phone, line: Line, accessible: Accessible) -> None:
    """What is kept is counted. The first tap asks, the second leaves nothing but whose the matches are."""
    page = distant_phone.open()
    board = begin(page)
    wait_until_quiet(page)
    page.goto(f"{board}/names")
    page.fill("#name-A", "Wawrzyniec")
    wait_until_saved(page, "#names")
    page.evaluate("localStorage.setItem('awake', '1')")
    page.goto("/en/")
    page.locator(".foot").get_by_role("link", name="This phone").tap()
    expect(page.locator("#in-phone")).to_be_visible()
    accessible(page)
    assert cell(page, "drafts") == "1"
    assert int(cell(page, "pages")) >= 8
    assert cell(page, "room").endswith("MB")
    question = page.locator("#in-phone [data-question]")
    page.get_by_role("button", name="Forget this phone").tap()
    expect(question).to_contain_text("unfinished forms: 1")
    page.get_by_role("button", name="No, keep it").tap()
    expect(question).to_be_hidden()
    assert cached(page)
    page.get_by_role("button", name="Forget this phone").tap()
    page.get_by_role("button", name="Yes, forget").tap()
    expect(page.get_by_text("Nothing is stored on this phone any more.")).to_be_visible()
    assert [item["url"] for item in cached(page)] == []
    assert [stored(page, name) for name in ("drafts", "waiting", "written")] == [[], [], []]
    assert page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
    assert cell(page, "waiting") == cell(page, "drafts") == cell(page, "pages") == "0"
    page.get_by_role("button", name="Forget this phone").tap()
    expect(page.get_by_text("Lost for good").locator("visible=true")).to_have_count(0)
    page.goto(board)
    expect(page.get_by_role("link", name="More")).to_be_visible()
    wait_for_cached(page, board)
    line.cut()
    page.goto(board)
    expect(page.locator("#kept")).to_be_visible()


def test_what_waits_would_be_lost(distant_phone: Phone, line: Line) -> None:
    """An entry that was not sent is counted too, and asked about."""
    page = distant_phone.open()
    board = begin(page)
    wait_until_quiet(page)
    line.cut()
    page.goto(f"{board}/more")
    page.locator("details", has=page.locator("form[action$='/more/concede']")).locator("summary").tap()
    page.locator("form[action$='/more/concede'] button").last.tap()
    expect(page.locator("#waiting")).to_be_visible()
    stop_forms(line)
    page.goto("/en/browser")
    expect(page.locator("[data-count=waiting]")).to_have_text("1")
    page.get_by_role("button", name="Forget this phone").tap()
    expect(page.locator("#in-phone [data-question]")).to_contain_text("entries")
