"""Two phones become one person: recorded on the first, moved, gone on with on the second."""

import re
from collections.abc import Callable

import pytest
from browsing import Accessible, begin, carried, write_deal
from device_storage import cached, wait_until_quiet
from entries import record_of
from fitting import LONG, PHONE, SIDEWAYS, SMALL, find_misfits, open_phone
from line import Line
from phone import Phone, Server
from playwright.sync_api import Browser, Page, ViewportSize, expect
from typed import wait_until_saved

HEARTS = {"bid": "A:H", "counting": "totals"}
SHOW = {"en": "Show a code", "pl": "Pokaż kod"}
YES = re.compile("Yes, take them over|Tak, przejmij je")


def show_code(page: Page, lang: str = "en") -> str:
    """From the list of matches to a code, in two taps: its address."""
    page.goto(f"/{lang}/")
    page.get_by_role("link", name=re.compile("Move to another phone|Przenieś na inny telefon")).tap()
    page.get_by_role("button", name=SHOW[lang]).tap()
    expect(page.locator("img.code")).to_be_visible()
    return page.input_value("#address")


def show_words(page: Page) -> str:
    """Recovery words, as they are read from the page."""
    page.goto("/en/move")
    page.get_by_role("link", name="Recovery words").tap()
    page.get_by_role("button", name="Make recovery words").tap()
    expect(page.locator(".recovery-words li")).to_have_count(7)
    return " ".join(page.locator(".recovery-words li").all_inner_texts())


def type_in(page: Page, words: str) -> None:
    page.goto("/en/move/here")
    page.fill("#told", words)
    page.get_by_role("button", name="Go on").tap()
    expect(page.locator("#become, #told-error")).to_have_count(1)


def save_deal(page: Page, match: str, first: str) -> None:
    """Record a deal by hand."""
    page.goto(f"{match}/deal?mode=totals")
    page.locator("label", has=page.locator('input[name=bid][value="A:H"]')).click()
    page.fill("#total_A", first)
    page.fill("#total_B", str(162 - int(first)))
    page.get_by_role("button", name=re.compile("^(Save|Save deal|Zapisz|Zapisz rozdanie)$")).locator(
        "visible=true"
    ).last.click()
    expect(page.locator("form[data-sent]")).to_have_count(0)
    page.wait_for_load_state()


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_by_a_code(make_phone: Callable[..., Phone], accessible: Accessible, lang: str) -> None:
    """The new phone has the match and goes on recording; the old one sees that the code was taken."""
    locale = {"en": "en-GB", "pl": "pl-PL"}[lang]
    old, new = (make_phone(locale=locale).open(f"/{lang}/") for _phone in range(2))
    match = begin(old, lang)
    save_deal(old, match, "90")
    address = show_code(old, lang)
    expect(old.locator("[data-copy]")).to_be_visible()
    accessible(old)
    new.goto(address)
    expect(new.locator(".whose")).to_contain_text("Ewa – Jan")
    assert new.url.endswith(f"/{lang}/move/here?told=1")
    accessible(new)
    new.get_by_role("button", name=YES).tap()
    expect(new).to_have_url(re.compile(f"/{lang}/$"))
    accessible(new)
    expect(old.locator("#move-code")).to_have_attribute("data-state", "used")
    accessible(old)
    new.locator("a.resume").tap()
    expect(new).to_have_url(match)
    save_deal(new, match, "84")
    save_deal(old, match, "81")
    assert record_of(old, match) == record_of(new, match)
    record, seq = record_of(new, match)
    assert seq == "3"
    assert "81" in str(record)


def test_by_words(make_phone: Callable[..., Phone], accessible: Accessible) -> None:
    """The first phone is lost; its words bring everything back, once, and new ones are offered."""
    lost, found = make_phone(), make_phone()
    page = lost.open()
    match = begin(page)
    words = show_words(page)
    expect(page.locator("[data-print]")).to_be_visible()
    accessible(page)
    page.reload()
    expect(page.locator(".recovery-words")).to_have_count(0)
    expect(page.get_by_text("There are words, made on")).to_be_visible()
    accessible(page)
    lost.close()
    page = found.open("/en/move/here")
    accessible(page)
    type_in(page, ", ".join(word[:4].capitalize() for word in words.split()))
    page.get_by_role("button", name=YES).tap()
    expect(page.get_by_text("The words that you typed are used up: make new ones.")).to_be_visible()
    accessible(page)
    save_deal(page, match, "90")
    expect(page).to_have_url(match)
    thief = make_phone().open()
    type_in(thief, words)
    expect(thief.locator("#told-error")).to_contain_text("These recovery words are wrong")
    assert thief.input_value("#told") == words
    accessible(thief)


