"""The number pad and the keyboard: no field is left, and no focus moved, but by whoever types."""

import pytest
from browsing import PHONE, begin, open_match
from playwright.sync_api import Locator, Page, Route, expect
from typed import discard_drafts

pytestmark = pytest.mark.browser_context_args(**PHONE)


def keys(page: Page, *names: str) -> None:
    """Taps on the pad."""
    for name in names:
        page.locator(f'[data-key="{name}"]').tap()


def choose(page: Page, name: str, value: str) -> None:
    """Tap one of several."""
    page.locator("label", has=page.locator(f'input[name="{name}"][value="{value}"]')).tap()


def field(page: Page, name: str) -> Locator:
    """A number field, by its id."""
    return page.locator(f"#{name}")


@pytest.mark.parametrize(("one", "other"), [("25", "82"), ("82", "25"), ("9", "120"), ("100", "7")])
def test_numbers_stay_as_they_were_typed(page: Page, one: str, other: str) -> None:
    """A field is left by Next and by nothing else, however many digits it has."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    keys(page, *one)
    page.wait_for_timeout(400)
    expect(field(page, "total_A")).to_have_value(one)
    expect(field(page, "total_B")).to_have_value("")
    keys(page, "next", *other)
    expect(field(page, "total_A")).to_have_value(one)
    expect(field(page, "total_B")).to_have_value(other)


def test_who_is_quicker_than_the_script_gets_the_pad_too(page: Page) -> None:
    """Who plays was tapped while the script of the pad was still on its way; nothing else opens before."""
    match = begin(page)
    held: list[Route] = []
    page.route("**/deals/keypad.js", lambda route: held.append(route))
    page.goto(f"{match}/deal?mode=totals", wait_until="commit")
    choose(page, "bid", "A:H")
    expect(page.locator("[data-numkeys]")).to_be_hidden()
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    keys(page, "8", "2")
    expect(field(page, "total_A")).to_have_value("82")
    page.unroute("**/deals/keypad.js")
    page.goto(f"{match}/deal?mode=totals")
    expect(page.locator("[data-numkeys]")).to_be_hidden()


def test_keys_of_a_keyboard_leave_the_field_no_sooner(page: Page) -> None:
    """Typed with a keyboard, three digits and a late plus land in one field."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    field(page, "total_A").focus()
    page.keyboard.type("82+11")
    expect(field(page, "total_A")).to_have_value("82+11")
    expect(field(page, "total_A")).to_be_focused()
    page.keyboard.press("Tab")
    expect(field(page, "total_B")).to_be_focused()
    page.keyboard.press("+")
    page.keyboard.press("Backspace")
    expect(field(page, "total_B")).to_be_focused()
    expect(field(page, "total_A")).to_have_value("82+11")


def test_next_and_save_are_large_and_no_key_is_under_48_pixels(page: Page) -> None:
    """Next takes two rows of the pad, and so does Save."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    for key in page.locator(".numkeys button").all():
        box = key.bounding_box()
        assert box is not None and box["height"] >= 48 and box["width"] >= 48
    for key in page.locator(".numkeys .tall").all():
        box = key.bounding_box()
        assert box is not None and box["height"] >= 96 and box["width"] >= 72


def test_no_tap_takes_the_focus_elsewhere(page: Page) -> None:
    """A tap on a choice opens the pad, and the choice keeps the focus; a digit then means its field."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals")
    choose(page, "bid", "A:H")
    expect(page.locator(".numkeys")).to_be_visible()
    expect(page.locator('[name="bid"][value="A:H"]')).to_be_focused()
    keys(page, "8")
    expect(field(page, "total_A")).to_be_focused()
    page.keyboard.type("2")
    expect(field(page, "total_A")).to_have_value("82")


def test_the_arrow_keys_stay_among_the_suits(page: Page) -> None:
    """From suit to suit by arrow keys the focus stays there, also where the page is fetched anew for it."""
    match = begin(page)
    for mode in ("totals", "cards"):
        discard_drafts(page)
        page.goto(f"{match}/deal?mode={mode}")
        page.locator('[name="bid"][value="B:S"]').focus()
        for suit in "HD":
            if mode == "cards":
                with page.expect_response(lambda answer: answer.request.method == "POST"):
                    page.keyboard.press("ArrowRight")
            else:
                page.keyboard.press("ArrowRight")
            expect(page.locator(f'[name="bid"][value="B:{suit}"]')).to_be_focused()
            expect(page.locator(f'[name="bid"][value="B:{suit}"]')).to_be_checked()
        expect(page.locator(".numkeys")).to_be_hidden()


