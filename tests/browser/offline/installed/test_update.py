"""An update of the app: it replaces the one before as a whole, and disturbs nobody who is typing."""

from browsing import begin
from device_storage import cached, wait_for_cached, wait_until_quiet
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


_NOTE_CHANGE = """() => navigator.serviceWorker.addEventListener("controllerchange", () => {
  document.body.dataset.changed = "yes";
})"""


def test_a_worker_changes_without_a_reload(phone: Phone, server: Server) -> None:
    """A new worker takes over the pages that are open, and they stay where they are."""
    page = phone.open()
    page.goto("/en/new")
    page.evaluate(_NOTE_CHANGE)
    server.restart_updated(worker="// another one\n")
    page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.update())")
    expect(page.locator("body[data-changed]")).to_be_attached()
    wait_until_quiet(page)
    expect(page.locator("body")).to_have_attribute("data-changed", "yes")
    page.goto("/en/rules")
    wait_for_cached(page, f"{server.address}/en/rules")
