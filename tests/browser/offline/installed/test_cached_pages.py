"""Pages kept in the phone: shown with their age where there is no network, whole, and to nobody else."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from browsing import Accessible, begin, write_deal
from device_storage import cached, cached_addresses, wait_for_cached, wait_until_quiet
from fitting import SMALL, find_misfits
from line import Fate, Line
from phone import Phone, Server
from playwright.sync_api import expect

from companion.i18n import translator

STRIP = "#kept"

_COMES = """async (address) => {
  const until = Date.now() + 45_000; // a line that hangs does so for a minute
  while (!(await caches.match(address))) {
    if (Date.now() > until) throw new Error(`${address} is not kept`);
    await new Promise((go) => setTimeout(go, 100));
  }
}"""


def test_a_board_is_there_without_network(phone: Phone) -> None:
    """The board that was seen is shown with the time it is from, on the paper it was drawn on."""
    page = phone.open()
    board = begin(page)
    wait_for_cached(page, board)
    phone.set_offline(True)
    page.reload()
    expect(page.locator(STRIP)).to_have_text(re.compile(r"As of \d\d:\d\d, no network\.\s*Try again"))
    expect(page.locator(".board .names").first).to_have_text("Ewa")
    assert page.evaluate("getComputedStyle(document.body).display") == "flex"
    phone.set_offline(False)
    page.get_by_role("link", name="Try again").tap()
    expect(page.locator(STRIP)).to_be_hidden()
    expect(page.locator(".board")).to_be_visible()


@pytest.mark.profile
def test_a_dead_server_takes_nothing_away(phone: Phone, server: Server) -> None:
    """All that goes with a match is there, once its board was open, also after the browser was closed."""
    page = phone.open()
    board = begin(page)
    beside = ("deal", "more", "history", "names", "ask")
    for path in beside:
        wait_for_cached(page, f"{board}/{path}")
    server.stop()
    page = phone.restart(board)
    expect(page.locator(STRIP)).to_be_visible()
    for path in (*beside, "deal?bid=B:H", "deal?mode=totals"):
        page.goto(f"{board}/{path}")
        expect(page.locator(STRIP)).to_be_visible()
    page.goto("/en/")
    expect(page.locator(".resume")).to_contain_text("Ewa")


def test_who_plays_which_suit_is_tapped_without_network(distant_phone: Phone, line: Line) -> None:
    """A tap on the board chooses the suit on the form that is kept, and *Totals* asks for totals."""
    page = distant_phone.open()
    board = begin(page)
    wait_until_quiet(page)
    line.cut()
    page.goto(board)
    page.locator('.quick-row a[href*="bid=A:H"]').tap()
    expect(page.locator(STRIP)).to_be_visible()
    expect(page.locator('input[name="bid"][value="A:H"]')).to_be_checked()
    page.goto(board)
    page.get_by_role("link", name="Totals").tap()
    expect(page.locator("#total_A")).to_be_visible()


def test_a_page_that_was_never_seen(distant_phone: Phone, line: Line, accessible: Accessible) -> None:
    """What is not kept says so, with ways to what is; in the language of its address."""
    page = distant_phone.open()
    board = begin(page)
    wait_for_cached(page, f"{board}/history")
    line.cut()
    page.goto(f"{board}/entries/99")
    expect(page.locator("h1:visible")).to_have_text("This page is not stored on this phone.")
    expect(page.locator(STRIP)).to_be_hidden()
    accessible(page)
    page.get_by_role("link", name="Scoreboard").tap()
    expect(page).to_have_url(board)
    page.goto("/en/rules/derda?players=3")
    page.locator("main").get_by_role("link", name="Matches").tap()
    expect(page.locator(".resume")).to_be_visible()


@pytest.mark.parametrize("lang", ["pl", "uk"])
def test_a_phone_speaks_its_language_without_network(distant_phone: Phone, line: Line, lang: str) -> None:
    """Of what is kept and what is not, at addresses of another language and of none; one was read before."""
    page = distant_phone.open(f"/{'pl' if lang == 'en' else 'en'}/")
    page.locator(f"footer a[hreflang={lang}]").tap()
    expect(page.locator(f"html[lang={lang}]")).to_be_attached()
    board = begin(page, lang)
    wait_for_cached(page, f"{line.address}/{lang}/offline")
    wait_until_quiet(page)
    line.cut()
    page.goto(board)
    expect(page.locator(STRIP)).to_contain_text(translator(lang)("Try again"))
    missing = translator(lang)("This page is not stored on this phone.")
    id, other = board.rpartition("/m/")[2], "ru" if lang == "uk" else "uk"
    for address in (f"{line.address}/m/{id}", f"{line.address}/{other}/m/{id}", f"{board}/entries/99"):
        page.goto(address)
        expect(page.locator("h1:visible")).to_have_text(missing)
        expect(page.locator(f"html[lang={lang}]")).to_be_attached()
    page.locator("main").get_by_role("link", name=translator(lang)("Matches")).tap()
    expect(page.locator(".resume")).to_contain_text("Ewa")


def test_a_form_that_could_not_be_sent(distant_phone: Phone, line: Line) -> None:
    """A form that no script sends says that nothing arrived, and is still filled in when one goes back."""
    page = distant_phone.open()
    board = begin(page)
    wait_for_cached(page, board)
    page.goto(f"{board}/names")
    page.fill("#name-A", "Wawrzyniec")
    line.cut()
    page.evaluate("document.querySelector('main form[method=post]').submit()")
    expect(page.locator("h1:visible")).to_have_text("Nothing was sent.")
    page.go_back()
    expect(page.locator("#name-A")).to_have_value("Wawrzyniec")


def test_what_never_comes_does_not_stop_the_rest(distant_phone: Phone, line: Line) -> None:
    """A page that is fetched to be kept, and hangs, is left for another time; what comes after it is kept."""
    page = distant_phone.open()
    wait_until_quiet(page)
    hung: list[str] = []

    def hang_once(method: str, path: str) -> Fate:
        if path.endswith("/history") and not hung:
            hung.append(path)
        return "hangs" if hung == [path] else "arrives"

    line.fate = hang_once
    first, second = begin(page), begin(page)
    page.evaluate(_COMES, second)
    assert hung == [f"{urlsplit(first).path}/history"]


def test_a_proxy_without_a_server(distant_phone: Phone, line: Line, server: Server) -> None:
    """Where nothing is kept either, the app says so, not the proxy."""
    page = distant_phone.open()
    board = begin(page)
    wait_until_quiet(page)
    server.stop()
    page.goto(f"{board}/entries/99")
    expect(page.locator("h1:visible")).to_have_text("This page is not stored on this phone.")


def test_forms_are_new_after_every_entry(distant_phone: Phone, line: Line) -> None:
    """The form that is kept knows the log as it is now, and is another one each time it is opened."""
    page = distant_phone.open()
    board = begin(page)
    seen = []
    for number in (0, 1):
        if number:
            write_deal(page, board, bid="A:H", counting="totals", total_A="90", total_B="72")
            page.goto(board)
        wait_until_quiet(page)
        line.cut()
        for _time in range(2):
            page.goto(f"{board}/deal")
            expect(page.locator(STRIP)).to_be_visible()
            seen.append(page.locator("main [name=seq]").first.input_value())
            seen.append(page.locator("main [name=form_key]").first.input_value())
        line.mend()
        page.goto(board)
    assert seen[::2] == ["0", "0", "1", "1"]
    assert len({*seen[1::2]}) == 4


def test_a_watcher_keeps_nothing_of_a_match(make_phone: Callable[..., Phone], server: Server) -> None:
    """Only the phone that writes a match has it without network."""
    writer, watcher = make_phone(), make_phone()
    board = begin(writer.open())
    page = watcher.open(board)
    page.goto(f"{board}/history")
    page.goto("/en/rules")
    wait_for_cached(page, f"{server.address}/en/rules")
    assert [address for address in cached_addresses(page) if "/m/" in address] == []


def test_nobody_else_sees_them(distant_phone: Phone, line: Line) -> None:
    """As soon as the browser is somebody else's, what was kept is gone; also where it did not say so."""
    page = distant_phone.open()
    board = begin(page)
    wait_until_quiet(page)
    distant_phone.context.clear_cookies()
    page.goto("/en/rules")
    wait_for_cached(page, f"{line.address}/en/rules")
    assert [entry for entry in cached(page) if "/m/" in entry["url"]] == []
    wait_for_cached(page, f"{line.address}/en/offline")  # it says so in their place
    line.cut()
    page.goto(board)
    expect(page.locator("h1:visible")).to_have_text("This page is not stored on this phone.")
    expect(page.locator("body")).not_to_contain_text("Ewa")


