"""Two phones at one table: one joins by a link, and loses the pencil while it types."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from browsing import BOARD, NAMES, Accessible, begin, write_deal
from fitting import LONG, SIDEWAYS, SMALL, find_misfits
from playwright.sync_api import Page, expect
from thumb import Thumb
from typed import drafts, expect_taken_up, wait_until_saved

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1"
REFUSED = "This phone does not have the pencil. It may have been taken back."


@dataclass(frozen=True)
class Table:
    """A match with one deal, the phone it began on, and another one with nothing in it."""

    ewa: Page
    jan: Page
    match: str

    def invite(self, as_what: str = "opponent:B") -> str:
        """Make a link on Ewa's phone, and give what stands in it."""
        self.ewa.goto(f"{self.match}/phones")
        self.ewa.locator(f'button[value="{as_what}"]').tap()
        return self.ewa.locator("#address").input_value()

    def seat_jan(self, as_what: str = "opponent:B") -> None:
        """Let Jan join."""
        self.jan.goto(self.invite(as_what))
        self.jan.locator(".actions .primary").tap()
        expect(self.jan).to_have_url(BOARD)


@pytest.fixture
def table(other_phone: Callable[..., Page]) -> Table:
    """Ewa keeps the score, Jan sits opposite."""
    ewa, jan = other_phone(), other_phone(user_agent=IPHONE)
    match = begin(ewa)
    write_deal(ewa, match, bid="A:H", counting="totals", total_A="90", total_B="72")
    ewa.goto(match)
    return Table(ewa, jan, match)


def test_an_opponent_joins_in_three_taps(table: Table, accessible: Accessible) -> None:
    """Scanned, asked, joined: the board says whose phone it is, and the match stands in its list."""
    link = table.invite()
    expect(table.ewa.locator(".shown img")).to_be_visible()
    accessible(table.ewa)
    thumb = Thumb(table.jan)
    table.jan.goto(link)
    accessible(table.jan)
    assert find_misfits(table.jan) == []
    thumb.tap(table.jan.locator(".actions .primary"))
    expect(table.jan.locator(".part")).to_contain_text("This phone speaks for Jan")
    assert thumb.taps + 1 <= 3, "and one that opens what was scanned"
    accessible(table.jan)
    table.jan.goto("/en/")
    expect(table.jan.locator(".resume")).to_contain_text("opponent (Jan)")
    accessible(table.jan)
    table.jan.locator(".resume").tap()
    expect(table.jan).to_have_url(table.match)
    table.ewa.goto(f"{table.match}/phones")
    expect(table.ewa.locator("body")).to_contain_text("iPhone, Safari")
    table.ewa.locator(".asked-first summary").first.tap()
    accessible(table.ewa)


def test_the_code_in_view_notices_who_joined(table: Table) -> None:
    """The page that shows it says who came with no tap; while a question is open it waits."""
    question = table.ewa.locator("#joined-phones .asked-first")
    for as_what in ("opponent:B", "pencil"):
        link = table.invite(as_what)
        if as_what == "pencil":
            question.locator("summary").tap()
        asked = table.jan.context.request.get(link)
        token = re.search(r'name="csrf_token" value="([^"]+)"', asked.text())
        assert token is not None
        with table.ewa.expect_response(lambda answer: answer.status == 200 and "phones?link=" in answer.url):
            table.jan.context.request.post(asked.url, form={"csrf_token": token[1]})
        if as_what == "pencil":
            expect(question.locator("button")).to_be_visible()
            expect(table.ewa.locator("#came")).to_be_empty()
            question.locator("summary").tap()
        expect(table.ewa.locator("#came [role=status]")).to_contain_text("iPhone, Safari")
        expect(table.ewa.locator("#joined-phones li")).to_have_count(1)
        expect(table.ewa.locator(".shown")).to_be_visible()


