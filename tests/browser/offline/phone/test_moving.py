"""Two phones become one person: recorded on the first, moved, gone on with on the second."""

import re
from collections.abc import Callable

import pytest
from browsing import Accessible, begin, carried
from entries import record_of
from evenings import record, totals
from fitting import LONG, SIDEWAYS, SMALL, find_misfits, open_phone
from line import Line
from phone import Phone
from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.i18n import translator

YES = "Yes, take them over"


def show_code(page: Page) -> str:
    """From the list of matches to a code, in two taps: its address."""
    page.goto("/en/")
    page.get_by_role("link", name="Move to another phone").tap()
    page.get_by_role("button", name="Show a code").tap()
    expect(page.locator("img.code")).to_be_visible()
    return page.input_value("#address")


def test_by_a_code(make_phone: Callable[..., Phone], accessible: Accessible) -> None:
    """The new phone has the match and goes on recording; the old one sees that the code was taken."""
    old, new = (make_phone().open() for _phone in range(2))
    match = begin(old)
    record(old, match, "A", "90")
    address = show_code(old)
    expect(old.locator("[data-copy]")).to_be_visible()
    accessible(old)
    new.goto(address)
    expect(new.locator("#main .list")).to_contain_text("Ewa – Jan")
    assert new.url.endswith("/en/move/here?told=1")
    accessible(new)
    new.get_by_role("button", name=YES).tap()
    expect(new).to_have_url(re.compile("/en/$"))
    accessible(new)
    expect(old.locator("#move-code")).to_have_attribute("data-state", "used")
    accessible(old)
    new.locator("a.resume").tap()
    expect(new).to_have_url(match)
    record(new, match, "A", "84")
    record(old, match, "A", "81")
    assert record_of(old, match) == record_of(new, match)
    assert totals(new, match) == [90, 84, 81]


def test_what_waits_is_sent_first(make_phone: Callable[..., Phone], line: Line) -> None:
    """It would be sent as somebody else, or never: nothing is done before; then it is with the list aside."""
    old, phone = make_phone(base_url=line.address).open(), make_phone(base_url=line.address)
    new = phone.open()
    begin(old)
    address = show_code(old)
    own = begin(new, names=("Ala", "Olek"))
    line.fate = lambda method, path: "is lost" if method == "POST" and "/deal" in path else "arrives"
    record(new, own, "A", "90")
    expect(new.locator("#waiting")).to_be_visible()
    new.goto(address)
    expect(new.locator("#waits")).to_be_visible()
    expect(new.locator("#waiting li")).to_have_count(1)
    expect(new.get_by_role("button", name=YES)).to_be_disabled()
    line.mend()
    new.locator("#waiting [data-try]").tap()
    expect(new.get_by_role("button", name=YES)).to_be_enabled()
    expect(new.locator("#waits")).to_be_hidden()
    new.get_by_role("button", name=YES).tap()
    expect(new.get_by_text("The list that was here before is set aside")).to_be_visible()
    new.goto("/en/browser")
    new.get_by_role("button", name="Switch to the other list").tap()
    expect(new.locator("a.resume")).to_contain_text("Ala")
    assert carried(new.request.get(f"{own}/deal").text())["seq"] == "1"


@pytest.mark.parametrize(("size", "lang"), [(SMALL, "pl"), (SIDEWAYS, "en")], ids=["small", "sideways"])
def test_what_is_shown_once_fits(
    browser: Browser, base_url: str, accessible: Accessible, size: ViewportSize, lang: str
) -> None:
    """Words, the question for new ones, a code, and what it asks of a phone that has a list of its own."""
    say = translator(lang)
    old, new = (open_phone(browser, base_url, size) for _phone in range(2))
    begin(old, lang, (LONG[0], LONG[1]))
    begin(new, lang)
    old.goto(f"/{lang}/move/words")
    old.locator("form[action$='/move/words'] button").click()
    expect(old.locator(".recovery-words li")).to_have_count(7)
    expect(old.locator("[data-print]")).to_be_visible()
    for path in ("/move/words", "/move/words?anew=1", "/move"):
        assert find_misfits(old) == []
        accessible(old)
        old.goto(f"/{lang}{path}")
    old.get_by_role("button", name=say("Show a code")).click()
    expect(old.locator("[data-left]")).to_contain_text(":")
    new.goto(old.input_value("#address"))
    for page in (old, new):
        assert find_misfits(page) == []
        small = page.eval_on_selector_all(
            "#main :is(a, button):not([hidden])",
            "all => all.filter((box) => box.offsetParent && box.getBoundingClientRect().height < 48)"
            ".map((box) => box.textContent)",
        )
        assert small == []
        page.context.close()