def test_nothing_is_kept_of_it(make_phone: Callable[..., Phone]) -> None:
    """No page about it lies in a phone, nor what was typed; and the new phone keeps nothing of before."""
    old_phone, new_phone = make_phone(), make_phone()
    old, new = old_phone.open(), new_phone.open()
    begin(old)
    others = begin(new)
    wait_until_quiet(new)
    words = show_words(old)
    wait_until_quiet(old)
    type_in(new, words)
    wait_until_quiet(new)
    for page in (old, new):
        assert not [item["url"] for item in cached(page) if "move" in item["url"]]
    new.get_by_role("button", name=YES).tap()
    expect(new.get_by_text("used up")).to_be_visible()
    wait_until_quiet(new)
    assert not [item["url"] for item in cached(new) if item["url"].startswith(others)]
    new.goto("/en/")
    wait_until_quiet(new)
    new_phone.server.stop()
    new.goto(others)
    expect(new.locator("h1:visible")).to_have_text("This page is not stored on this phone.")


def test_what_waits_is_sent_first(make_phone: Callable[..., Phone], line: Line, server: Server) -> None:
    """It would be sent as somebody else, or never: nothing is done before; then it is with the list aside."""
    old, phone = make_phone(base_url=line.address).open(), make_phone(base_url=line.address)
    new = phone.open()
    begin(old)
    address = show_code(old)
    own = begin(new, names=("Ala", "Olek"))
    line.fate = lambda method, path: "is lost" if method == "POST" and "/deal" in path else "arrives"
    save_deal(new, own, "90")
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


def test_what_was_begun_is_laid_aside(make_phone: Callable[..., Phone]) -> None:
    """A form that was begun on a phone without a match comes back with the list that it was begun on."""
    old, new = make_phone().open(), make_phone().open("/en/new")
    begin(old)
    new.fill("#name-A", "Wawrzyniec")
    wait_until_saved(new, "#new")
    new.goto(show_code(old))
    new.get_by_role("button", name=YES).tap()
    expect(new.locator("a.resume")).to_be_visible()
    new.goto("/en/new")
    expect(new.locator("#name-A")).not_to_have_value("Wawrzyniec")
    new.goto("/en/browser")
    new.get_by_role("button", name="Switch to the other list").tap()
    expect(new.get_by_text("These are the matches of the other list.")).to_be_visible()
    new.goto("/en/new")
    expect(new.locator("#name-A")).to_have_value("Wawrzyniec")


@pytest.mark.parametrize("lang", ["en", "pl"])
@pytest.mark.parametrize("size", [PHONE, SMALL, SIDEWAYS], ids=["phone", "small", "sideways"])
def test_it_fits(
    browser: Browser, base_url: str, accessible: Accessible, size: ViewportSize, lang: str
) -> None:
    """Every page of it, with long names, on every screen; all that is tapped is large enough to be."""
    old, new = (open_phone(browser, base_url, size) for _phone in range(2))
    write_deal(old, begin(old, lang, (LONG[0], LONG[1])), **HEARTS, total_A="90", total_B="72")
    begin(new, lang)
    for path in ("/move", "/browser", "/move/here", "/move/words"):
        old.goto(f"/{lang}{path}")
        assert find_misfits(old) == [], path
    old.locator("form[action$='/move/words'] button").click()
    expect(old.locator(".recovery-words li")).to_have_count(7)
    assert find_misfits(old) == []
    old.goto(f"/{lang}/move/words?anew=1")
    assert find_misfits(old) == []
    old.goto(f"/{lang}/move")
    old.get_by_role("button", name=SHOW[lang]).click()
    expect(old.locator("[data-left]")).to_contain_text(":")
    assert find_misfits(old) == []
    new.goto(old.input_value("#address"))
    assert find_misfits(new) == []
    for page in (old, new):
        small = page.eval_on_selector_all(
            "#main :is(a, button):not([hidden])",
            "all => all.filter((box) => box.offsetParent && box.getBoundingClientRect().height < 48)"
            ".map((box) => box.textContent)",
        )
        assert small == []
        page.context.close()
