"""The app in the phone, with the server's process gone: it starts, does all but print, and forgets nothing.

One phone goes through all of this, in this order; each test needs no more of those before it than a match.
"""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from device_storage import wait_for
from offline_app import (
    LONG,
    begin,
    build,
    deliver_all,
    expect_server_page,
    known_matches,
    open_page,
    record_deal,
    save,
    snapshot_size,
    status,
    stop_worker,
    wait_for_build,
)
from phone import Phone, Server
from playwright.sync_api import Page, expect
from unwatched import Unwatched

Left = dict[str, str]


@pytest.fixture
def alone(server: Server) -> Iterator[None]:
    """Nobody answers."""
    server.stop()
    yield


@pytest.fixture(scope="module")
def left() -> Left:
    """What one test leaves to the next: the address of a match."""
    return {}


def find_match(page: Page, left: Left) -> str:
    """A match with one deal, begun on this phone without network."""
    if "match" not in left:
        left["match"] = begin(page, "derda", ("Ewa", "Jan"))
        record_deal(page, left["match"], 90)
    return left["match"]


def test_it_is_ready_with_a_snapshot(page: Page) -> None:
    """Fetched by one tap; a memory to start from lies beside the files."""
    said = status(page)
    assert (said["ready"], said["unsent"], said["aside"], said["fault"]) == (True, 0, 0, None)
    assert snapshot_size(page) > 20_000_000
    names = page.evaluate("indexedDB.databases().then((all) => all.map(({ name }) => name))")
    assert "pocket:/" in names  # as on the phones that have one already
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL").endswith("/sw-pocket.js")


def test_a_match_of_deals(page: Page, alone: None, left: Left) -> None:
    """Begun, recorded, corrected, taken back and put back; its history and its sheet tell it."""
    match = find_match(page, left)
    expect(page.locator(".board .total").first).to_have_text("90")
    assert "pocket" in page.evaluate("({ ...document.documentElement.dataset })")
    page.goto(f"{match}/entries/1?edit=1")
    page.fill("#total_A", "92")
    page.fill("#total_B", "70")
    save(page)
    page.goto(match)
    expect(page.locator(".board .total").first).to_have_text("92")
    record_deal(page, match, 80)
    page.get_by_role("button", name="Undo").tap()
    expect(page.get_by_text("Deal 2 taken out")).to_be_visible()
    page.get_by_role("button", name="Put back").tap()
    expect(page.get_by_role("button", name="Put back")).to_have_count(0)
    open_page(page, f"{match}/history")
    expect(page.locator("main")).to_contain_text("Deal 2")
    open_page(page, f"{match}/sheet")
    expect(page.locator("main")).to_contain_text("92")


def test_a_session_of_hands(page: Page, alone: None) -> None:
    """Of the other family the same: begun, a hand recorded, another language."""
    match = begin(page, "durak", ("Ewa", "Jan", "Ala", "Olek"))
    page.goto(f"{match}/hand")
    page.get_by_role("button", name="Jan is the fool").tap()
    expect(page).to_have_url(match, timeout=LONG)
    open_page(page, match.replace("/en/", "/pl/"))
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    expect(page.locator("main")).to_contain_text("Jan")


def test_another_start_has_it_all(page: Page, app_phone: Phone, alone: None, left: Left) -> None:
    """The worker ended for want of work, then the battery was empty: what was answered is on the disk."""
    match = find_match(page, left)
    record_deal(page, match, 50)
    total = page.locator(".board .total").first.inner_text()
    stop_worker(app_phone, page)
    open_page(page, match)
    expect(page.locator(".board .total").first).to_have_text(total)
    app_phone.kill()
    page = app_phone.open(match, controlled=False)
    expect(page.locator("html[data-pocket]")).to_be_attached()
    expect(page.locator(".board .total").first).to_have_text(total)
    open_page(page, "/en/")
    expect(page.locator(f"a[href$='{match[match.index('/m/') :]}']").first).to_be_attached()


