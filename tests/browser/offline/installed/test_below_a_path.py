"""Below a path of a host with HTTPS: recording, playing without network, joining; nothing leaves the path."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import NAMES
from device_storage import stored
from front import PREFIX, Front, Way, open_front
from phone import Phone, Server, free_port
from playwright.sync_api import Page, Playwright, expect

LONG = 20_000
"""Milliseconds that nothing takes, though all goes through a proxy that encrypts in this very process."""
ON_BOARD = re.compile(r"/m/[\w-]{22}$")
WAYS: dict[Way, dict[str, str]] = {
    "hands the path on": {"PREFIX": PREFIX},
    "leaves the path out": {},
}
"""How a proxy treats the path, and what is set then: of the second the app learns by what the proxy says."""


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> Way:
    """Both."""
    found: Way = request.param
    return found


@pytest.fixture
def below(way: Way, tmp_path: Path) -> Iterator[Server]:
    """A server that believes one proxy."""
    server = Server(tmp_path, free_port(), PROXIES="1", HOSTS="127.0.0.1", **WAYS[way])
    server.start()
    yield server
    server.stop()


@pytest.fixture
def front(below: Server, way: Way, tmp_path: Path) -> Iterator[Front]:
    """A proxy with HTTPS before it."""
    with open_front(below.address, tmp_path, way) as front:
        yield front


@pytest.fixture
def phones(
    front: Front,
    below: Server,
    playwright: Playwright,
    tmp_path: Path,
    browser_type_launch_args: dict[str, Any],
    phone_screen: dict[str, Any],
) -> Iterator[Callable[[], Phone]]:
    """Phones that come by that proxy, whose certificate they take as it is."""
    made: list[Phone] = []

    def make() -> Phone:
        screen = phone_screen | {"base_url": front.site, "ignore_https_errors": True}
        screen |= {"args": ["--ignore-certificate-errors"]}
        profile = tmp_path / f"phone-{len(made)}"
        made.append(Phone(playwright, profile, below, browser_type_launch_args, screen))
        return made[-1]

    yield make
    for phone in made:
        phone.close()
    assert [item for phone in made for item in phone.thrown + phone.foreign] == []


def begin(page: Page) -> str:
    """Start a match by typing; the address of its board."""
    page.locator("a[href$='/en/new']").first.click()
    page.fill("#name-A", NAMES[0])
    page.fill("#name-B", NAMES[1])
    page.locator("label", has=page.locator("input[name=dealer][value=A]")).click()
    page.locator(".actions .primary").click()
    expect(page).to_have_url(ON_BOARD, timeout=LONG)
    return page.url


def concede(page: Page, board: str) -> None:
    """Write that a side has given up, from the page of all that is seldom written."""
    page.goto(f"{board}/more")
    form = page.locator("form[action$='/more/concede']")
    page.locator("details", has=form).locator("summary").tap()
    form.locator("label", has=page.locator("input[name=side]")).first.tap()
    form.locator("button").last.tap()


def test_a_match_is_recorded_kept_and_joined(front: Front, phones: Callable[[], Phone]) -> None:
    """From the first page to the second phone, with the network away in between."""
    phone = phones()
    page = phone.open(f"{PREFIX}/")
    assert page.evaluate("isSecureContext") is True
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL") == f"{front.site}/sw.js"
    board = begin(page)
    assert board.startswith(f"{front.site}/en/m/")
    page.locator("a[href$='/deal']").first.click()
    expect(page.locator("form#deal")).to_be_visible(timeout=LONG)

    page.goto(f"{board}/phones")
    page.locator('button[value="opponent:B"]').tap()
    link = page.locator("#address").input_value()
    assert link.startswith(f"{front.site}/join/")
    other = phones().open(link)
    other.locator(".actions .primary").tap()
    expect(other).to_have_url(board, timeout=LONG)
    expect(other.locator(".board")).to_be_visible()

    page.goto(board)
    for address in (board, f"{board}/more", f"{front.site}/en/"):
        phone.wait_until_saved(page, address)
    front.cut()
    page.goto(board)
    expect(page.locator("#kept")).to_be_visible(timeout=LONG)
    concede(page, board)
    expect(page.locator("#waiting")).to_be_visible(timeout=LONG)
    [waiting] = stored(page, "waiting")
    assert waiting["action"].startswith(f"{front.site}/en/m/")
    page.goto(f"{front.site}/pl/rules/derda")
    expect(page.locator("h1:visible")).to_have_text("This page is not stored on this phone.", timeout=LONG)
    front.mend()
    page.goto(board)
    expect(page.locator("#waiting")).to_be_hidden(timeout=LONG)
    assert stored(page, "waiting") == []
    assert '"concede"' in page.request.get(f"{board}/record.json").text()


def test_what_a_phone_keeps_is_this_app_s(front: Front, phones: Callable[[], Phone]) -> None:
    """Cookies, pages, entries lie where no other app of the host looks; forgetting spares what is theirs."""
    phone = phones()
    page = phone.open(f"{PREFIX}/en/")
    board = begin(page)
    phone.wait_until_saved(page, board)
    assert {cookie["name"] for cookie in phone.context.cookies()} >= {
        f"__Host-companion{PREFIX.replace('/', '.')}",
        f"__Host-companion-browser{PREFIX.replace('/', '.')}",
    }
    assert all(cookie["secure"] and cookie["httpOnly"] for cookie in phone.context.cookies())
    assert stored(page, "waiting") == []
    names = page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")
    assert names == [f"companion:{PREFIX}/"]
    assert all(name.startswith(f"kept:{PREFIX}/ ") for name in page.evaluate("caches.keys()"))
    page.evaluate("() => caches.open('of another app')")
    page.evaluate("() => localStorage.setItem('of another app', '1')")
    page.goto(f"{front.site}/en/browser")
    page.get_by_role("button", name="Forget this phone").tap()
    page.get_by_role("button", name="Yes, forget").tap()
    expect(page.get_by_text("Nothing is stored on this phone any more.")).to_be_visible()
    assert page.evaluate("caches.keys()") == ["of another app"]
    assert page.evaluate("localStorage.getItem('of another app')") == "1"


def test_forms_by_https(front: Front, phones: Callable[[], Phone]) -> None:
    """Another paper and another language lead back to where one was; headers say what they should."""
    page = phones().open(f"{PREFIX}/en/rules/derda")
    page.locator(".foot a", has_text="Slate").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.url == f"{front.site}/en/rules/derda"
    page.locator(".foot a", has_text="Polski").click()
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    assert page.url == f"{front.site}/pl/rules/derda"
    answer = page.request.get(f"{front.site}/pl/")
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
