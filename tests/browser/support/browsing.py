"""What tests in a browser begin with."""

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, ViewportSize, expect

SCREEN: ViewportSize = {"width": 360, "height": 740}
PHONE = {"viewport": SCREEN, "screen": SCREEN}
NAMES = ("Ewa", "Jan")

BOARD = re.compile(r"/m/[\w-]{22}$")
"""The address of a match's board."""

_AXE = Axe()

Accessible = Callable[[Page], None]
Scheme = Literal["light", "dark"]


def choice(page: Page, name: str, value: str) -> Locator:
    """One of several, by what it says."""
    return page.locator("label", has=page.locator(f'input[name="{name}"][value="{value}"]'))


def begin(page: Page, lang: str = "en", names: tuple[str, str] = NAMES) -> str:
    """Start a match by typing, and give its address."""
    page.goto(f"/{lang}/new")
    page.fill("#name-A", names[0])
    page.fill("#name-B", names[1])
    choice(page, "dealer", "A").click()
    page.locator(".actions .primary").click()
    expect(page).to_have_url(BOARD)
    page.wait_for_load_state()  # with its style sheet, for tests that measure
    return page.url


def find_barriers(page: Page) -> list[str]:
    """What axe has to complain about on a page."""
    expect(page.locator("form[data-sent]")).to_have_count(0)  # or it is about to be left
    expect(page.locator("body")).to_be_attached()
    page.wait_for_load_state()
    results = _AXE.run(page)
    return [results.generate_report()] if results.violations_count else []


@contextmanager
def exchange(page: Page, button: Locator) -> Iterator[None]:
    """Wait until the form has become the one that a tap on its button asks for, as its page tells scripts."""
    expect(button).to_be_visible()
    page.wait_for_load_state()
    page.evaluate(
        """() => {
  const { dataset } = document.documentElement;
  delete dataset.exchanged;
  document.addEventListener("deal:exchanged", () => { dataset.exchanged = ""; }, { once: true });
}"""
    )
    yield
    expect(page.locator("html")).to_have_attribute("data-exchanged", "")


def step(page: Page, action: str) -> None:
    """Tap a button that changes the form in place."""
    button = page.locator(f'button[name="do"][value="{action}"]:visible').first
    with exchange(page, button):
        button.click()


def tap_followed(page: Page, action: str, *out: str) -> None:
    """Tick who went out of a hand that is followed, and tap a button; its answer is on the page then."""
    for seat in out:
        choice(page, "out", seat).click()
    button = page.locator(f'button[name="do"][value="{action}"]').first
    fold = page.locator("details:not([open])", has=button)
    if fold.count():
        fold.locator("summary").first.click()
    key = page.locator('#follow input[name="form_key"]')
    before = key.input_value()
    button.click()
    expect(key).not_to_have_value(before)
    page.wait_for_load_state()


def open_match(
    page: Page,
    game: str,
    names: Sequence[str],
    lang: str = "en",
    table: str = "",
    preset: str = "",
    fields: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Start a match of any game as its form would, the first player dealing, and give its address.

    `table` says how many sit there, in games that different numbers play; `fields` are others of the form.
    """
    form = page.request.get(f"/{lang}/new?game={game}&table={table}&preset={preset}").text()
    players = {f"name-{seat}": name for seat, name in zip("ABCDEF", names, strict=False)}
    shown = dict(re.findall(r'name="(shown-\w+)" value="([\w-]*)"', form))
    asked = {"game": game, "table": table, "preset": preset}
    chosen = {name: value for name, value in asked.items() if value} | {"dealer": "A"}
    sent: dict[str, str | float | bool] = {**chosen, **players, **fields, **shown, **carried(form)}
    answer = page.request.post(f"/{lang}/new", form=sent, max_redirects=0)
    assert answer.status == 303, answer.text()
    return answer.url.replace("/new", f"/m/{answer.headers['location'].rsplit('/', 1)[1]}")


def write_deal(page: Page, match: str, **fields: str) -> None:
    """Write a deal into a match as its form would."""
    sent: dict[str, str | float | bool] = {
        "do": "save",
        **fields,
        **carried(page.request.get(f"{match}/deal").text()),
    }
    answer = page.request.post(f"{match}/deal", form=sent, max_redirects=0)
    assert answer.status == 303, answer.text()


def carried(form: str) -> dict[str, str]:
    """What a form carries unseen: its token, its key, the length of the log."""
    found = re.findall(r'name="(csrf_token|form_key|seq)"[^>]*value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in found}
