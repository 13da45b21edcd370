"""Undo and put back under a thumb: what was taken out is said, and two taps of one thumb are one undo."""

import re
from collections.abc import Iterator
from time import monotonic

import pytest
from browsing import PHONE, SCREEN, Accessible, Scheme, carried, open_match, write_deal
from fitting import LONG, SIDEWAYS, SMALL, find_misfits, open_phone
from playwright.sync_api import Browser, FloatRect, Locator, Page, ViewportSize, expect
from thumb import Thumb

pytestmark = pytest.mark.browser_context_args(**PHONE)

SETTLED = 1.0
"""Seconds after which the board takes taps again."""


def write_deals(page: Page, match: str, count: int) -> str:
    """Deals of 82 to 80 in a match; its address."""
    for _deal in range(count):
        write_deal(page, match, bid="A:H", counting="totals", total_A="82", total_B="80", total_C="20")
    page.goto(match)
    return match


def begin(page: Page) -> str:
    """A match of two with three deals, its board open."""
    return write_deals(page, open_match(page, "derda", ("Ewa", "Jan")), 3)


def settle(page: Page) -> None:
    """Wait until the board takes taps again."""
    page.evaluate("Promise.all(document.getAnimations().map(element => element.finished))")


def place_of(target: Locator) -> tuple[float, float]:
    target.page.wait_for_load_state()
    target.scroll_into_view_if_needed()
    box: FloatRect | None = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def undo_twice(page: Page) -> str:
    """Two taps at the place of Undo, the second as soon as the answer to the first is there; the match."""
    for _attempt in range(5):
        match = begin(page)
        x, y = place_of(page.get_by_role("button", name="Undo"))
        begun = monotonic()
        page.touchscreen.tap(x, y)
        expect(page.locator(".undone")).to_contain_text("Deal 3 taken out")
        page.touchscreen.tap(x, y)
        if monotonic() - begun < SETTLED:
            return match
    pytest.fail("this machine is too slow for two quick taps")


def read_history(page: Page, match: str) -> list[str]:
    """The lines of the history, the newest first."""
    text = page.request.get(f"{match}/history").text().partition('<ol class="list" reversed')[2]
    return [
        re.sub(r"<[^>]+>", "", line) for line in re.findall(r"<li><a [^>]*><span>(.*?)<br>", text, re.DOTALL)
    ]


def test_undo_says_what_it_took_out(page: Page, accessible: Accessible) -> None:
    """In one tap, at once, above the buttons; another tap puts it back, and on a reload it is still there."""
    match = begin(page)
    thumb = Thumb(page)
    thumb.button("Undo")
    notice = page.get_by_role("status").filter(has_text="Deal 3 taken out")
    expect(notice).to_be_in_viewport(ratio=1)
    expect(page.locator(".board .total")).to_have_text(["164", "160"])
    accessible(page)
    page.reload()
    expect(notice).to_be_in_viewport(ratio=1)
    thumb.button("Put back")
    expect(page.locator(".board .total")).to_have_text(["246", "240"])
    expect(page.locator(".undone")).to_have_count(0)
    assert thumb.taps == 2
    assert [item.strip() for item in read_history(page, match)[:3]] == [
        "Deal 3 put back",
        "Deal 3 taken out",
        "Deal 3 written",
    ]


@pytest.fixture(params=["with scripts", "without", "without motion", "on its side"])
def phone(request: pytest.FixtureRequest, browser: Browser, base_url: str) -> Iterator[Page]:
    """A phone with and without JavaScript, one whose owner wants no motion, and one on its side."""
    page = open_phone(
        browser,
        base_url,
        SIDEWAYS if request.param == "on its side" else SCREEN,
        java_script_enabled=request.param != "without",
        reduced_motion="reduce" if request.param == "without motion" else "no-preference",
    )
    yield page
    page.context.close()


def test_two_taps_of_one_thumb_are_one_undo(phone: Page) -> None:
    """The second finds the next page already there, and nothing to tap; a deliberate one undoes further."""
    match = undo_twice(phone)
    phone.wait_for_timeout(1500)
    assert phone.url == match
    expect(phone.locator(".undone")).to_contain_text("Deal 3 taken out")
    expect(phone.locator(".board .total")).to_have_text(["164", "160"])
    phone.touchscreen.tap(*place_of(phone.get_by_role("button", name="Undo")))
    expect(phone.locator(".undone")).to_contain_text("Deal 2 taken out")
    expect(phone.locator(".board .total")).to_have_text(["82", "80"])


def test_without_network_two_taps_are_one_undo_too(page: Page) -> None:
    """The undo waits in the phone; neither this page nor the next one takes the second tap for another."""
    match = begin(page)
    page.route(f"{match}/undo", lambda route: route.abort())
    button = page.get_by_role("button", name="Undo")
    button.tap()
    expect(page.locator("#waiting li")).to_have_count(1)
    expect(page.locator(".actions")).to_have_class(re.compile("settling"))
    page.reload()
    expect(page.locator(".actions")).to_have_class(re.compile("settling"))
    settle(page)
    expect(page.locator("#waiting li")).to_have_count(1)
    page.unroute(f"{match}/undo")
    page.get_by_role("button", name="Try now").tap()
    expect(page.locator(".undone")).to_contain_text("Deal 3 taken out")
    assert sum("taken out" in line for line in read_history(page, match)) == 1


def test_the_board_still_has_its_actions_on_one_screen(
    browser: Browser, base_url: str, accessible: Accessible
) -> None:
    """What was undone, the way back and what the board is there for: all in view, and the totals too."""
    screens: list[tuple[ViewportSize, Scheme]] = [
        (SCREEN, "light"),
        (SCREEN, "dark"),
        (SMALL, "light"),
        ({"width": 1280, "height": 800}, "dark"),
    ]
    for screen, scheme in screens:
        page = open_phone(browser, base_url, screen, color_scheme=scheme)
        for game, players in (("derda", 2), ("klaberjass-3", 3), ("klaberjass-4", 4)):
            match = write_deals(page, open_match(page, game, LONG[:players], "pl"), 2)
            form = page.request.get(f"{match}/entries/2?edit=1").text()
            typed = {"do": "save", "bid": "A:H", "counting": "totals"}
            figures = {"total_A": "92", "total_B": "70", "total_C": "22"}
            page.request.post(f"{match}/entries/2", form={**carried(form), **typed, **figures})
            page.goto(match)
            page.get_by_role("button", name="Cofnij").click()
            expect(page.locator(".undone")).to_contain_text("cofnięcie poprawki")
            page.wait_for_load_state()
            for control in page.locator(":is(.actions, .log-top) :is(.btn, .act):visible").all():
                expect(control).to_be_in_viewport(ratio=1)
                box = control.bounding_box()
                assert box is not None and box["height"] >= 48
            expect(page.locator(".board .total").first).to_be_in_viewport(ratio=1)
            assert not find_misfits(page)
            accessible(page)
        page.context.close()
