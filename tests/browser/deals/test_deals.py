"""Recording deals on a phone: faster than the pencil, by the tap; seen before it is saved."""

import pytest
from browsing import PHONE, Accessible, begin, choice, open_match, write_deal
from playwright.sync_api import Page, expect
from thumb import Thumb

pytestmark = pytest.mark.browser_context_args(**PHONE)


LONG_NAMES = ("Maximiliane", "Wawrzyniec", "Bartholomäus", "Konstantinos")


def saved(page: Page, match: str, *expected: str) -> None:
    """The board is back, with these totals."""
    expect(page).to_have_url(match)
    for place, total in enumerate(expected):
        expect(page.locator(".board .total").nth(place)).to_have_text(total)


def test_two_totals_in_seven_taps(page: Page) -> None:
    """Who plays which suit, on the board; two digits, Next, two digits, Save: the pad is open."""
    match = begin(page)
    for _time in ("the first", "the next"):
        thumb = Thumb(page)
        thumb.button("Ewa plays spades")
        thumb.numbers("82", "65")
        expect(page.locator("#comes-to")).to_contain_text("Ewa makes it")
        thumb.button("Save deal")
        expect(page).to_have_url(match)
        assert thumb.taps <= 7
    thumb = Thumb(page)
    thumb.button("Record deal")  # the way that was used last is found again
    thumb.choose("bid", "B:H")
    thumb.numbers("82", "65")
    expect(page.locator("#comes-to")).to_contain_text("Jan: bajt, 65 to 82")
    thumb.button("Save deal")
    saved(page, match, "311", "130")
    assert thumb.taps <= 8


@pytest.mark.parametrize("game", ["belote", "bela"])
def test_what_tricks_bring_in_five_taps(page: Page, game: str) -> None:
    """Of four: the suit on the board, the points of one side, Save; the other has the rest."""
    match, thumb = open_match(page, game, ("Ewa", "Jan", "Ola", "Piotr")), Thumb(page)
    page.goto(match)
    thumb.button("Ewa plays hearts")
    thumb.numbers("104")
    expect(page.locator("#points_B")).to_have_value("58")
    thumb.button("Save deal")
    saved(page, match, "104", "58")
    assert thumb.taps <= 5


def test_whether_it_was_a_capot_is_asked_in_view(page: Page, accessible: Accessible) -> None:
    """All points to one side: on the smallest screen too it stands above the pad, and is one more tap."""
    page.set_viewport_size({"width": 320, "height": 640})
    match, thumb = open_match(page, "belote", LONG_NAMES), Thumb(page)
    page.goto(f"{match}/deal?bid=A:H")
    thumb.numbers("162")
    question = page.get_by_role("radiogroup", name="Did Wawrzyniec & Konstantinos take a trick?")
    expect(question).to_be_visible()
    box, score, pad = (
        found.bounding_box() for found in (question, page.locator(".score"), page.locator(".numkeys"))
    )
    assert box and score and pad
    assert score["y"] + score["height"] <= box["y"] and box["y"] + box["height"] <= pad["y"]
    assert pad["y"] + pad["height"] <= 640
    accessible(page)
    thumb.tap(question.locator(".choice:visible", has_text="None"))
    expect(page.locator("#comes-to")).to_contain_text("252 to 0")
    thumb.button("Save deal")
    saved(page, match, "252", "0")
    assert thumb.taps <= 5


def test_a_bid_and_two_totals_in_nine_taps(page: Page) -> None:
    """At a table of Coinche: the suit on the board, what was bid, both totals, Save."""
    match, thumb = open_match(page, "coinche", ("Ewa", "Jan", "Ola", "Piotr")), Thumb(page)
    page.goto(match)
    thumb.button("Ewa plays hearts")
    thumb.choose("bid_points", "100")
    thumb.numbers("112", "50")
    expect(page.locator("#comes-to")).to_contain_text("Ewa & Ola make 100")
    thumb.button("Save deal")
    saved(page, match, "210", "50")
    assert thumb.taps <= 9


@pytest.mark.parametrize(
    ("game", "preset", "ending"), [("deberts", "deberc-rules", "four-sevens-B"), ("bela", "", "misdeal-B")]
)
def test_how_a_deal_ended_is_in_view_for_correction(page: Page, game: str, preset: str, ending: str) -> None:
    """The choice that is checked can be seen, folded away or not; nothing that belongs to a play can."""
    match = open_match(page, game, ("Ewa", "Jan", "Ola", "Piotr"), preset=preset)
    write_deal(page, match, bid=ending)
    page.goto(f"{match}/entries/1?edit=1")
    expect(page.locator(f'[name="bid"][value="{ending}"]')).to_be_checked()
    expect(choice(page, "bid", ending)).to_be_visible()
    expect(page.locator(".counting")).to_be_hidden()


