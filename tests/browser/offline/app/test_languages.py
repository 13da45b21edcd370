"""Six languages in one phone, with the server gone: switched at the foot of a page, spoken, kept."""

import re
from collections.abc import Iterator

import pytest
from device_storage import wait_for
from offline_app import LONG, begin, open_page, record_deal, status
from phone import Phone, Server
from playwright.sync_api import Page, expect

from companion.i18n import LANGUAGES, SOURCE, translator


@pytest.fixture(autouse=True)
def patience(app_phone: Phone) -> None:
    """Pages of a machine that does much else may take long."""
    app_phone.context.set_default_navigation_timeout(LONG)


@pytest.fixture(scope="module")
def match(server: Server, app_phone: Phone) -> str:
    """A match with one deal that only this phone has."""
    server.stop()
    page = app_phone.context.pages[-1]
    begun = begin(page, "deberts", ("Ewa", "Олекса"))
    record_deal(page, begun, 90)
    return begun


@pytest.fixture
def alone(server: Server, match: str) -> Iterator[None]:
    """Nobody answers."""
    server.stop()
    yield


def say(lang: str, message: str) -> str:
    """A message in a language, which is not how it is written in English."""
    said = translator(lang)(message)
    assert lang == SOURCE or said != message
    return said


def switch(page: Page, lang: str) -> None:
    """Tap a language at the foot."""
    page.locator(f"footer a[hreflang={lang}]").tap()
    expect(page.locator(f"html[lang={lang}][data-pocket]")).to_be_attached(timeout=LONG)


def in_language(address: str, lang: str) -> str:
    """The address of a page in another language."""
    return re.sub(r"(?<=\d/)\w\w(?=/)", lang, address, count=1)


def test_the_foot_switches_every_page(page: Page, alone: None, match: str) -> None:
    """A board and a rulebook; what is said of the network and of what is not sent, too."""
    for path, place in (
        (match, ".board"),
        (f"{match.partition('/m/')[0]}/rules/deberts", "h1"),
    ):
        open_page(page, path)
        for lang in [*[*LANGUAGES][1:], SOURCE]:
            switch(page, lang)
            assert page.url == in_language(path, lang)
            expect(page.locator(place).first).to_be_visible()
            strip = page.locator("#pocket-strip")
            expect(strip).to_contain_text(say(lang, "No network · from this phone"))
            unsent = say(lang, "not yet on the server (%(count)s)").split("%")[0]
            expect(strip).to_contain_text(unsent, timeout=LONG)


@pytest.mark.parametrize("lang", [*LANGUAGES])
def test_what_a_phone_alone_says(page: Page, alone: None, match: str, lang: str) -> None:
    """That printing waits, that a page is not here, what the program is: in each language."""
    site = match.partition("/en/")[0]
    open_page(page, in_language(f"{match}/sheet.pdf", lang))
    expect(page.locator("h1")).to_have_text(say(lang, "Printing needs the network"))
    page.goto(f"{site}/{lang}/m/AAAAAAAAAAAAAAAAAAAAAA")
    expect(page.locator("h1:visible")).to_have_text(say(lang, "This page is not stored on this phone."))
    open_page(page, f"{site}/{lang}/pocket")
    expect(page.locator("div[data-in=ready]")).to_contain_text(say(lang, "Ready"), timeout=LONG)
    expect(page.locator("footer a[aria-current=true]").first).to_have_text(LANGUAGES[lang])


def test_what_was_switched_to_is_kept(page: Page, app_phone: Phone, alone: None, match: str) -> None:
    """Addresses without a language lead to it, also after a restart, and where nothing is found."""
    site, _lang, path = match.partition("/en/")
    for lang in [*LANGUAGES][1:]:
        open_page(page, in_language(match, SOURCE if lang != "pl" else "de"))
        switch(page, lang)
        open_page(page, f"{site}/")
        expect(page).to_have_url(f"{site}/{lang}/")
    page = app_phone.restart("about:blank")
    page.context.set_default_navigation_timeout(LONG)
    open_page(page, f"{site}/{path}")
    assert page.url == in_language(match, lang)
    page.goto(f"{site}/nowhere/at/all")
    expect(page.locator("h1:visible")).to_have_text(say(lang, "This page is not stored on this phone."))


def test_the_server_learns_of_it(page: Page, server: Server, alone: None, match: str) -> None:
    """As soon as there is one; and so of the paper. Its pages then are as those of the phone were."""
    site = match.partition("/en/")[0]
    server.start()
    wait_for(page, lambda: status(page, "deliver")["unsent"] == 0)
    page.goto(f"{site}/en/")
    expect(page.locator("html[lang=en]:not([data-pocket])")).to_be_attached()
    server.stop()
    open_page(page, f"{site}/en/rules")
    switch(page, "uk")
    page.locator("footer a[href*='/paper/dark']").tap()
    expect(page.locator("html[data-theme=dark][data-pocket]")).to_be_attached(timeout=LONG)
    server.start()
    wait_for(page, lambda: status(page, "deliver")["unsent"] == 0)
    page.goto(f"{site}/")
    expect(page.locator("html[lang=uk][data-theme=dark]:not([data-pocket])")).to_be_attached()
    expect(page).to_have_url(f"{site}/uk/")
