"""A ruling that takes long: a page says so, can be left, and becomes the answer by itself."""

from collections.abc import Iterator
from itertools import count

import pytest
from browsing import Accessible
from phone import Server, free_port
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

CLAIM = (
    "/en/ask/derda/claim?trump=H&leader=A&claimer=A&asked=1"
    "&hands.A=JH&hands.A=9H&hands.A=AH&hands.A=10H&hands.A=KH"
    "&hands.B=AS&hands.B=10S&hands.B=KS&hands.B=QS&hands.B=JS"
)
NEW = count(10)
"""How many points are claimed: each time another question, whose answer is on no shelf yet."""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose pages wait for nothing heavy."""
    server = Server(tmp_path_factory.mktemp("hasty"), free_port(), page_timeout="0")
    try:
        server.start()
        yield server.address
    finally:
        server.stop()


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def phone_page(
    request: pytest.FixtureRequest, browser: Browser, hasty: str, browser_context_args: dict[str, object]
) -> Iterator[Page]:
    """A page of a phone with service workers and scripts, or without."""
    settings = {**browser_context_args, "base_url": hasty, "java_script_enabled": request.param}
    context: BrowserContext = browser.new_context(**settings | {"service_workers": "allow"})
    yield context.new_page()
    context.close()


def test_it_can_be_left_and_comes_to_the_answer(phone_page: Page) -> None:
    """Whoever goes back to it finds the answer at its address; nobody taps anything for that."""
    page = phone_page
    page.goto(f"{CLAIM.replace('&asked=1', '')}&wants={next(NEW)}")
    page.get_by_role("button", name="Show the answer").last.tap()
    expect(page.get_by_role("link", name="Reload now")).to_be_visible()
    asked = page.url
    page.get_by_role("link", name="Matches").first.tap()
    expect(page.get_by_role("link", name="New match").first).to_be_visible()
    page.go_back()
    expect(page.locator(".verdict-line")).to_contain_text("Yes, Player A can force it.", timeout=60_000)
    assert page.url == asked


def test_the_page_is_for_everybody(page: Page, hasty: str, accessible: Accessible) -> None:
    """It fits the phone and axe finds nothing; from it the facts can be changed."""
    wants = next(NEW)

    def stay(route: Route) -> None:
        answer = route.fetch()
        stored = {name: value for name, value in answer.headers.items() if name != "refresh"}
        route.fulfill(response=answer, headers=stored)

    page.route("**/claim?*", stay)
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"{hasty}{CLAIM}&wants={wants}")
    expect(page.get_by_role("heading", name="Is the rest mine?")).to_be_visible()
    expect(page.get_by_role("link", name="Reload now")).to_be_visible()
    accessible(page)
    assert page.locator("main").evaluate("main => main.scrollWidth <= innerWidth")
    heights = [element.bounding_box() for element in page.locator(".paper-note .btn").all()]
    assert all(box is not None and box["height"] >= 48 for box in heights)
    page.get_by_role("link", name="Change the facts").tap()
    expect(page.get_by_role("button", name="Show the answer").last).to_be_visible()
    expect(page.locator("input[name=wants]")).to_have_value(str(wants))
