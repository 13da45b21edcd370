"""A new match put together while the server does not answer: the page stays, with all that was typed."""

import pytest
from browsing import PHONE, choice
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Ewa", "Wawrzyniec", "Ala", "Olek")


@pytest.fixture
def new(page: Page) -> Page:
    """The form of a new session of four, with their names."""
    page.goto("/en/new?game=durak")
    for name, field in zip(NAMES, page.locator("input[data-seat]").all(), strict=True):
        field.fill(name)
    return page


def names(page: Page) -> list[str]:
    """The names that stand in the form."""
    return [field.input_value() for field in page.locator("input[data-seat]").all()]


def test_a_choice_waits_for_the_network(new: Page) -> None:
    """One sentence says so; when the network is back, the places follow by themselves."""
    address = new.url
    new.context.set_offline(True)
    choice(new, "table", "6").tap()
    expect(new.locator("#not-started")).to_contain_text("No network: the options of this choice")
    new.fill("#name-D", "Zofia")
    assert new.url == address
    new.context.set_offline(False)
    expect(new.locator("input[data-seat]")).to_have_count(6)
    expect(new.locator("#not-started")).to_be_hidden()
    assert names(new) == ["Ewa", "Wawrzyniec", "Ala", "Zofia", "", ""]
    expect(new.get_by_role("button", name="Show the options of this game")).to_be_hidden()


def test_the_form_goes_on_after_a_refusal(new: Page) -> None:
    """A refused form is shown in this one's place: choices, names and the button above the keyboard go on."""
    new.fill("#name-B", "")
    choice(new, "dealer", "A").tap()
    new.get_by_role("button", name="Start").tap()
    expect(new.locator("#not-started")).to_contain_text("Required")
    choice(new, "table", "6").tap()
    expect(new.locator("input[data-seat]")).to_have_count(6)
    new.fill("#name-A", "Barbara")
    expect(choice(new, "dealer", "A")).to_have_text("Barbara deals")
    assert new.locator('[data-nojs] button[value="show"]').is_hidden()
    new.evaluate("visualViewport.dispatchEvent(new Event('resize'))")
