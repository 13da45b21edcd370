"""Typed before the page is ready for it: no less kept than all else, and newer than what was kept before."""

from collections.abc import Iterator
from contextlib import contextmanager

from browsing import begin
from device_storage import STORAGE
from playwright.sync_api import Page, expect
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
def busy_phone(page: Page) -> Iterator[None]:
    """Another tab writes, and whoever wants to read waits for that."""
    other = page.context.new_page()
    other.goto("/en/rules")
    other.evaluate(_BUSY)
    yield
    other.evaluate("window.isFree = true")


def test_it_is_newer_than_what_is_taken_up(page: Page) -> None:
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
        with busy_phone(page):
            page.goto(address, wait_until="commit")
            page.fill(second, "72")
        expect(line(page)).to_be_visible()
        expect(page.locator(first)).to_have_value("90")
        expect(page.locator(second)).to_have_value("72")
        stands = wait_until_saved(page, form)
        page.reload()
        expect_taken_up(page, form, stands)


def test_a_page_that_is_only_opened_keeps_nothing(page: Page) -> None:
    """What its scripts put into it or take out of it while they begin was not typed by anybody."""
    match = begin(page)
    discard_drafts(page)
    questions = ("/en/ask/derda/play", "/en/ask/derda/trick", "/en/ask/durak/beat")
    for address in ("/en/new", f"{match}/deal?bid=A:H", f"{match}/names", *questions):
        with busy_phone(page):
            page.goto(address, wait_until="commit")
            expect(page.locator("main form").first).to_be_visible()
        page.wait_for_load_state()
        page.wait_for_timeout(200)
        assert drafts(page) == [], address