def test_a_keyboard_does_it_too(page: Page) -> None:
    """Everything can be reached and said by keys alone; Enter goes from number to number, then saves."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals")
    page.locator('[name="bid"][value="A:H"]').focus()
    page.keyboard.press("Space")
    page.locator("#total_A").focus()
    page.keyboard.type("40+42")
    expect(page.locator("output[for=total_A]")).to_have_text("= 82")
    page.keyboard.press("Enter")
    page.keyboard.type("65")
    expect(page.locator("#comes-to")).to_contain_text("82 to 65")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Save deal")).to_be_focused()
    page.keyboard.press("Enter")
    saved(page, match, "82", "65")


def test_a_keyboard_goes_from_the_suit_to_the_numbers(page: Page) -> None:
    """On a computer: a click on the suit, two numbers and Enter; the suit stands alone and can be changed."""
    match = begin(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{match}/deal?mode=totals")
    choice(page, "bid", "B:H").click()
    expect(page.locator(".ends")).to_be_hidden()
    page.locator("#change").check(force=True)
    choice(page, "bid", "A:S").click()
    expect(page.locator(".plays-row .choice:visible")).to_have_text(["Ewa plays spades"])
    page.keyboard.type("90")
    page.keyboard.press("Tab")
    page.keyboard.type("50")
    expect(page.locator(".becomes")).to_have_text(["90", "50"])
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    saved(page, match, "90", "50")


def test_what_cannot_be_is_said_once(page: Page, accessible: Accessible) -> None:
    """An impossible count is named once, while it is typed and when it is sent; its fields are framed."""
    match, thumb = begin(page), Thumb(page)
    page.goto(f"{match}/deal?mode=totals")
    thumb.choose("bid", "A:H")
    thumb.numbers("201", "99")
    for line in ("300 together is not possible", "Not saved. 300 together is not possible"):
        expect(page.locator("#comes-to")).to_contain_text(line)
        expect(page.locator("#total_A")).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_text("300 together is not possible")).to_have_count(1)
        if not line.startswith("Not"):
            thumb.button("Save deal")
    accessible(page)
    expect(page.locator("#total_A")).to_have_value("201")
    page.fill("#total_A", "101")
    expect(page.locator("#total_A")).to_have_attribute("aria-invalid", "false")
    thumb.button("Save deal")
    saved(page, match, "101", "99")


def test_the_bidding_is_tapped_call_by_call(page: Page) -> None:
    """Each call is one tap, without loading the page anew; the bidding waits on the board for the count."""
    match, thumb = begin(page), Thumb(page)
    page.goto(f"{match}/deal")
    page.evaluate("window.same = true")
    thumb.step("way:calls")
    thumb.step("turn:9H")
    expect(page.locator(".speaks")).to_have_text("Jan speaks")
    thumb.step("call:pass")
    thumb.step("call:ask")
    expect(page.locator(".legal button")).to_have_text(["once", "twice", "Take back"])
    thumb.step("call:once")
    expect(page.locator(".speaks")).to_have_text("Ewa plays ♥.")
    assert page.evaluate("window.same") is True
    thumb.button("Save for later")
    expect(page).to_have_url(match)
    thumb.button("Continue the deal")
    expect(page.locator(".calls li")).to_have_count(3)
    thumb.step("counting:totals")
    page.locator("#total_A").tap()
    thumb.numbers("82", "65")
    thumb.button("Save deal")
    saved(page, match, "82", "65")


def test_cards_are_tapped_trick_by_trick(page: Page) -> None:
    """The whole pad is on the screen, no quick tap is lost, an illegal card is pointed out."""
    match, thumb = begin(page), Thumb(page)
    page.goto(f"{match}/deal")
    thumb.choose("bid", "B:S")
    thumb.step("counting:cards")
    pad = page.locator(".dock .cardpad")
    expect(pad.locator(".cardkey")).to_have_count(32)
    for key in pad.locator(".cardkey").all():
        expect(key).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    # As fast as taps can come: none may be lost, all in order.
    page.evaluate(
        """cards => cards.forEach(card =>
            document.querySelector(`.dock [value="card:${card}"]`).click())""",
        ["AS", "7S", "KS"],
    )
    expect(page.locator(".turn")).to_contain_text("Ewa plays")
    expect(page.locator('.dock [value="card:7S"]')).to_be_disabled()
    thumb.step("card:7H")
    thumb.step("card:AH")
    thumb.step("card:8S")
    expect(page.locator("#comes-to")).to_contain_text("Ewa could not play 7♥")
    for _card in range(3):
        thumb.step("uncard")
    for card in ["8S", "AH", "7H", "KH", "8H", "AD", "7D", "KD", "8D", "AC", "7C", "KC", "8C", "QS", "9D"]:
        thumb.step(f"card:{card}")
    expect(page.locator("#comes-to")).to_contain_text("Jan makes it")
    expect(page.locator(".dock .cardpad")).to_have_count(0)
    thumb.button("Save deal")
    expect(page).to_have_url(match)


def test_enough_from_the_board(page: Page) -> None:
    """The call is on the board; the page asks who and when, and says before saving whether it is enough."""
    match, thumb = begin(page), Thumb(page)
    thumb.button("Enough!")
    thumb.choose("caller", "B")
    thumb.choose("after_trick", "6")
    thumb.choose("bid", "B:H")
    page.locator("#cards_B").tap()
    thumb.keys("61")
    expect(page.locator("#comes-to")).to_contain_text("Jan called “Enough!” with only 61 of 500: Ewa wins.")
    page.get_by_role("button", name="Enough!").tap()
    expect(page).to_have_url(match)
    expect(page.locator(".outcome")).to_contain_text("Ewa wins")
