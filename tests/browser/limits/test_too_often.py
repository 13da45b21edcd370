"""The server wants to wait: the entry stays in the phone, says until when, and is written then, once."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from evenings import begin, expect_all_sent, record, totals
from phone import Phone, Server, free_port, visit
from playwright.sync_api import Page, expect


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server of these tests keeps everything."""
    return tmp_path_factory.mktemp("limited")


@pytest.fixture(scope="module")
def lasting_server(folder: Path) -> Iterator[Server]:
    """A server that limits, as it does unless set otherwise."""
    server = Server(folder, free_port(), LIMITS="on")
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def set_count(folder: Path, server: Server) -> Callable[[str, int, float], None]:
    """Says that so much of something was done already, and for how many seconds that counts."""

    def change(name: str, count: int, seconds: float) -> None:
        with closing(sqlite3.connect(folder / "instance" / "limits.sqlite", timeout=10)) as counts, counts:
            values = (count, time.time() + seconds, f"%/{name}/%")
            changed = counts.execute(
                "UPDATE limit_count SET count = ?, ends_at = ? WHERE name LIKE ?", values
            )
            assert changed.rowcount

    return change


def states(page: Page) -> list[str]:
    """What the strip says of each waiting entry."""
    return page.locator("#waiting li [data-state]").all_inner_texts()


def test_an_entry_waits_until_the_server_says(
    phone: Phone, set_count: Callable[[str, int, float], None]
) -> None:
    """Nothing is sent before; those behind it wait in their turn; a tap tries all the same."""
    page = phone.open()
    match = begin(page)
    record(page, match, "A", "90")
    expect(page.locator("#waiting")).to_be_hidden()
    set_count("writes.browser", 300, 250)
    record(page, match, "B", "91")
    expect(page.locator("#waiting")).to_be_visible()
    [said] = states(page)
    assert (
        "Entries and other changes: at most 300 from one browser within 5 minutes. The server asks you to"
        in said
    )
    expect(page.locator("#waiting summary")).to_contain_text("The server asks you to wait until ")
    record(page, match, "A", "92")
    expect(page.locator("#waiting li")).to_have_count(2)
    assert states(page) == [said, "waiting for the one above"]
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    visit(page, match)
    expect(page.locator("#waiting li")).to_have_count(2)
    page.evaluate("dispatchEvent(new Event('online'))")
    assert states(page) == [said, "waiting for the one above"]
    page.get_by_role("button", name="Try now").click()
    expect(page.get_by_role("button", name="Try now")).not_to_have_attribute("aria-busy", "true")
    assert len(sent) == 1
    assert totals(page, match) == [90]
    set_count("writes.browser", 0, 250)
    page.get_by_role("button", name="Try now").click()
    expect_all_sent(page)
    assert totals(page, match) == [90, 91, 92]


def test_an_entry_is_sent_by_itself_then(phone: Phone, set_count: Callable[[str, int, float], None]) -> None:
    """When the moment has come nobody has to tap."""
    page = phone.open()
    match = begin(page)
    record(page, match, "A", "90")
    set_count("writes.browser", 300, 4)
    record(page, match, "B", "91")
    expect(page.locator("#waiting li")).to_have_count(1)
    expect(page.locator("#waiting")).to_be_hidden(timeout=30_000)
    assert totals(page, match) == [90, 91]


def test_a_new_match_that_waits_holds_no_other_back(
    phone: Phone, set_count: Callable[[str, int, float], None]
) -> None:
    """Entries of a match that was begun before are written meanwhile."""
    page = phone.open()
    match = begin(page)
    set_count("matches.browser", 300, 250)
    page.goto("/en/new")
    page.fill("[name=name-A]", "Wawrzyniec")
    page.fill("[name=name-B]", "Olek")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#waiting li")).to_have_count(1)
    assert (
        "New matches: at most 60 from one browser within 10 minutes. The server asks you to"
        in states(page)[0]
    )
    expect(page.locator("#waiting li [data-text]")).to_contain_text("Wawrzyniec")
    record(page, match, "A", "90")
    assert totals(page, match) == [90]
    page.goto("/en/")
    expect(page.locator("#waiting li")).to_have_count(1)
