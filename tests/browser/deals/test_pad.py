"""The number pad and the keyboard: no field is left, and no focus moved, but by whoever types."""

import pytest
from browsing import PHONE, begin
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)


def keys(page: Page, *names: str) -> None:
    """Taps on the pad."""
    for name in names:
        page.locator(f'[data-key="{name}"]').tap()


def field(page: Page, name: str) -> Locator:
    """A number field, by its id."""
    return page.locator(f"#{name}")


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
