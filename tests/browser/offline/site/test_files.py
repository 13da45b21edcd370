"""Matches from a phone alone into the empty profile of another: all in a file, one by a link."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from browsing import NAMES
from offline_app import LONG, begin, record_deal
from phone import Phone, Server
from playwright.sync_api import Page, Playwright, expect
from static_host import StaticHost

from .test_folder import TOTAL, put_on, reopen

SPOIL_MATCH = """(id) => new Promise((done) => {
  const request = indexedDB.open("pocket:/cards/");
  request.onsuccess = () => {
    const changing = request.result.transaction("rows", "readwrite");
    changing.objectStore("rows").openCursor().onsuccess = ({ target: { result: cursor } }) => {
      if (cursor?.key.includes(id) && cursor.key.includes("event")) cursor.update({ of: "tomorrow" });
      cursor?.continue();
    };
    changing.oncomplete = () => { request.result.close(); done(); };
  };
})"""
"""Events of a match become such as no version of today knows."""
SPOIL_PROGRAM = """async () => {
  const [name] = (await caches.keys()).filter((name) => name.startsWith("pocket:"));
  const cache = await caches.open(name), files = (await cache.keys()).map(({ url }) => url);
  for (const url of files) if (/(app.zip|snapshot)$/.test(url)) await cache.put(url, new Response("-"));
}"""


@pytest.fixture
def open_phone(
    host: StaticHost,
    playwright: Playwright,
    tmp_path: Path,
    browser_type_launch_args: dict[str, Any],
    phone_screen: dict[str, Any],
) -> Iterator[Callable[..., Page]]:
    """Gives a page of a phone that has just got the app, by the name of the phone.

    It may come by a link that holds a match.
    """
    phones: list[Phone] = []

    def make(name: str, link: str = "") -> Page:
        screen = phone_screen | {"base_url": host.site, "accept_downloads": True}
        phone = Phone(playwright, tmp_path / name, cast(Server, host), browser_type_launch_args, screen)
        phones.append(phone)
        page = phone.open(link or f"{host.site}en/index.html", controlled=False)
        page.context.set_default_navigation_timeout(LONG)
        put_on(page, link.replace("#", "en/given#") or f"{host.site}en/")
        return page

    yield make
    for phone in phones:
        phone.close()
    assert [fault for phone in phones for fault in (*phone.thrown, *phone.foreign)] == []


def test_a_kept_file_brings_the_matches_to_another_phone(
    open_phone: Callable[[str], Page], tmp_path: Path
) -> None:
    """Asked about after a match, downloaded by one tap, looked through, imported; then the line is gone."""
    page = open_phone("first")
    page.goto("en/new")
    expect(page.get_by_text("Saved only on this phone.")).to_be_visible()
    match = begin(page, "derda", NAMES, "en/")
    record_deal(page, match, 90)
    page.goto("en/")
    expect(page.locator("[data-unfiled]")).to_have_count(0)
    page.goto(f"{match}/more?open=concede")
    page.locator("#entry-concede label.choice").first.tap()
    page.locator("#entry-concede").get_by_role("button", name="Concede the game").tap()
    expect(page).to_have_url(match, timeout=LONG)
    line = page.locator("[data-unfiled]")
    expect(line).to_contain_text("Saved only on this phone: 1 match, not in any file since")
    with page.expect_download(timeout=LONG) as arriving:
        line.get_by_text("Keep a file").tap()
    file = tmp_path / arriving.value.suggested_filename
    arriving.value.save_as(file)
    expect(line).to_have_count(0)
    page.reload()
    expect(page.locator("main")).to_be_visible()
    expect(line).to_have_count(0)

    other = open_phone("second")
    other.goto("en/import")
    other.set_input_files("#file", file)
    other.get_by_role("button", name="Look inside").tap()
    expect(other.locator("main")).to_contain_text("New: 1", timeout=LONG)
    other.get_by_role("button", name="Import 1 match").tap()
    expect(other.locator("h1")).to_have_text("Imported", timeout=LONG)
    other.get_by_role("link", name="Open", exact=True).tap()
    expect(other).to_have_url(match, timeout=LONG)
    expect(other.locator("main")).to_contain_text("90")
    other.goto("en/")
    expect(other.locator("[data-unfiled]")).to_have_count(0)


def test_a_link_gives_a_match_to_a_phone_that_never_was_here(
    host: StaticHost,
    open_phone: Callable[..., Page],
) -> None:
    """Shown after the first visit, taken in by a tap, recognised the next time; the host learns nothing."""
    page = open_phone("first")
    match = begin(page, "derda", NAMES, "en/")
    record_deal(page, match, 90)
    page.goto(f"{match}/give")
    link = page.locator("#address").input_value()
    assert link.startswith(f"{host.site}#give=")
    other = open_phone("second", link)
    expect(other.locator("#preview")).to_contain_text("Derda · Entries: 1", timeout=LONG)
    for said in ("The match is in your list now.", "This match is here already."):
        other.goto("en/")
        other.goto(link)
        expect(other.locator("#preview")).to_be_visible(timeout=LONG)
        other.get_by_role("button", name="Yes, take it in").tap()
        expect(other).to_have_url(match, timeout=LONG)
        expect(other.locator("main")).to_contain_text(said)
        expect(other.locator(TOTAL).first).to_have_text("90")
    assert not any("give=" in path or link[-30:] in path for path in host.asked)


def test_what_cannot_be_read_or_started_is_kept_as_a_file(
    host: StaticHost, phone: Phone, open_phone: Callable[..., Page], tmp_path: Path
) -> None:
    """The list offers a match that this version cannot read, the first page all; another phone reads that."""
    page = phone.open(f"{host.site}en/index.html", controlled=False)
    page.context.set_default_navigation_timeout(LONG)
    put_on(page, f"{host.site}en/")
    matches = [begin(page, "derda", NAMES, "en/") for _which in range(2)]
    for match in matches:
        record_deal(page, match, 90)
    page.evaluate(SPOIL_MATCH, matches[0].rpartition("/")[2])
    page = reopen(phone, f"{host.site}en/")
    with page.expect_download(timeout=LONG) as unread:
        page.get_by_role("link", name="Keep it as a file").tap(timeout=LONG)
    rows = json.loads(unread.value.path().read_bytes())["rows"]
    assert {key[1] for key, _value in rows} == {matches[0].rpartition("/")[2]}
    page.evaluate(SPOIL_PROGRAM)
    page = reopen(phone, f"{host.site}en/")
    expect(page.get_by_role("heading", name="It does not start")).to_be_visible(timeout=LONG)
    with page.expect_download(timeout=LONG) as arriving:
        page.get_by_role("button", name="Keep it as a file").tap()
    arriving.value.save_as(tmp_path / arriving.value.suggested_filename)

    other = open_phone("second")
    other.goto("en/import")
    other.set_input_files("#file", tmp_path / "companion-rows.json")
    other.get_by_role("button", name="Look inside").tap()
    expect(other.locator("main")).to_contain_text("1 cannot be read", timeout=LONG)
    other.get_by_role("button", name="Import 1 match").tap()
    expect(other.locator("h1")).to_have_text("Imported", timeout=LONG)
    other.goto(matches[1])
    expect(other.locator(TOTAL).first).to_have_text("90", timeout=LONG)


def test_a_phone_alone_puts_away_and_deletes(open_phone: Callable[[str], Page]) -> None:
    """And brings back, as on a server."""
    page = open_phone("only")
    match = begin(page, "derda", NAMES, "en/")
    record_deal(page, match, 90)
    for ask, button, place in (("export", "Archive", "put-away"), ("delete", "Yes, delete", "bin")):
        page.goto(f"{match}/{ask}")
        page.get_by_role("button", name=button).tap()
        expect(page).to_have_url(f"{page.url.partition('/en/')[0]}/en/{place}", timeout=LONG)
        page.get_by_role("button", name="Undo").tap()
        expect(page).to_have_url(match, timeout=LONG)
        expect(page.locator(TOTAL).first).to_have_text("90")