def test_it_all_goes_to_the_server(page: Page, app_phone: Phone, server: Server, left: Left) -> None:
    """With the server back everything is there once, in order, and pages come from there again."""
    server.stop()
    match = find_match(page, left)
    page.goto(match)
    total = page.locator(".board .total").first.inner_text()
    server.start()
    assert deliver_all(page)["aside"] == 0
    page.goto(match)
    expect_server_page(page)
    expect(page.locator(".board .total").first).to_have_text(total)
    first = page.request.get(f"{match}/record.json").json()["entries"][0]
    assert first["totals"]["A"] in (90, 92)


def test_what_was_written_at_the_server_is_here(page: Page, server: Server) -> None:
    """A match begun with a network goes on without one: the phone has learnt of it by itself."""
    server.start()
    match = begin(page, "derda", ("Ola", "Tomek"))
    record_deal(page, match, 90)
    deliver_all(page)
    wait_for(page, lambda: match.rpartition("/")[2] in known_matches(page))
    server.stop()
    open_page(page, match)
    expect(page.locator(".board .total").first).to_have_text("90")
    record_deal(page, match, 100)
    expect(page.locator(".board .total").first).to_have_text("190")
    assert status(page)["unsent"] == 1


def test_a_preview_writes_nothing(page: Page, server: Server) -> None:
    """What the server answered to it holds no match back: the network may go in that very moment."""
    server.start()
    match = begin(page, "derda", ("Ula", "Adam"))
    wait_for(page, lambda: match.rpartition("/")[2] in known_matches(page, at_least=0))
    page.goto(f"{match}/deal?mode=totals")
    expect_server_page(page)
    page.locator("label", has=page.locator('input[name=bid][value="A:H"]')).tap()
    with page.expect_response(re.compile(r"/deal/preview$")) as answer:
        page.fill("#total_A", "90")
    assert answer.value.status == 200
    server.kill()
    open_page(page, f"{match}/deal?mode=totals")
    expect(page.locator('input[name=bid][value="A:H"]')).to_be_checked()  # as it was left
    page.fill("#total_B", "72")
    save(page)
    expect(page).to_have_url(match)
    assert status(page)["unsent"] == 1
    server.start()
    deliver_all(page)


def test_it_lives_as_long_as_a_match_is_open(
    page: Page,
    app_phone: Phone,
    server: Server,
    left: Left,
    browser_type_launch_args: dict[str, Any],
    tmp_path: Path,
) -> None:
    """Idle workers are ended after half a minute, as another one beside it is; this one is kept alive."""
    server.start()
    match = find_match(page, left)
    app_phone.close()
    browser = Unwatched(browser_type_launch_args, app_phone.copy_profile(tmp_path / "copy"))
    beside = server.address.replace("127.0.0.1", "localhost")
    mine, other = f"{server.address}/sw-pocket.js", f"{beside}/sw.js"
    try:
        browser.open(match)
        browser.open(f"{beside}/en/rules")
        browser.wait_until(lambda: browser.find_worker(mine) and browser.find_worker(other))
        server.stop()
        running = browser.find_worker(mine)
        browser.wait_until(lambda: browser.find_worker(other) is None)
        until = time.monotonic() + 12  # were it idle, it would be gone soon after the other
        browser.wait_until(lambda: browser.find_worker(mine) != running or time.monotonic() > until)
        assert browser.find_worker(mine) == running
    finally:
        browser.close()


def test_an_update_comes_by_itself(page: Page, server: Server) -> None:
    """In the background, all at once; what was recorded before it goes to the server with the new version."""
    server.stop()
    match = begin(page, "derda", ("Ala", "Olek"))
    before = status(page)["build"]
    problems: list[str] = []
    mark = server.restart_updated(prepare=lambda source: problems.append(build(source)))
    assert problems == [""]
    page.goto("/en/rules", timeout=LONG)
    build_now = wait_for_build(page, before)
    assert (build_now["ready"], build_now["aside"]) == (True, 0)
    assert page.request.get(match).ok
    server.stop()
    open_page(page, match)
    expect(page.locator("meta[name=update]")).to_have_attribute("content", mark)
    style = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--update')")
    assert style.strip().strip('"') == mark
    own = f"pocket:/ {build_now['build']}"
    names = "caches.keys().then((names) => names.filter((name) => name.startsWith('pocket:')))"
    wait_for(page, lambda: page.evaluate(names) == [own])
