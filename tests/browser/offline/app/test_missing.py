"""A phone whose browser has deleted files of the program, and not what it had recorded."""

from device_storage import wait_for
from offline_app import LONG, begin, open_page, record_deal, snapshot_size, status, stop_worker
from phone import Phone, Server
from playwright.sync_api import Page, expect

DELETE = """async () => {
  for (const name of await caches.keys()) if (name.startsWith("pocket:")) await caches.delete(name);
}"""

HERE = """async () => {
  const [name] = (await caches.keys()).filter((name) => name.startsWith("pocket:"));
  return (await (await caches.open(name)).keys()).some(({ url }) => url.endsWith("/app.zip"));
}"""


def lose_files(page: Page, phone: Phone) -> None:
    """The browser deletes them, and has ended the worker, as it does after a while."""
    page.evaluate(DELETE)
    stop_worker(phone, page)


def test_what_is_unsent_is_sent_and_the_files_come_again(
    page: Page, app_phone: Phone, server: Server
) -> None:
    """By itself, with the first page that is opened when the server is back; then all is as before."""
    server.stop()
    match = begin(page, "derda", ("Ewa", "Jan"))
    record_deal(page, match, 90)
    lose_files(page, app_phone)
    server.start()
    page.goto(match, timeout=LONG)
    wait_for(page, lambda: status(page)["unsent"] == 0)
    page.goto(match, timeout=LONG)
    expect(page.locator(".board .total").first).to_have_text("90")
    wait_for(page, lambda: bool(status(page)["ready"]))
    wait_for(page, lambda: snapshot_size(page) > 20_000_000)
    server.stop()
    open_page(page, match)
    record_deal(page, match, 80)
    server.start()
    wait_for(page, lambda: status(page, "deliver")["unsent"] == 0)
    assert len(page.request.get(f"{match}/record.json").json()["entries"]) == 2


def test_the_page_of_the_program_waits_for_them(page: Page, app_phone: Phone, server: Server) -> None:
    """Without a tap; *ready* is said when they are there, and not before."""
    server.start()
    page.goto("/en/rules")
    lose_files(page, app_phone)
    page.goto("/en/pocket", timeout=LONG)
    expect(page.locator("h2:visible")).to_have_text("Ready", timeout=LONG)
    assert status(page)["missing"] == 0
    assert page.evaluate(HERE)
