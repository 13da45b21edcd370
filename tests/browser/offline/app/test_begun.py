"""What is written at the server is in the phone a moment later: the network may go right after it."""

import re
from urllib.parse import urlsplit

from device_storage import wait_for
from offline_app import LONG, begin, heard_of, matches_ahead, open_page, record_deal
from phone import Server
from playwright.sync_api import Page, expect

_SEND = """async ([page, fields]) => {
  const text = await (await fetch(page)).text(), read = new DOMParser().parseFromString(text, "text/html");
  const form = [...read.forms].find((element) => element.method === "post" && element.elements["name-A"]);
  const sent = new FormData(form);
  for (const [name, value] of Object.entries(fields)) sent.set(name, value);
  const answer = await fetch(page.split("?")[0], {
    method: "POST", headers: { "X-Script": "1" }, body: new URLSearchParams([...sent]),
  });
  return (await answer.json()).to;
}"""
_PREVIEW = """async () => {
  const form = document.querySelector("form#deal"), fields = new FormData(form);
  const typed = { bid: "A:H", counting: "totals", total_A: "82", total_B: "80" };
  for (const [name, value] of Object.entries(typed)) fields.set(name, value);
  return (await fetch(form.dataset.preview, { method: "POST", body: fields })).status;
}"""


def begin_unseen(page: Page, *names: str) -> str:
    """Begin a match of which no page is opened afterwards; its address."""
    typed = {f"name-{seat}": name for seat, name in zip("AB", names, strict=True)} | {"dealer": "A"}
    place: str = page.evaluate(_SEND, ["/en/new?game=derda", typed])
    return urlsplit(place).path


def id_of(match: str) -> str:
    found = re.search(r"/m/([\w-]{22})", match)
    assert found, match
    return found[1]


def test_a_match_begun_at_the_server_is_here_at_once(page: Page, server: Server) -> None:
    """Before any page of it was opened; without network it goes on."""
    server.start()
    page.goto("/en/")
    for names in (("Ewa", "Jan"), ("Ola", "Tomek")):  # the news come twice within a minute
        match = begin_unseen(page, *names)
        wait_for(page, lambda: id_of(match) in heard_of(page))  # noqa: B023
    server.stop()
    open_page(page, match)
    expect(page.locator("main")).to_contain_text("Tomek")
    record_deal(page, match, 90)
    expect(page.locator(".board .total").first).to_have_text("90")


def test_before_the_news_have_come_it_is_not_said_to_be_nowhere(page: Page, server: Server) -> None:
    """The phone knows of a match by the answer to its form: without a network it waits for the rest."""
    server.start()
    page.goto("/en/")
    page.context.route("**/api/v1/pocket", lambda route: route.abort())
    match = begin_unseen(page, "Ala", "Olek")
    page.context.unroute("**/api/v1/pocket")
    assert id_of(match) in matches_ahead(page) or id_of(match) in heard_of(page)
    server.stop()
    page.goto(match, timeout=LONG)
    expect(page.locator("h1:visible")).not_to_contain_text("Match not found")


def test_what_writes_nothing_leaves_the_phone_as_it_is(page: Page, server: Server) -> None:
    """A preview is no entry: the server has no more than before, and without it the form goes on."""
    server.start()
    match = begin(page, "derda", ("Zosia", "Adam"))
    wait_for(page, lambda: id_of(match) in heard_of(page))
    page.goto(f"{match}/deal?mode=totals")
    assert page.evaluate(_PREVIEW) == 200
    assert id_of(match) not in matches_ahead(page)
    server.stop()
    record_deal(page, match, 100)
    expect(page.locator(".board .total").first).to_have_text("100")
