"""What the outbox, kept pages and drafts look like: it fits, anybody can read it, and the focus is kept."""

from collections.abc import Callable

from browsing import Accessible, open_match, write_deal
from entries import HEARTS
from evenings import record, stop_forms
from fitting import LONG, PHONE, SMALL
from line import Line
from phone import Phone
from playwright.sync_api import FloatRect, Locator, Page, expect
from typed import wait_until_saved


def begin(page: Page, names: tuple[str, ...] = LONG[:2]) -> str:
    """A match of two with one deal; its board is open and kept."""
    match = open_match(page, "derda", names)
    write_deal(page, match, **HEARTS, total_A="90", total_B="72")
    page.goto(match)
    return match


def overtake(match: str, phone: Phone, line: Line, make_phone: Callable[..., Phone]) -> None:
    """Another phone of the same scorekeeper writes a deal, before the line is mended."""
    other = make_phone()
    other.context.add_cookies(phone.identity())
    there = match.replace(line.address, phone.server.address)
    write_deal(other.open(there), there, **HEARTS, total_A="92", total_B="70")
    line.mend()


def look(page: Page, accessible: Accessible) -> None:
    """Nothing for axe to complain about; nothing wider than a small screen, with larger text neither."""
    accessible(page)
    for screen, text in ((PHONE, 100), (SMALL, 100), (SMALL, 200)):
        page.set_viewport_size(screen)
        page.evaluate("size => { document.documentElement.style.fontSize = `${size}%`; }", text)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (screen, text)
        for part in ("#waiting", "#kept", ".draft-line", ".undone"):
            assert find_misfits_in(page, part) == [], (part, screen, text)
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(PHONE)


def find_misfits_in(page: Page, part: str) -> list[str]:
    """Buttons of a part that stick out of the screen, or are too small for a thumb."""
    found: list[str] = page.evaluate(_STICKING_OUT, part)
    return found


_STICKING_OUT = """part => [...document.querySelectorAll(part)].flatMap((box) => {
  return [...box.querySelectorAll("a, button, summary")].filter((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    return width && (left < 0 || right > innerWidth + 1 || height < 47.5 || width < 47.5);
  }).map((element) => element.outerHTML.slice(0, 120));
})"""


def place(target: Locator) -> FloatRect:
    """Where it is, on a page that has its style sheet."""
    target.page.wait_for_load_state()
    box = target.bounding_box()
    assert box is not None
    return box


def test_waiting_entries_leave_the_board_its_place(phone: Phone, line: Line, accessible: Accessible) -> None:
    """The totals stay where they are; the entry is in view below them. On other pages it is one line."""
    page = phone.open()
    match = begin(page, ("Ewa", "Jan"))
    page.set_viewport_size(PHONE)
    before = place(page.locator(".board .total").first)
    stop_forms(line)
    record(page, match, "A", "84")
    page.goto(match)
    waits = page.locator("#waiting li")
    expect(waits).to_contain_text("waiting for the network")
    assert place(page.locator(".board .total").first) == before
    dock = place(page.locator(".actions"))
    assert place(waits)["y"] + place(waits)["height"] <= dock["y"]
    look(page, accessible)
    for points in ("85", "86"):
        record(page, match, "A", points)
    page.goto(match)
    expect(waits).to_have_count(3)
    look(page, accessible)
    page.goto(f"{match}/history")
    expect(page.locator("#waiting [data-count]")).to_have_text("3")
    assert place(page.locator("#waiting"))["height"] < 60
    look(page, accessible)


def test_the_focus_stays_where_the_hand_was(phone: Phone, line: Line, accessible: Accessible) -> None:
    """Throwing away is asked about beside the button; afterwards one goes on at the list, or at the page."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    for points in ("84", "85"):
        record(page, match, "A", points)
    page.goto(match)
    focused = page.locator(":focus")
    for left in (1, 0):
        page.locator("#waiting li").first.get_by_role("button", name="Discard").press("Enter")
        expect(focused).to_have_text("No, keep it")
        look(page, accessible)
        page.evaluate("document.dispatchEvent(new Event('outbox:changed'))")  # it is tried again meanwhile
        expect(focused).to_have_text("No, keep it")
        page.locator("#waiting li").first.get_by_role("button", name="Yes, discard").press("Enter")
        expect(page.locator("#waiting li")).to_have_count(left)
        expect(focused).to_have_count(1)
        assert page.evaluate("document.activeElement.matches('#waiting summary, main')")
    expect(page.locator("#waiting")).to_be_hidden()


def test_what_was_overtaken_is_seen_at_once(
    phone: Phone, line: Line, make_phone: Callable[..., Phone], accessible: Accessible
) -> None:
    """The reason is in view and has the focus; the later ones say what they wait for, in one line."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    for points in ("84", "85"):
        record(page, match, "A", points)
    overtake(match, phone, line, make_phone)
    page.goto(match)
    lines = page.locator("#waiting li")
    expect(lines.first).to_contain_text("not saved: open it to see why")
    expect(lines.last).to_contain_text("waiting for the one above")
    expect(page.locator("#waiting summary")).to_contain_text("one was not saved")
    look(page, accessible)
    lines.first.get_by_role("link", name="Open").press("Enter")
    reason = page.locator("[role=alert]:visible")
    expect(reason).to_be_in_viewport(ratio=1)
    expect(reason).to_be_focused()
    expect(page.locator("#waiting li")).to_have_count(2)
    assert place(page.locator("#waiting"))["height"] < 90
    look(page, accessible)


def test_a_kept_board_and_one_that_is_not_kept(phone: Phone, line: Line, accessible: Accessible) -> None:
    """Their sentence and their buttons fit."""
    page = phone.open()
    match = begin(page)
    for address in (match, f"{match.partition('/m/')[0]}/offline"):
        phone.wait_until_saved(page, address)
    line.cut()
    page.goto(match)
    expect(page.locator("#kept")).to_be_visible()
    look(page, accessible)
    page.goto(f"{match}/entries/99")
    expect(page.get_by_role("heading", name="This page is not stored on this phone.")).to_be_visible()
    look(page, accessible)


def test_a_draft_that_was_taken_up(phone: Phone, accessible: Accessible) -> None:
    """Its line fits; *Start afresh* and *Put back* follow each other under the same finger."""
    page = phone.open()
    match = begin(page)
    page.goto(f"{match}/names")
    page.fill("[name=name-A]", "Ewelina")
    wait_until_saved(page, "#names")
    page.reload()
    look(page, accessible)
    for now, then in (("Start from scratch", "Put back"), ("Put back", "Start from scratch")):
        page.get_by_role("button", name=now).press("Enter")
        expect(page.get_by_role("button", name=then)).to_be_focused()
        look(page, accessible)
    expect(page.locator("[name=name-A]")).to_have_value("Ewelina")


def test_it_fits_in_other_words(phone: Phone, line: Line, accessible: Accessible) -> None:
    """The same in Polish, whose buttons are longer: an entry that waits, and a board that is kept."""
    page = phone.open("/pl/")
    match = begin(page)
    polish = match.replace("/en/", "/pl/")
    page.goto(polish)
    stop_forms(line)
    record(page, match, "A", "84")
    phone.wait_until_saved(page, polish)
    line.cut()
    page.goto(polish)
    expect(page.locator("#waiting li")).to_contain_text("czeka na sieć")
    expect(page.locator("#kept")).to_contain_text("Spróbuj ponownie")
    look(page, accessible)
