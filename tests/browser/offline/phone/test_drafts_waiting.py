"""Drafts beside the outbox: what waits is not typed any more, and what changes it is a draft of its own."""

from browsing import begin
from playwright.sync_api import Page, Route, expect
from typed import drafts, expect_taken_up, line, typed, wait_until_saved


def fill_in(page: Page, bid: str, *totals: str) -> list[str]:
    """A deal in totals: what stands in the form, as soon as it is kept."""
    page.locator("label", has=page.locator(f'input[name="bid"][value="{bid}"]')).first.click()
    for side, points in zip("AB", totals, strict=True):
        page.fill(f"[name=total_{side}]", points)
    return wait_until_saved(page, "#deal")


def lose(route: Route) -> None:
    """No network for what is written."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def save(page: Page) -> None:
    """By the button that is in view."""
    page.locator(".numkeys .primary, .dock-buttons .primary").locator("visible=true").first.click()


def waiting(page: Page, count: int) -> None:
    """So many entries are said to wait."""
    expect(page.locator("#waiting [data-count]")).to_have_text(str(count))


def test_what_waits_and_what_is_typed_do_not_meet(page: Page) -> None:
    """A deal waits, the next one is typed, the first one is changed: each by itself, and each once."""
    match = begin(page)
    page.route("**/m/**", lose)
    page.goto(f"{match}/deal?mode=totals")
    fill_in(page, "A:H", "90", "72")
    save(page)
    waiting(page, 1)
    assert drafts(page) == []
    expect(line(page)).to_have_count(0)
    page.goto(f"{match}/deal?mode=totals")
    second = fill_in(page, "B:S", "60", "102")
    page.goto(match)
    page.locator("#waiting [data-open]").click()
    expect(page.locator("[name=total_A]")).to_have_value("90")
    assert len(drafts(page)) == 1
    page.fill("[name=total_A]", "91")
    page.fill("[name=total_B]", "71")
    first = wait_until_saved(page, "#deal")
    assert len(drafts(page)) == 2
    page.reload()
    expect_taken_up(page, "#deal", first)  # the later one
    save(page)
    page.goto(match)
    waiting(page, 1)
    page.goto(f"{match}/deal?mode=totals")
    expect_taken_up(page, "#deal", second)
    save(page)
    waiting(page, 2)
    assert drafts(page) == []
    page.unroute("**/m/**")
    page.goto(match)
    expect(page.locator(".board .total").first).to_have_text("151")
    page.goto(f"{match}/deal")
    page.wait_for_timeout(300)
    expect(line(page)).to_have_count(0)


def test_a_change_of_what_was_sent_meanwhile(page: Page) -> None:
    """What was to change an entry is there again when that has been sent, and saving it says so."""
    match = begin(page)
    page.route("**/m/**", lose)
    page.goto(f"{match}/deal?mode=totals")
    fill_in(page, "A:H", "90", "72")
    save(page)
    waiting(page, 1)
    page.goto(match)
    page.locator("#waiting [data-open]").click()
    expect(page.locator("[name=total_A]")).to_have_value("90")
    page.fill("[name=total_A]", "91")
    changed = wait_until_saved(page, "#deal")
    page.unroute("**/m/**")
    page.goto(match)
    expect(page.locator(".board .total").first).to_have_text("90")
    page.goto(f"{match}/deal")
    expect_taken_up(page, "#deal", changed)
    save(page)
    expect(page.get_by_text("The match has moved on.")).to_be_visible()
    assert typed(page, "#deal") == changed
    assert len(drafts(page)) == 1
