"""Typed before the page is ready for it: no less kept than all else, and newer than what was kept before."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from browsing import begin
from device_storage import STORAGE
from playwright.sync_api import Page, Route, expect
from typed import discard_drafts, drafts, expect_taken_up, line, wait_until_saved

_BUSY = f"""async () => {{
  await (await {STORAGE}).findAll("drafts");
  const asked = indexedDB.open("companion");
  await new Promise((done) => {{ asked.onsuccess = done; }});
  const store = asked.result.transaction("drafts", "readwrite").objectStore("drafts");
  const goOn = () => {{ if (!window.isFree) store.get("nothing").onsuccess = goOn; }};
  goOn();
}}"""


@contextmanager
def slow_script(page: Page) -> Iterator[None]:
    """The script that keeps what is typed is still on its way."""
    held: list[Route] = []
    page.route("**/offline/drafts.js", lambda route: held.append(route))
    yield
    while not held:
        page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    page.unroute("**/offline/drafts.js")


@contextmanager
def busy_phone(page: Page) -> Iterator[None]:
    """Another tab writes, and whoever wants to read waits for that."""
    other = page.context.new_page()
    other.goto("/en/rules")
    other.evaluate(_BUSY)
    yield
    other.evaluate("window.isFree = true")


SLOW = (slow_script, busy_phone)
Slow = Callable[[Page], AbstractContextManager[None]]


@pytest.mark.parametrize("slow", SLOW)
def test_it_is_kept(page: Page, slow: Slow) -> None:
    """Nothing was typed there before."""
    page.goto("/en/rules")
    with slow(page):
        page.goto("/en/new", wait_until="commit")
        page.fill("#name-A", "Ewa")
        page.fill("#name-B", "Jan")
    stands = wait_until_saved(page, "#new")
    assert {"name-A,Ewa", "name-B,Jan"} <= set(stands)
    page.reload()
    expect_taken_up(page, "#new", stands)


@pytest.mark.parametrize("slow", SLOW)
def test_it_is_newer_than_what_is_taken_up(page: Page, slow: Slow) -> None:
    """The field that it was typed in has it, the others what was kept: in forms of both kinds."""
    match = begin(page)
    for form, address, first, second in (
        ("#deal", f"{match}/deal?mode=totals&bid=A:H", "#total_A", "#total_B"),
        ("#names", f"{match}/names", "#name-A", "#name-B"),
    ):
        page.goto(address)
        page.fill(first, "90")
        page.fill(second, "71")
        wait_until_saved(page, form)
        page.goto("/en/rules")
        with slow(page):
            page.goto(address, wait_until="commit")
            page.fill(second, "72")
        expect(line(page)).to_be_visible()
        expect(page.locator(first)).to_have_value("90")
        expect(page.locator(second)).to_have_value("72")
        stands = wait_until_saved(page, form)
        page.reload()
        expect_taken_up(page, form, stands)


@pytest.mark.parametrize("slow", SLOW)
def test_a_page_that_is_only_opened_keeps_nothing(page: Page, slow: Slow) -> None:
    """What its scripts put into it or take out of it while they begin was not typed by anybody."""
    match = begin(page)
    discard_drafts(page)
    questions = ("/en/ask/derda/play", "/en/ask/derda/trick", "/en/ask/durak/beat")
    for address in ("/en/new", f"{match}/deal?bid=A:H", f"{match}/names", *questions):
        with slow(page):
            page.goto(address, wait_until="commit")
            expect(page.locator("main form").first).to_be_visible()
        page.wait_for_load_state()
        page.wait_for_timeout(200)
        assert drafts(page) == [], address
