"""Below a path of a host with HTTPS: recording, playing without network, joining; nothing leaves the path."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import NAMES
from device_storage import stored
from front import PREFIX, Front, Way, open_front
from offline_app import LONG, begin, expect_server_page, fetch_app, open_page, record_deal, status
from phone import Phone, Server, free_port
from playwright.sync_api import Page, Playwright, expect

WAYS: dict[Way, dict[str, str]] = {
    "hands the path on": {"PREFIX": PREFIX},
    "leaves the path out": {},
}
"""How a proxy treats the path, and what is set then: of the second the app learns by what the proxy says."""
Open = Callable[[str], tuple[Phone, Page]]
both_ways = pytest.mark.parametrize("way", WAYS, indirect=True)


@pytest.fixture
def way(request: pytest.FixtureRequest) -> Way:
    """The first, where a test does not ask for both."""
    found: Way = getattr(request, "param", "hands the path on")
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
def open_distant(
    front: Front,
    below: Server,
    playwright: Playwright,
    tmp_path: Path,
    browser_type_launch_args: dict[str, Any],
    phone_screen: dict[str, Any],
) -> Iterator[Open]:
    """Opens a page on a phone of its own, which takes the certificate of that proxy as it is."""
    made: list[Phone] = []

    def make(path: str) -> tuple[Phone, Page]:
        screen = phone_screen | {"base_url": f"{front.site}/", "ignore_https_errors": True}
        screen |= {"args": ["--ignore-certificate-errors"]}
        profile = tmp_path / f"phone-{len(made)}"
        phone = Phone(playwright, profile, below, browser_type_launch_args, screen)
        made.append(phone)
        page = phone.open(path)
        page.context.set_default_navigation_timeout(LONG)
        return phone, page

    yield make
    for phone in made:
        phone.close()
    assert [item for phone in made for item in phone.thrown + phone.foreign] == []


def concede(page: Page, board: str) -> None:
    """Write that a side has given up, from the page of all that is seldom written."""
    page.goto(f"{board}/more")
    form = page.locator("form[action$='/more/concede']")
    page.locator("details", has=form).locator("summary").tap()
    form.locator("label", has=page.locator("input[name=side]")).first.tap()
    form.locator("button").last.tap()


@both_ways
def test_a_match_is_recorded_kept_and_joined(front: Front, open_distant: Open) -> None:
    """From the first page to the second phone, with the network away in between."""
    phone, page = open_distant("")
    assert page.evaluate("isSecureContext") is True
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL") == f"{front.site}/sw.js"
    board = begin(page, "derda", NAMES, "en/")
    assert board.startswith(f"{front.site}/en/m/")
    page.locator("a[href$='/deal']").first.click()
    expect(page.locator("form#deal")).to_be_visible(timeout=LONG)

    page.goto(f"{board}/phones")
    page.locator('button[value="opponent:B"]').tap()
    link = page.locator("#address").input_value()
    assert link.startswith(f"{front.site}/join/")
    _other_phone, other = open_distant(link)
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
    page.goto("pl/rules/derda")
    expect(page.locator("h1:visible")).to_have_text("This page is not stored on this phone.", timeout=LONG)
    front.mend()
    page.goto(board)
    expect(page.locator("#waiting")).to_be_hidden(timeout=LONG)
    assert stored(page, "waiting") == []
    assert '"concede"' in page.request.get(f"{board}/record.json").text()


def test_what_a_phone_keeps_is_this_app_s(open_distant: Open) -> None:
    """Cookies, pages, entries lie where no other app of the host looks; forgetting spares what is theirs."""
    phone, page = open_distant("en/")
    phone.wait_until_saved(page, begin(page, "derda", NAMES, "en/"))
    assert {cookie["name"] for cookie in phone.context.cookies()} >= {
        f"__Host-companion{PREFIX.replace('/', '.')}",
        f"__Host-companion-browser{PREFIX.replace('/', '.')}",
    }
    assert all(cookie["secure"] for cookie in phone.context.cookies())
    # A script writes the zone of the phone, and no other.
    assert [cookie["name"] for cookie in phone.context.cookies() if not cookie["httpOnly"]] == ["zone"]
    assert stored(page, "waiting") == []
    names = page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")
    assert names == [f"companion:{PREFIX}/"]
    assert all(name.startswith(f"kept:{PREFIX}/ ") for name in page.evaluate("caches.keys()"))
    page.evaluate("() => caches.open('of another app')")
    page.evaluate("() => localStorage.setItem('of another app', '1')")
    page.goto("en/browser")
    page.get_by_role("button", name="Forget this phone").tap()
    page.get_by_role("button", name="Yes, forget").tap()
    expect(page.get_by_text("Nothing is stored on this phone any more.")).to_be_visible()
    assert page.evaluate("caches.keys()") == ["of another app"]
    assert page.evaluate("localStorage.getItem('of another app')") == "1"


def test_the_offline_app_is_below_the_path(app_files: None, open_distant: Open, front: Front) -> None:
    """Fetched, begun and recorded without network, shown as was chosen, started again, and delivered."""
    phone, page = open_distant("en/")
    fetch_app(page, "en/pocket")
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL") == f"{front.site}/sw-pocket.js"
    names = page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")
    assert f"pocket:{PREFIX}/" in names
    page.goto("en/browser")
    page.get_by_role("link", name="Slate", exact=True).tap()
    expect(page.locator("html[data-theme=dark]")).to_be_attached()

    front.cut()
    match = begin(page, "derda", NAMES, "en/")
    assert match.startswith(f"{front.site}/en/m/")
    record_deal(page, match, 90)
    expect(page.locator("html[data-pocket][data-theme=dark]")).to_be_attached()
    expect(page.locator(".board .total").first).to_have_text("90")
    page.get_by_role("link", name="More", exact=True).tap()
    page.get_by_role("link", name="History", exact=True).tap()
    expect(page.locator("main")).to_contain_text("Deal 1", timeout=LONG)
    page = phone.restart("about:blank")
    page.context.set_default_navigation_timeout(LONG)
    open_page(page, match)
    expect(page.locator(".board .total").first).to_have_text("90")
    open_page(page, "pl/rules/derda")

    front.mend()
    assert status(page, "deliver")["unsent"] == 0
    page.goto(match)
    expect_server_page(page)
    expect(page.locator(".board .total").first).to_have_text("90")
