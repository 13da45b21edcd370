"""Forms filled in, and what stands in them, to be compared with what stands in them again."""

import time
from collections.abc import Callable
from typing import Any

import browsing
from browsing import choice
from device_storage import STORAGE, stored
from playwright.sync_api import Locator, Page, expect

_TYPED = """form => {
  const carried = ["csrf_token", "form_key", "seq", "asked", "shown-game", "shown-preset", "shown-table"];
  const said = [...new FormData(form)].filter(([name, value]) => value !== "" && !carried.includes(name));
  return said.map(String).sort();
}"""


def typed(page: Page, form: str) -> list[str]:
    """All that would be sent, but for what every form carries: `bid,B:H`, in order of the alphabet."""
    found: list[str] = page.locator(form).evaluate(_TYPED)
    return found


def drafts(page: Page) -> list[dict[str, Any]]:
    """What this phone keeps, in order of the forms."""
    return stored(page, "drafts")


def discard_drafts(page: Page) -> None:
    """Nothing that was typed before is taken up by the page that is opened next."""
    page.goto("/en/rules")  # a page without a form that would keep it once more
    page.evaluate(f"async () => (await {STORAGE}).removeAll('drafts')")


def wait_until_saved(page: Page, form: str) -> list[str]:
    """What stands in the form, as soon as it is in the phone; of a form that has a path of its own."""
    carried = {"csrf_token", "form_key", "seq", "asked", "shown-game", "shown-preset", "shown-table"}
    until = time.monotonic() + 60
    while time.monotonic() < until:
        stands = typed(page, form)
        for draft in drafts(page):
            fields = [f"{name},{value}" for name, value in draft["fields"] if value and name not in carried]
            if sorted(fields) == stands:
                return stands
        page.wait_for_timeout(50)
    raise AssertionError(f"not kept: {typed(page, form)}, but {[draft['fields'] for draft in drafts(page)]}")


def line(page: Page) -> Locator:
    """The line at a form whose draft was taken up."""
    return page.locator('.draft-line[data-kind="taken-up"]')


def expect_taken_up(page: Page, form: str, stands: list[str]) -> None:
    """All of it stands in the form again, and a line says so."""
    expect(line(page).first).to_be_visible()
    now = typed(page, form)
    assert now == stands, (now, stands)


# --- filled in ---------------------------------------------------------------------------------------

Fill = Callable[[Page], None]
FIVE = ("Wawrzyniec", "Konstantynopolitańczykiewiczówna", "Ala", "Olek", "Iga")


def choose(page: Page, name: str, value: str) -> None:
    """Tap one of several."""
    choice(page, name, value).first.click()


def step(*actions: str) -> Fill:
    """Taps that build a deal up, each with its answer."""

    def take(page: Page) -> None:
        for action in actions:
            browsing.step(page, action)

    return take


def bid(page: Page) -> None:
    """Who plays which suit."""
    choose(page, "bid", "B:H")


def in_turn(*fills: Fill) -> Fill:
    """One after the other."""

    def fill(page: Page) -> None:
        for item in fills:
            item(page)

    return fill


def write(selector: str, text: str) -> Fill:
    """Type into a field, unfolding what it is in."""

    def fill(page: Page) -> None:
        page.locator(selector).evaluate(
            "field => { const fold = field.closest('details'); if (fold) fold.open = true; }"
        )
        page.fill(selector, text)

    return fill


def tap(*choices: tuple[str, str]) -> Fill:
    """Tap some of those offered."""

    def fill(page: Page) -> None:
        for name, value in choices:
            page.locator(f'input[name="{name}"][value="{value}"]').first.evaluate(
                "input => { const fold = input.closest('details'); if (fold) fold.open = true; }"
            )
            choose(page, name, value)

    return fill


def press(*buttons: tuple[str, str]) -> Fill:
    """Press the buttons of a pad, each as soon as it is there."""

    def fill(page: Page) -> None:
        for name, value in buttons:
            page.locator(f'button[name="{name}"][value="{value}"]').first.click()
            page.wait_for_timeout(400)

    return fill