def test_revoked_while_the_other_types(table: Table, accessible: Accessible) -> None:
    """The sentence says it, all that was typed stands there and in the phone; with the pencil it is saved."""
    table.seat_jan("pencil")
    table.jan.goto(f"{table.match}/deal?mode=totals&bid=B:S")
    table.jan.fill("[name=total_A]", "31")
    table.jan.fill("[name=total_B]", "131")
    stands = wait_until_saved(table.jan, "#deal")

    table.ewa.goto(f"{table.match}/phones")
    table.ewa.locator(".phone-list").first.locator("form").first.locator("button").tap()
    expect(table.ewa.get_by_role("status").first).to_be_visible()

    for _time in range(2):
        save(table.jan)
        note = table.jan.locator("#refused")
        expect(note).to_contain_text(REFUSED)
        expect(note).to_contain_text("What you typed is still here.")
        expect(note).to_be_focused()
        expect(note).to_be_in_viewport(ratio=1)
        expect(table.jan.locator("#waiting")).to_be_hidden()
        expect(table.jan.locator("[name=total_A]")).to_have_value("31")
        expect(table.jan.locator("[name=total_B]")).to_have_value("131")
    accessible(table.jan)
    assert len(drafts(table.jan)) == 1
    table.jan.reload()
    expect(table.jan.locator("h1")).to_have_text(REFUSED.split(".")[0])

    table.ewa.goto(f"{table.match}/phones")
    table.ewa.locator("form", has=table.ewa.locator("[name=give]")).locator("button").tap()
    expect(table.ewa.locator(".part")).to_be_visible()
    table.jan.goto(f"{table.match}/deal")
    expect_taken_up(table.jan, "#deal", stands)
    save(table.jan)
    expect(table.jan).to_have_url(table.match)
    expect(table.jan.locator(".board .total")).to_have_text(["121", "203"])
    assert drafts(table.jan) == []


def test_the_code_on_a_phone_on_its_side(other_phone: Callable[..., Page]) -> None:
    """All of it is in view, or no camera reads it."""
    phone = other_phone(viewport=SIDEWAYS, screen=SIDEWAYS)
    match = begin(phone)
    Table(phone, phone, match).invite()
    phone.wait_for_load_state()
    code, bar = phone.locator(".shown img").bounding_box(), phone.locator(".actions").bounding_box()
    assert code is not None and bar is not None
    assert code["y"] >= 0 and code["y"] + code["height"] <= bar["y"]
    assert code["width"] >= 180
    assert find_misfits(phone) == []


def test_the_link_is_copied(table: Table) -> None:
    """One tap puts the address into the clipboard, and says so."""
    table.ewa.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = table.invite()
    table.ewa.locator("[data-copy]").tap()
    expect(table.ewa.locator("[data-copy]")).to_have_text("Copied")
    assert table.ewa.evaluate("navigator.clipboard.readText()") == link


def test_the_share_sheet_of_the_phone(other_phone: Callable[..., Page]) -> None:
    """Where the phone has one it is offered, with the players as its title; elsewhere it is not."""
    phone = other_phone()
    match = begin(phone)
    table = Table(phone, phone, match)
    table.invite()
    expect(phone.locator("[data-share]")).to_be_hidden()
    phone.add_init_script("navigator.share = (what) => { window.shared = what; return Promise.resolve(); }")
    link = table.invite()
    phone.locator("[data-share]").tap()
    assert phone.evaluate("window.shared") == {"title": " – ".join(NAMES), "url": link}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "pl"])
def test_long_names_on_a_small_phone(
    other_phone: Callable[..., Page], accessible: Accessible, lang: str, scheme: str
) -> None:
    """Every page about the phones at 320 × 640, on paper and on slate."""
    small = {"viewport": SMALL, "screen": SMALL, "color_scheme": scheme}
    ewa, jan = other_phone(**small), other_phone(**small)
    match = begin(ewa, lang, LONG[:2])
    table = Table(ewa, jan, match)
    pages = [ewa, jan]
    table.seat_jan("pencil")
    expect(jan.locator(".part")).to_be_visible()
    for address in (match, f"{match}/phones"):
        for page in pages:
            page.goto(address)
            assert find_misfits(page) == []
            accessible(page)
    path = table.invite()
    assert find_misfits(ewa) == []
    stranger = other_phone(**small)
    stranger.goto(path)
    assert find_misfits(stranger) == []
    accessible(stranger)
    stranger.goto(f"/{lang}/join/nothing")
    assert find_misfits(stranger) == []


def save(page: Page) -> None:
    """Tap Save, wherever it stands, and wait for what comes of it."""
    with page.expect_response(
        lambda answer: answer.request.method == "POST" and answer.url.endswith("/deal")
    ):
        page.locator(".numkeys .primary, .dock-buttons .primary").locator("visible=true").first.tap()
