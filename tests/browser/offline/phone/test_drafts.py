"""What is typed and what else is done: the one never costs the other."""

import re

import pytest
from browsing import Accessible, open_match
from playwright.sync_api import Page, Route, expect
from typed import FIVE, choose, drafts, expect_taken_up, line, step, typed, wait_until_saved


@pytest.fixture(autouse=True)
def _patient(page: Page) -> None:
    """What is not there in a few seconds will not come."""
    page.set_default_timeout(6000)


def test_a_new_match(page: Page) -> None:
    """Another game with its places, its house rules and what was begun on paper; started, it is gone."""
    page.goto("/en/new")
    page.fill("#find-game", "for three")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        choose(page, "game", "klaberjass-3")
    expect(page.locator("#name-C")).to_be_visible()
    for place, seat in enumerate("ABC"):
        page.fill(f"#name-{seat}", FIVE[place])
    page.locator("#house > summary").click()
    page.locator("#house-end-of-the-game > summary").click()
    page.fill("#rule-target", "777")
    page.locator("#paper > summary").click()
    page.fill("[name=total-A]", "120")
    stands = wait_until_saved(page, "#new")
    for where in ("/en/new", "/pl/new", "/en/new"):
        page.goto(where)
        expect_taken_up(page, "#new", stands)
    expect(page.locator("#rule-target")).to_be_visible()
    expect(page.locator('[data-name-of="B"]').first).to_contain_text(FIVE[1])
    choose(page, "dealer", "B")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    assert drafts(page) == []
    page.goto("/en/new")
    page.wait_for_timeout(300)
    expect(line(page)).to_have_count(0)


def test_a_name_typed_while_it_is_taken_up(page: Page) -> None:
    """The server makes the form anew between two letters: the second one follows the first."""
    held: list[Route] = []
    page.goto("/en/new")
    page.fill("#name-A", "Ewa")
    wait_until_saved(page, "#new")
    page.route(
        "**/en/new", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
    )
    with page.expect_request(lambda request: request.method == "POST"):
        page.goto("/en/new")
    page.locator("#name-B").press_sequentially("Ja")
    held[0].continue_()
    expect(line(page)).to_be_visible()
    page.keyboard.type("n")
    expect(page.locator("#name-B")).to_have_value("Jan")
    expect(page.locator("#name-A")).to_have_value("Ewa")


def test_all_works_on_after_it_was_taken_up(page: Page, accessible: Accessible) -> None:
    """Pad, preview, taps that build the deal up: they do what they always do."""
    page.set_viewport_size({"width": 360, "height": 740})
    match = open_match(page, "klaberjass-4", FIVE[:4])
    page.goto(f"{match}/deal?mode=totals")
    choose(page, "bid", "A:H")
    wait_until_saved(page, "#deal")
    page.reload()
    expect(line(page)).to_be_visible()
    accessible(page)
    page.locator("[name=total_A]").tap()
    for key in "90":
        page.locator(f'[data-key="{key}"]').tap()
    expect(page.locator("[name=total_B]")).to_have_value("72")
    wait_until_saved(page, "#deal")
    page.reload()
    expect(page.locator("[name=total_A]")).to_have_value("90")
    expect(page.locator("[name=total_B]")).to_have_value("72")  # follows, and was not typed
    assert "total_B,72" not in typed(page, "#deal")
    step("run:A:3")(page)
    wait_until_saved(page, "#deal")
    page.reload()
    expect(page.locator(".run")).to_have_count(1)
