"""Strangers, another identity, servers that fail: no entry that waits is lost or goes astray."""

from typing import Any

from browsing import open_match
from device_storage import STORAGE, stored, wait_for
from evenings import begin, expect_all_sent, record, save, stop_forms, totals, type_deal
from line import Line
from phone import Phone, visit
from playwright.sync_api import Page, expect


def be_somebody_else(phone: Phone, page: Page) -> list[Any]:
    """The browser becomes another identity's; gives the cookie of the one before."""
    mine = phone.identity()
    phone.context.clear_cookies(name="companion-browser")
    page.request.get("/en/new")
    return mine


def test_an_answer_without_the_form_keeps_what_was_typed(phone: Phone, line: Line) -> None:
    """The match is gone: the server has nothing to show the deal on, so it stays in the phone, in view."""
    page = phone.open()
    match = begin(page)
    type_deal(page, match, "A", "90")
    gone = match[:-3] + ("xyz" if not match.endswith("xyz") else "zyx")
    page.evaluate("(to) => { document.getElementById('deal').action = to; }", f"{gone}/deal")
    save(page)
    expect(page.get_by_role("heading", name="Match not found")).to_be_visible()
    assert [item["state"] for item in stored(page, "waiting") if "90" in item["text"]] == ["refused"]


def wait_until_waiting(page: Page, text: str, state: str) -> None:
    """What is not shown to this browser: one entry with such a text waits in the phone, and how."""

    def states() -> list[str]:
        return [entry["state"] for entry in stored(page, "waiting") if text in entry["text"]]

    wait_for(page, lambda: states() == [state])


def test_a_page_of_the_identity_before_keeps_what_was_typed(phone: Phone, line: Line) -> None:
    """Its deal is refused to the new identity; it waits, and is written when the old one is back."""
    page = phone.open()
    match = begin(page)
    type_deal(page, match, "A", "90")
    mine = be_somebody_else(phone, page)
    save(page)
    wait_until_waiting(page, "90", "silent")
    phone.context.add_cookies(mine)
    visit(page, match)
    expect_all_sent(page)
    assert totals(page, match) == [90]


def test_what_was_saved_by_nobody_is_sent_by_whoever_that_becomes(phone: Phone, line: Line) -> None:
    """Saved before the browser had an identity, a ruling does not vanish with the first match."""
    page = phone.open("/en/ask/derda", controlled=False)
    assert page.locator("html").get_attribute("data-browser") == "nobody"
    page.evaluate(
        f"""async () => {{
  const {{ keep }} = await {STORAGE};
  const action = new URL("/en/ask/derda/count/keep", location).href, at = new Date().toISOString();
  const entry = {{ mark: "nobody", match: "", action, page: "/en/ask", fields: [], name: "A ruling" }};
  await keep("waiting", {{ ...entry, at, text: "", state: "silent" }});
}}"""
    )
    stop_forms(line)
    page.goto("/en/new")
    assert page.locator("html").get_attribute("data-browser") != "nobody"
    expect(page.locator("#waiting li")).to_have_count(1)


def test_a_link_sends_no_entry_to_another_match(phone: Phone, line: Line) -> None:
    """`#waiting=1` behind the address of another match of the same players."""
    page = phone.open()
    match = begin(page)
    other = open_match(page, "derda", ("Ala", "Olek"))
    stop_forms(line)
    record(page, match, "A", "90")
    [entry] = stored(page, "waiting")
    visit(page, f"{other}/deal?mode=totals#waiting={entry['id']}")
    expect(page.locator("#waiting")).to_be_hidden()
    page.wait_for_timeout(500)
    expect(page.locator("#deal[data-waiting]")).to_have_count(0)
    expect(page.locator("#total_A")).to_have_value("")


def test_an_entry_the_server_breaks_over_holds_only_its_match(page: Page) -> None:
    """The server answers one match with a fault of its own; what waits for another match is written."""
    first, second = open_match(page, "derda", ("Ewa", "Jan")), open_match(page, "derda", ("Ala", "Olek"))
    page.route(
        "**/deal", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    for match in (first, second):
        record(page, match, "A", "90")
    broken: Any = {"status": 500, "headers": {"X-Version": "1", "X-Browser": "x"}, "body": "broken"}
    page.route(
        f"{first}/deal",
        lambda route: route.fulfill(**broken) if route.request.method == "POST" else route.continue_(),
    )
    page.unroute("**/deal")
    page.goto(second)
    expect(page.locator("#waiting")).to_be_hidden(timeout=20_000)
    assert (totals(page, first), totals(page, second)) == ([], [90])


def test_the_storage_is_opened_again_when_the_browser_closed_it(page: Page) -> None:
    """All data of the site is deleted while its page is open: what is saved then is kept again."""
    match = begin(page)
    type_deal(page, match, "A", "90")
    session = page.context.new_cdp_session(page)
    origin = page.evaluate("location.origin")
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "indexeddb"})
    page.wait_for_timeout(300)
    page.context.set_offline(True)
    save(page)
    expect(page.locator("#unkept")).to_be_hidden()
    expect(page.locator("#waiting li")).to_have_count(1)
