"""An update of the app: it replaces the one before as a whole, and disturbs nobody who is typing."""

from browsing import begin
from device_storage import cached, wait_for_cached, wait_until_quiet
from line import Fate, Line
from phone import Phone, Server
from playwright.sync_api import Page, expect


def marks(page: Page) -> tuple[str | None, str]:
    """The update that a page is from, and the one that its style sheet is from; empty without one."""
    element = page.locator("meta[name=update]")
    name = element.get_attribute("content") if element.count() else ""
    style = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--update')")
    return name, style.strip().strip('"')


def cached_pages(page: Page, whole: bool = True) -> dict[str, set[str]]:
    """The pages that are kept, by the version of the app."""
    found: dict[str, set[str]] = {}
    for item in cached(page):
        if item["whole"] == whole and "/static/" not in item["url"] and not item["url"].endswith("/whole"):
            found.setdefault(item["cache"].split(" ")[2], set()).add(item["url"])
    return found


def test_an_update_replaces_everything(phone: Phone, server: Server) -> None:
    """After one page of the new version all kept pages are of it, with its files; none of the old is left."""
    page = phone.open()
    board = begin(page)
    wait_until_quiet(page)
    [(old, before)] = cached_pages(page).items()
    mark = server.restart_updated()
    page.goto("/en/rules")
    wait_until_quiet(page)
    [(new, after)] = cached_pages(page).items()
    assert new != old
    assert after >= before
    server.stop()
    for address in (board, f"{board}/deal", f"{board}/history", "/en/"):
        page.goto(address)
        assert marks(page) == (mark, mark), address


def test_half_an_update_is_none(distant_phone: Phone, line: Line, server: Server) -> None:
    """Where the network goes before the new version is there as a whole, the old one is shown, as a whole."""
    page = distant_phone.open()
    board = begin(page)
    wait_until_quiet(page)
    [(old, before)] = cached_pages(page).items()
    mark = server.restart_updated()
    left = iter(range(4))

    def lose_after_a_few(_method: str, path: str) -> Fate:
        return "arrives" if "/static/" in path or next(left, None) is not None else "is lost"

    line.fate = lose_after_a_few
    page.goto("/en/rules/derda")
    wait_until_quiet(page)
    assert cached_pages(page) == {old: before}
    for address in (board, f"{board}/deal", f"{board}/history"):
        page.goto(address)
        expect(page.locator("#kept")).to_be_visible()
        assert marks(page) == ("", ""), address
    line.mend()
    page.goto("/en/rules")
    wait_until_quiet(page)
    assert old not in cached_pages(page) | cached_pages(page, whole=False)
    line.cut()
    page.goto(board)
    assert marks(page) == (mark, mark)


def test_an_update_while_something_is_typed(phone: Phone, server: Server) -> None:
    """The page stays as it is, whatever another tab finds out; what is typed in it is written."""
    page = phone.open()
    board = begin(page)
    wait_until_quiet(page)
    page.goto(f"{board}/deal?mode=totals&bid=A:H")
    page.locator("#total_A").fill("90")
    server.restart_updated()
    other = phone.open("/en/rules")
    wait_until_quiet(other)
    assert marks(page) == ("", "")
    expect(page.locator("#total_A")).to_have_value("90")
    page.locator("#total_B").fill("72")
    page.locator("button[value=save]:visible").first.tap()
    expect(page).to_have_url(board)
    expect(page.locator(".board .total").first).to_have_text("90")


def test_a_worker_changes_without_a_reload(phone: Phone, server: Server) -> None:
    """A new worker takes over the pages that are open, and they stay where they are."""
    page = phone.open()
    page.goto("/en/new")
    page.evaluate("document.body.dataset.same = 'yes'")
    server.restart_updated(worker="// another one\n")
    page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.update())")
    page.wait_for_timeout(1000)
    expect(page.locator("body")).to_have_attribute("data-same", "yes")
    page.goto("/en/rules")
    wait_for_cached(page, f"{server.address}/en/rules")


def test_files_of_another_version_are_not_kept(distant_phone: Phone, line: Line, server: Server) -> None:
    """The server was updated between a page and its files: the page is not kept with what it got."""
    page = distant_phone.open()
    board = begin(page)
    wait_until_quiet(page)
    before = cached_pages(page)
    updates = iter([server.restart_updated])

    def update_before_the_style(_method: str, path: str) -> Fate:
        if path.endswith("/sheet.css"):
            for update in updates:
                update()
        return "arrives" if "/static/" in path or path.endswith("/sheet") else "is lost"

    line.fate = update_before_the_style
    page.goto(f"{board}/sheet")
    line.cut()
    wait_until_quiet(page)
    assert marks(page) == ("", "")
    assert list(updates) == []
    assert cached_pages(page) == before
    assert [item for item in cached(page) if item["url"].endswith("/sheet.css")] == []