def test_a_full_phone_is_no_mistake(distant_phone: Phone, line: Line) -> None:
    """Where nothing more fits, pages come from the network as ever, and what was kept is still whole."""
    page = distant_phone.open()
    board = begin(page)
    wait_until_quiet(page)
    session = distant_phone.context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": line.address, "quotaSize": 1000})
    for address in ("/en/rules/derda", "/en/rules/durak", board):
        page.goto(address)
        expect(page.locator("h1").first).to_be_attached()
    wait_until_quiet(page)
    assert f"{line.address}/en/rules/derda" not in cached_addresses(page)
    line.cut()
    page.goto(board)
    expect(page.locator(".board .names").first).to_have_text("Ewa")
    assert page.evaluate("getComputedStyle(document.body).display") == "flex"


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_the_strip_fits(make_phone: Callable[..., Phone], line: Line, lang: str) -> None:
    """On the smallest phone, with text as large as one likes, in both languages."""
    phone = make_phone(base_url=line.address, viewport=SMALL, screen=SMALL)
    page = phone.open(f"/{lang}/new")
    wait_for_cached(page, f"{line.address}/{lang}/new")
    line.cut()
    for size in ("100%", "200%"):
        page.goto(f"/{lang}/new")
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        expect(page.locator(STRIP)).to_be_visible()
        assert [
            misfit
            for misfit in find_misfits(page)
            if "network" in misfit or "Try" in misfit or "Spr" in misfit
        ] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
