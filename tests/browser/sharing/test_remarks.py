"""Two phones at a table, and one turned round: what is agreed to and doubted, in how many taps."""

import re
from collections.abc import Callable

import pytest
from browsing import BOARD, PHONE, Accessible, begin, open_match, write_deal
from entries import write_hand
from fitting import find_misfits
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

SOON = 10_000
"""Milliseconds in which one phone shows what another one said, on a busy machine."""
HEARTS = {"bid": "A:H", "counting": "totals", "total_A": "97", "total_B": "65"}
SPADES = {"bid": "B:S", "counting": "totals", "total_A": "60", "total_B": "102"}

Sit = Callable[..., Page]


@pytest.fixture
def sit_down(page: Page, join: Callable[..., Page]) -> Sit:
    """A second phone at a table, which joined as the opponent of a side; both show the board."""

    def make(match: str, side: str = "B") -> Page:
        phone = join(page, match, f"opponent:{side}")
        page.goto(match)
        return phone

    return make


def is_board(page: Page) -> None:
    expect(page).to_have_url(BOARD)


def agree(page: Page, name: str = "Agree") -> None:
    """One tap."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).first.click()
    is_board(page)


def test_agree_in_one_tap_and_again_after_a_correction(page: Page, sit_down: Sit) -> None:
    """The tick arrives on the other phone; a correction takes it back on both, and one tap gives it again."""
    match = begin(page)
    write_deal(page, match, **HEARTS)
    jan = sit_down(match)
    page.goto(match)
    expect(jan.locator(".agreeing-what")).to_have_text("Deal 1: 97:65")
    agree(jan)
    expect(jan.locator(".agreeing")).to_have_count(0)
    expect(page.locator(".entries .agreed")).to_have_count(1, timeout=SOON)
    page.goto(f"{match}/entries/1?edit=1")
    expect(page.locator("main")).to_contain_text(
        "Jan has agreed to it as it stands; if you change it, that agreement"
    )
    page.fill("[name=total_A]", "99")
    page.fill("[name=total_B]", "63")
    page.get_by_role("button", name=re.compile("^(Save|Save deal)$")).locator("visible=true").last.click()
    expect(page.locator(".notice").first).to_have_text(
        "Deal 1 is no longer agreed: Jan agreed to the earlier version."
    )
    changed = jan.locator(".changed-agreement")
    expect(changed).to_contain_text("Deal 1 was changed after Jan agreed: 97:65 → 99:63", timeout=SOON)
    expect(jan.locator(".entries .agreed")).to_have_count(0)
    agree(jan, "Agree again")
    expect(changed).to_have_count(0)
    page.goto(match)
    expect(page.locator(".entries .agreed")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".entries .agreed")).to_have_count(0)  # what was agreed to last is gone again


def test_a_second_tap_agrees_to_nothing_else(page: Page, sit_down: Sit) -> None:
    """Where the first tap was, the board then asks about the deal before; for a moment it takes no tap."""
    match = begin(page)
    write_deal(page, match, **HEARTS)
    write_deal(page, match, **SPADES)
    jan = sit_down(match)
    box = jan.get_by_role("button", name="Agree", exact=True).bounding_box()
    assert box is not None
    agree(jan)
    jan.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    jan.wait_for_timeout(300)
    expect(jan.locator(".agreeing-what")).to_have_text("Deal 1: 97:65")
    expect(jan.locator(".entries .agreed")).to_have_count(1)


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_object_in_three_taps(page: Page, sit_down: Sit, accessible: Accessible, lang: str) -> None:
    """It is in view on both phones with all that was said, and gone from both once it is withdrawn."""
    match = begin(page, lang, names=("Konstantynopolitańczykiewiczówna", "Wawrzyniec"))
    write_deal(page, match, **HEARTS)
    jan = sit_down(match)
    page.goto(match)
    jan.locator(".agreeing a.btn").click()
    jan.locator("label.choice").first.click()
    assert not find_misfits(jan)
    accessible(jan)
    jan.locator(".actions .primary").click()
    is_board(jan)
    for phone in (jan, page):
        expect(phone.locator(".doubts")).to_be_visible(timeout=SOON)
        expect(phone.locator(".doubted-line")).to_be_in_viewport()
        expect(phone.locator(".entries .doubted")).to_have_count(1)
        phone.goto(match)
        assert not find_misfits(phone)
        accessible(phone)
    for phone in (jan, page):
        phone.goto(f"{match}/entries/1")
        assert not find_misfits(phone)
        accessible(phone)
    jan.goto(match)
    page.goto(match)
    with jan.expect_navigation():
        jan.locator(".doubts form button").click()
    expect(jan.locator(".doubts")).to_have_count(0)
    expect(page.locator(".doubts, .doubted-line, .doubted")).to_have_count(0, timeout=SOON)


def test_what_is_missing_is_said_and_nothing_is_lost(page: Page, sit_down: Sit) -> None:
    """An objection without a reason, or with one side's figures; what was not sent is taken up again."""
    match = begin(page)
    write_deal(page, match, **HEARTS)
    jan = sit_down(match)
    jan.goto(f"{match}/entries/1/object")
    jan.fill("#text", "the king fell")
    jan.fill("#total_A", "80")
    jan.locator(".actions .primary").click()
    expect(jan.locator(".error").first).to_have_text("Tap what is wrong.")
    expect(jan.locator("#total_B-error")).to_have_text("Fill in every side, or none.")
    expect(jan.locator("#text")).to_have_value("the king fell")
    jan.goto(match)
    jan.locator(".agreeing a.btn").click()
    expect(jan.locator("#text")).to_have_value("the king fell")
    jan.fill("#total_B", "82")
    jan.locator("label.choice").first.click()
    jan.locator(".actions .primary").click()
    is_board(jan)
    expect(jan.locator(".doubts")).to_contain_text("should be 80:82, “the king fell”")


