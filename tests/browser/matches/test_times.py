"""A phone and a server on two sides of the date line: every time and date is that of the phone."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pypdfium2
import pytest
from browsing import begin, write_deal
from phone import Server, free_port
from playwright.sync_api import Browser, Page

HERE, THERE = "Pacific/Kiritimati", "Pacific/Pago_Pago"
"""Where the phone and the server are: 25 hours apart, so that they never have the same date."""
MOMENT = re.compile(
    r"\b(?:\d\d:\d\d|\d{1,2} (?:January|February|March|April|May|June|July|August|September"
    r"|October|November|December)|\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
    r"|\d{4}-\d\d-\d\d)\b"
)
PAGES = ("", "/history", "/entries/1", "/phones", "/more", "/sheet", "/export", "/delete")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("TZ", THERE)
    server = Server(tmp_path, free_port())
    server.start()
    yield server
    server.stop()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    with browser.new_context(
        base_url=server.address, timezone_id=HERE, locale="en-GB", service_workers="block"
    ) as context:
        yield context.new_page()


def find_moments(text: str) -> set[str]:
    """The times of day and the days that a text names."""
    return {*MOMENT.findall(text)}


def name_moments(since: datetime) -> set[str]:
    """How a text may name the minutes since then."""
    forms = ("%H:%M", "%-d %B", "%-d %b", "%Y-%m-%d")
    named, moment, now = set[str](), since, datetime.now(since.tzinfo)
    while moment < now + timedelta(minutes=1):
        named |= {moment.strftime(form) for form in forms}
        moment += timedelta(minutes=1)
    return named


def test_a_match_is_dated_by_the_phone(page: Page) -> None:
    """From its beginning to its printed sheet: no page names a moment that the phone's clock did not show."""
    begun = datetime.now(ZoneInfo(HERE))
    match = begin(page, names=("Ewa", "Ola"))
    write_deal(page, match, counting="totals", bid="A:H", total_A="100", total_B="62")
    said = {}
    for path in (*(f"{match}{path}" for path in PAGES), "/en/"):
        page.goto(path)
        said[path] = page.locator("main").inner_text()
    link = page.request.get(f"{match}/sheet.pdf?paper=a4", timeout=60_000)
    assert link.ok
    with pypdfium2.PdfDocument(link.body()) as sheet:
        said["printed"] = sheet[0].get_textpage().get_text_bounded()
    shown = name_moments(begun)
    found = {path: find_moments(text) for path, text in said.items()}
    assert {path: moments - shown for path, moments in found.items() if moments - shown} == {}
    for path in ("/en/", "printed", f"{match}/history", f"{match}/sheet"):
        assert found[path], path
