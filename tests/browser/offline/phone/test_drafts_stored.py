"""Drafts and what may befall a phone: killed, updated, without network, in other hands, without room."""

import os
import re
import signal
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from browsing import Accessible, begin, exchange, open_match
from phone import Phone, Server, visit
from playwright.sync_api import Page, expect
from typed import drafts, expect_taken_up, line, wait_until_saved

UNKEPT = "This browser cannot keep what is typed"


def choose(page: Page, name: str, value: str) -> None:
    """Tap one of several."""
    page.locator("label", has=page.locator(f'input[name="{name}"][value="{value}"]')).first.click()


def type_run(page: Page, match: str) -> list[str]:
    """A deal with a run and card points, kept: what stands in it."""
    page.goto(f"{match}/deal")
    choose(page, "bid", "B:H")
    button = page.locator('button[name="do"][value="run:A:3"]')
    with exchange(page, button):
        button.click()
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


@pytest.mark.profile
def test_the_tab_crashes(phone: Phone) -> None:
    """What was typed a moment before is there in the next tab."""
    page = phone.open("/en/", controlled=False)
    match = begin(page)
    deal = type_run(page, match)
    browser = page.context.browser
    assert browser
    for item in browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]:
        if item["type"] == "renderer":
            os.kill(int(item["id"]), signal.SIGKILL)
    next_tab = phone.context.new_page()
    next_tab.set_default_navigation_timeout(8_000)  # the process that was ready for it may be dead too
    visit(next_tab, f"{match}/deal")
    expect_taken_up(next_tab, "#deal", deal)


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


@pytest.mark.profile
def test_the_app_is_updated(phone: Phone, server: Server) -> None:
    """Typed with one version of the app, taken up with the next."""
    page = phone.open("/en/", controlled=False)
    match = begin(page)
    deal = type_run(page, match)
    mark = server.restart_updated()
    page = phone.restart(f"{match}/deal")
    assert mark in page.content()
    expect_taken_up(page, "#deal", deal)
    expect(page.locator(".run")).to_have_count(1)
    page.locator('[name="runs-0-top"]').first.check(force=True)
    wait_until_saved(page, "#deal")


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


def test_a_question_without_the_server(page: Page) -> None:
    """Cards that were tapped one after another are there in their order."""
    page.goto("/en/ask/derda/trick")
    for card in ("JH", "AH"):
        page.locator(f'button[name="add.trick"][value="{card}"]').click()
    wait_until_saved(page, "#ask")
    page.route("**/trick?*", lambda route: route.abort())
    page.reload()
    expect(line(page)).to_be_visible()
    cards = page.locator('[data-pad="trick"] [data-taken] input')
    assert [element.input_value() for element in cards.all()] == ["JH", "AH"]
    expect(page.locator('[data-pad="trick"] summary .card')).to_have_count(2)
    page.locator('button[name="add.trick"][value="7H"]').click()
    expect(page.locator('[data-pad="trick"] summary .card')).to_have_count(3)


def test_at_an_address_that_is_not_secure(
    make_phone: Callable[..., Phone], browser_type_launch_args: dict[str, list[str]]
) -> None:
    """Plain HTTP in a LAN: kept and taken up all the same."""
    phone = make_phone(
        args=[*browser_type_launch_args["args"], "--host-resolver-rules=MAP table.test 127.0.0.1"]
    )
    address = f"http://table.test:{urlsplit(phone.server.address).port}"
    page = phone.open(f"{address}/en/new", controlled=False)
    assert page.evaluate("isSecureContext") is False
    page.fill("#name-A", "Ewa")
    page.fill("#name-B", "Jan")
    stands = wait_until_saved(page, "#new")
    phone.kill()
    page = phone.open(f"{address}/en/new", controlled=False)
    expect_taken_up(page, "#new", stands)
    expect(page.get_by_text(UNKEPT)).to_have_count(0)


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
