"""Drafts and what may befall a phone: killed, left at once, without network, without room."""

import re

import pytest
from browsing import Accessible, begin, open_match
from phone import Phone
from playwright.sync_api import Page, expect
from typed import choose, drafts, expect_taken_up, step, wait_until_saved

UNKEPT = "This browser cannot keep what is typed"


def type_run(page: Page, match: str) -> list[str]:
    """A deal with a run and card points, kept: what stands in it."""
    page.goto(f"{match}/deal")
    choose(page, "bid", "B:H")
    step("run:A:3")(page)
    expect(page.locator(".run")).to_have_count(1)
    page.fill('[name="cards_A"]', "34")
    return wait_until_saved(page, "#deal")


@pytest.mark.profile
def test_the_battery_is_empty(phone: Phone) -> None:
    """The browser is killed; started again with the same profile, all its forms have what was typed."""
    page = phone.open("/en/", controlled=False)
    match = begin(page)
    deal = type_run(page, match)
    other = phone.open(f"{match}/more", controlled=False)
    other.locator("summary").filter(has_text="Adjust").click()
    other.fill("#points-adjust", "-20")
    adjusted = wait_until_saved(other, "#entry-adjust")
    third = phone.open("/en/new", controlled=False)
    third.fill("#name-A", "Wawrzyniec")
    new = wait_until_saved(third, "#new")
    fourth = phone.open("/en/ask/derda/play", controlled=False)
    choose(fourth, "trump", "H")
    question = wait_until_saved(fourth, "#ask")
    phone.kill()
    page = phone.open(f"{match}/deal", controlled=False)
    expect_taken_up(page, "#deal", deal)
    expect(page.locator(".run")).to_have_count(1)
    for address, form, stands in (
        (f"{match}/more", "#entry-adjust", adjusted),
        ("/en/new", "#new", new),
        ("/en/ask/derda/play", "#ask", question),
    ):
        page.goto(address)
        expect_taken_up(page, form, stands)
        expect(
            page.locator(form).locator("input:visible, select:visible, textarea:visible").first
        ).to_be_visible()


def test_typed_and_left_at_once(page: Page) -> None:
    """The last letter too, with no moment between it and the way out."""
    match = begin(page)
    page.goto(f"{match}/names")
    page.evaluate(
        """() => {
      const place = document.querySelector("[name=place]");
      place.value = "Café";
      place.dispatchEvent(new Event("input", { bubbles: true }));
      location.assign("/en/");
    }"""
    )
    expect(page).to_have_url(re.compile("/en/$"))
    page.goto(f"{match}/names")
    expect(page.locator("[name=place]")).to_have_value("Café")


def test_another_game_without_the_server(page: Page) -> None:
    """The places of three are there, although the page that came has two."""
    page.goto("/en/new")
    choose(page, "game", "klaberjass-3")
    page.fill("#name-C", "Zosia")
    stands = wait_until_saved(page, "#new")
    page.route("**/new", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.reload()
    expect_taken_up(page, "#new", stands)
    expect(page.locator('[data-name-of="C"]').first).to_have_text("Zosia")
    page.unroute("**/new")
    page.locator("#games > summary").click()
    choose(page, "game", "derda")
    expect(page.locator("#name-C")).to_have_count(0)


def test_no_room(page: Page, live_app: str, accessible: Accessible) -> None:
    """A full disk: the sentence, and nothing else goes wrong; with room again it is kept."""
    match = open_match(page, "derda", ("Ewa", "Jan"))
    session = page.context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": live_app, "quotaSize": 1})
    page.goto(f"{match}/deal")
    choose(page, "bid", "B:H")
    expect(page.get_by_text(UNKEPT)).to_be_in_viewport()
    accessible(page)
    assert drafts(page) == []
    session.send("Storage.overrideQuotaForOrigin", {"origin": live_app})
    page.fill('[name="cards_A"]', "34")
    wait_until_saved(page, "#deal")
