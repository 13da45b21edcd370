"""The app from a folder of static files below a path: an evening without a server, and without its host."""

import re

from browsing import NAMES
from device_storage import wait_for
from hosting import write_folder
from offline_app import LONG, begin, record_deal
from phone import Phone
from playwright.sync_api import Page, expect
from static_host import AT, StaticHost

TOTAL = ".board .total"


def put_on(page: Page, address: str) -> None:
    """The tap of the first visit, which leads on to where one wanted to go."""
    page.locator("button[data-does=fetch]:visible").tap(timeout=LONG)
    expect(page).to_have_url(address, timeout=LONG)


def reopen(phone: Phone, address: str) -> Page:
    """Close the browser, open it again, and open an address there."""
    page = phone.restart("about:blank")
    page.context.set_default_navigation_timeout(LONG)
    page.goto(address)
    return page


def test_an_evening_without_a_server(host: StaticHost, phone: Phone) -> None:
    """First visit, matches, undo, question, reload, browser closed, host gone, and a newer folder."""
    page = phone.open(host.address + AT, controlled=False)
    page.context.set_default_navigation_timeout(LONG)
    expect(page).to_have_url(f"{host.site}en/index.html")
    expect(page.locator("[data-in=offered]").first).to_contain_text("To download, once: ", timeout=LONG)
    put_on(page, f"{host.site}en/")
    expect(page.locator("h1")).to_have_text("A pencil that knows the rules")

    durak = begin(page, "durak", (*NAMES, "Ala", "Olek"), "en/")
    match = begin(page, "derda", NAMES, "en/")
    assert match.startswith(f"{host.site}en/m/")
    record_deal(page, match, 90)
    record_deal(page, match, 100)
    expect(page.locator(TOTAL).first).to_have_text("190")
    page.get_by_role("button", name="Undo").first.tap()
    expect(page.locator(TOTAL).first).to_have_text("90", timeout=LONG)
    page.goto("en/ask/derda")
    page.locator("main a[href*='/ask/derda/']").first.tap()
    page.locator("button[form=ask]").last.tap()
    expect(page.locator("#verdict, .error").first).to_be_visible(timeout=LONG)
    page.goto(match)
    page.reload()
    expect(page.locator(TOTAL).first).to_have_text("90")

    host.stop()
    page = reopen(phone, match)
    expect(page.locator(TOTAL).first).to_have_text("90", timeout=LONG)
    record_deal(page, match, 90)
    expect(page.locator(TOTAL).first).to_have_text("180")
    for place in (durak, f"{match}/history", "pl/rules/derda", "en/browser"):
        page.goto(place)
        expect(page.locator("h1, .board").first).to_be_attached(timeout=LONG)
    version = page.locator("html").get_attribute("data-version")

    host.write(GAMES=str(write_folder(host.folder / "games")))
    host.start()
    page = reopen(phone, match)
    builds = "caches.keys().then((names) => names.map((name) => name.split('-')[1]))"
    wait_for(page, lambda: page.evaluate(builds) == [host_version(host)])  # the former worker has gone
    page.goto("en/rules")
    expect(page.locator(f"html[data-version='{host_version(host)}']")).to_be_attached(timeout=LONG)
    assert version != host_version(host)
    expect(page.locator("main")).to_contain_text("Harbour klab", timeout=LONG)
    page.goto(match)
    expect(page.locator(TOTAL).first).to_have_text("180")
    record_deal(page, match, 90)
    names = [name for name in NAMES if any(name in path for path in host.asked)]
    assert names == [] and not any(re.search(r"/m/[\w-]{22}", path) for path in host.asked)


def host_version(host: StaticHost) -> str:
    """The version that the folder has now."""
    worker = (host.folder / AT.strip("/") / "sw-pocket.js").read_text("utf-8")
    found = re.search(r"static/(\w+)/", worker)
    assert found is not None
    return found[1]


def test_a_link_into_the_app_is_followed_after_the_first_visit(host: StaticHost, phone: Phone) -> None:
    """The host knows no such page; its page for that leads on in the language of the link, and back to it."""
    page = phone.open(f"{host.site}pl/rules/derda?q=trumf#found", controlled=False)
    expect(page).to_have_url(
        re.compile(r"/cards/pl/index\.html\?to=%2Fcards%2Fpl%2Frules%2Fderda%3Fq%3Dtrumf#found")
    )
    put_on(page, f"{host.site}pl/rules/derda?q=trumf#found")


def test_a_first_visit_goes_on_where_it_was_broken_off(host: StaticHost, phone: Phone) -> None:
    """The network went away: what has arrived stays, and is not fetched again."""
    page = phone.open(f"{host.site}en/index.html", controlled=False)
    page.route("**/app.zip.packed", lambda route: route.abort())
    page.locator("button[data-does=fetch]:visible").tap(timeout=LONG)
    expect(page.locator("div[data-in=cut]")).to_be_visible(timeout=LONG)
    page.unroute("**/app.zip.packed")
    fetched = [path for path in host.asked if path.endswith("libs.zip.packed")]
    page.reload()
    put_on(page, f"{host.site}en/")
    assert [path for path in host.asked if path.endswith("libs.zip.packed")] == fetched


def test_what_is_needed_is_said_where_it_cannot_run(host: StaticHost, phone: Phone) -> None:
    """Opened from a disk no module runs: a plain script says what to do."""
    page = phone.open("about:blank", controlled=False)
    page.goto((host.folder / AT.strip("/") / "index.html").as_uri())
    expect(page).to_have_url(re.compile(r"^file:.*/en/index\.html$"))
    expect(page.locator("[data-in=file]")).to_contain_text("Opened from a disk it does not run.")
    expect(page.locator("[data-in=unscripted]")).to_be_hidden()
    phone.thrown.clear()
    phone.foreign.clear()