def test_tab_goes_through_the_page_and_the_pad_to_its_end(page: Page) -> None:
    """From the numbers by Tab to the pad and on, nothing twice; its keys work and keep the focus."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    field(page, "total_A").focus()
    passed = []
    for _step in range(40):
        page.keyboard.press("Tab")
        passed.append(page.evaluate("document.activeElement.dataset.key ?? document.activeElement.outerHTML"))
        if passed[-1] == "5":
            page.keyboard.press("Enter")
            page.keyboard.press("Space")
            assert page.evaluate("document.activeElement.dataset.key") == "5"
        if page.evaluate("document.activeElement === document.body"):
            break
    assert len(passed) < 40
    assert len(set(passed)) == len(passed)
    assert [item for item in passed if len(item) == 1] == [
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "+",
        "0",
    ]
    expect(field(page, "total_B")).to_have_value("55")


def test_what_follows_is_filled_in_and_stays_changeable(page: Page) -> None:
    """With all cards dealt one number brings the other, until another is typed; cleared, it follows again."""
    match = open_match(page, "klaberjass-4", ["Ewa", "Jan", "Ala", "Olek"])
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    keys(page, "6", "2")
    expect(field(page, "total_B")).to_have_value("100")
    keys(page, "back", "1")
    expect(field(page, "total_B")).to_have_value("101")
    keys(page, "next", "9", "9")
    expect(field(page, "total_B")).to_have_value("99")
    expect(page.locator("#at-points")).not_to_be_empty()
    keys(page, "back", "back")
    field(page, "total_A").tap()
    keys(page, "back", "back", "9", "0")
    expect(field(page, "total_B")).to_have_value("72")
    page.locator(".numkeys .primary").tap()
    expect(page).to_have_url(match)
    expect(page.locator(".board .total").nth(1)).to_have_text("72")


def test_a_quick_save_takes_what_follows_from_the_last_digit(page: Page) -> None:
    """Saved before the page has answered, the other number still follows from what was typed."""
    match = open_match(page, "klaberjass-4", ["Ewa", "Jan", "Ala", "Olek"])
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    keys(page, "9", "2")
    expect(field(page, "total_B")).to_have_value("70")
    page.evaluate(
        """() => {
            document.querySelector('[data-key="back"]').click();
            document.querySelector('[data-key="0"]').click();
            document.querySelector('.numkeys .primary').click();
        }"""
    )
    expect(page).to_have_url(match)
    expect(page.locator(".board .total").nth(0)).to_have_text("90")
    expect(page.locator(".board .total").nth(1)).to_have_text("72")


def test_the_pad_can_be_hidden_and_opened_again(page: Page) -> None:
    """Hidden by a tap, the field keeps the focus, and a tap on it opens the pad again; so does Escape."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    keys(page, "8", "hide")
    expect(page.locator(".numkeys")).to_be_hidden()
    expect(field(page, "total_A")).to_be_focused()
    field(page, "total_A").tap()
    expect(page.locator(".numkeys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".numkeys")).to_be_hidden()
    page.locator('[data-key="hide"]').wait_for(state="hidden")
    expect(field(page, "total_A")).to_have_value("8")


def test_a_rare_count_is_asked_about_and_saved_by_a_second_tap(page: Page) -> None:
    """The question stands above the buttons, and nothing that was typed is lost."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    keys(page, "2", "5", "8", "next", "2")
    page.locator(".numkeys .primary").tap()
    expect(page.locator(".comes-asked")).to_contain_text("Is this right? Not saved yet.")
    expect(page.locator(".comes-asked")).to_be_in_viewport(ratio=1)
    expect(field(page, "total_A")).to_have_value("258")
    page.get_by_role("button", name="Save deal").tap()
    expect(page).to_have_url(match)
    expect(page.locator(".board .total").first).to_have_text("258")