def test_an_objection_waits_for_the_network(page: Page, sit_down: Sit) -> None:
    """Said without network it lies in the phone, and is there once the network is."""
    match = begin(page)
    write_deal(page, match, **HEARTS)
    jan = sit_down(match)
    jan.locator(".agreeing a.btn").click()
    jan.locator("label.choice").nth(1).click()
    jan.context.set_offline(True)
    jan.locator(".actions .primary").click()
    expect(jan.locator("#waiting")).to_contain_text("Deal 1: objection", timeout=SOON)
    jan.context.set_offline(False)
    jan.goto(match)
    expect(jan.locator(".doubts")).to_contain_text("Wrong runs", timeout=SOON)


def test_a_ruling_settles_it(page: Page, sit_down: Sit, accessible: Accessible) -> None:
    """The question opens filled in, the objector attaches the answer, and both phones are quiet again."""
    match = begin(page)
    write_deal(page, match, **HEARTS)
    write_deal(page, match, **SPADES)
    jan = sit_down(match)
    jan.goto(f"{match}/entries/1/object")
    jan.locator("label.choice").first.click()
    jan.locator(".actions .primary").click()
    is_board(jan)
    page.goto(match)
    jan.get_by_role("link", name="Ask for a ruling").click()
    expect(jan.locator('[name="made.A"]')).to_have_value("97")
    jan.locator(".actions [name=asked]").click()
    jan.get_by_role("button", name="Attach to the match").click()
    expect(jan.locator("main")).to_contain_text("That settles the objection.")
    expect(page.locator(".doubts")).to_have_count(0, timeout=SOON)
    page.goto(f"{match}/entries/1")
    expect(page.locator(".remarks")).to_contain_text("Settled: a ruling was attached")
    accessible(page)


def test_correcting_settles_it(page: Page, sit_down: Sit, accessible: Accessible) -> None:
    """The objection stands above the form that corrects the deal, figures and all."""
    match = begin(page)
    write_deal(page, match, **HEARTS)
    jan = sit_down(match)
    jan.goto(f"{match}/entries/1/object")
    jan.locator("label.choice").first.click()
    jan.fill("#total_A", "80")
    jan.fill("#total_B", "82")
    jan.locator(".actions .primary").click()
    is_board(jan)
    page.goto(match)
    page.get_by_role("link", name="Correct").click()
    expect(page.locator(".objected")).to_contain_text("Deal 1: Jan objected – wrong count; should be 80:82")
    accessible(page)
    page.fill("[name=total_A]", "80")
    page.fill("[name=total_B]", "82")
    page.get_by_role("button", name=re.compile("^(Save|Save deal)$")).locator("visible=true").last.click()
    expect(page.locator(".remarks")).to_contain_text("Settled: Deal 1: 97:65 → 80:82")
    expect(jan.locator(".doubts")).to_have_count(0, timeout=SOON)


def test_a_session_of_four(page: Page, sit_down: Sit, accessible: Accessible) -> None:
    """Hands are agreed to and doubted like deals, without runs and figures."""
    match = open_match(page, "durak", ("Ewa", "Jan", "Wawrzyniec", "Ola"), table="4")
    write_hand(page, match, "A")
    ola = sit_down(match, "D")
    expect(ola.locator(".agreeing-what")).to_have_text("Hand 1: Ewa is the fool")
    ola.locator(".agreeing a.btn").click()
    expect(ola.locator("label.choice")).to_have_text(
        ["It ended differently", "Wrong trumps", "A wrong card was played", "Something else"]
    )
    expect(ola.locator(".figures")).to_have_count(0)
    ola.locator("label.choice", has_text="A wrong card").click()
    ola.locator(".actions .primary").click()
    is_board(ola)
    page.goto(match)
    expect(page.locator(".doubts")).to_contain_text("A wrong card was played, says Ola")
    accessible(page)
    page.get_by_role("link", name="Ask for a ruling").click()
    expect(page).to_have_url(re.compile(r"/ask/bout\?entry=1&objection=2"))


def test_with_one_phone_only(page: Page, accessible: Accessible) -> None:
    """On the entry's page the phone is turned to those opposite; the history says on whose phone it was."""
    match = begin(page)
    write_deal(page, match, **HEARTS)
    page.goto(f"{match}/entries/1")
    page.get_by_text("Agreed?").click()
    jan = page.locator(".agreed-turned .agreeing", has_text="Jan")
    with page.expect_navigation():
        jan.get_by_role("button", name="Agree").click()
    expect(page.locator(".remarks")).to_contain_text("Deal 1: Jan agreed (on the scorekeeper’s phone)")
    page.get_by_text("Agreed?").click()
    accessible(page)
    page.locator(".agreed-turned .agreeing", has_text="Ewa").get_by_role("link", name="Object").click()
    expect(page.locator("input[name=side][value=A]")).to_be_checked()
    page.locator("label.choice", has_text="Something else").click()
    page.locator(".actions .primary").click()
    expect(page).to_have_url(re.compile(r"/entries/1$"))
    expect(page.locator(".remarks")).to_contain_text("Something else, says Ewa")
