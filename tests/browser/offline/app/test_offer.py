"""Use without network: fetched with one tap, as far as the network goes; why it is not where it cannot be."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from browsing import Accessible
from fitting import SMALL as NARROW
from line import Fate, Line
from phone import Phone
from playwright.sync_api import Browser, Page, expect

from companion.i18n import LANGUAGES

FILE = re.compile(r"/pocket/\w+/[\w.-]+$")
INSTALLED = """
  const ask = window.matchMedia;
  window.matchMedia = (query) => ask.call(window, query.includes("standalone") ? "all" : query);
"""
FULL = """
  const full = () => Promise.reject(new DOMException("no room", "QuotaExceededError"));
  if (window.Cache) Cache.prototype.put = full;
"""
SMALL = """
  const small = () => Promise.resolve({ quota: 12e6, usage: 2e6 });
  if (window.StorageManager) StorageManager.prototype.estimate = small;
"""
CACHES = "async () => (await caches.keys()).filter((name) => name.startsWith('pocket:'))"
HERE = f"""async () => {{
  const [name] = await ({CACHES})();
  return (await (await caches.open(name)).keys()).map(({{ url }}) => new URL(url).pathname);
}}"""
STATES = """() => {
  const places = [...document.querySelectorAll("[data-in]")];
  return [...new Set(places.flatMap((element) => element.dataset.in.split(" ")))];
}"""
SHOWN = """(name) => {
  for (const element of document.querySelectorAll("[data-in]")) {
    element.hidden = !element.dataset.in.split(" ").includes(name);
  }
  for (const element of document.querySelectorAll("[data-says]")) element.textContent = element.dataset.says;
  document.getElementById("pocket-actions").hidden = false;
  const buttons = [...document.querySelectorAll("#pocket-actions button")].filter((box) => box.offsetWidth);
  return [document.documentElement.scrollWidth, Math.min(48, ...buttons.map((box) => box.offsetHeight))];
}"""
WANTED = "localStorage.getItem('pocket')"


def state(page: Page) -> str:
    """The heading of what is shown of it."""
    return page.locator("#pocket h2:visible").inner_text()


def button(page: Page, name: str) -> Any:
    """One of the buttons at the foot."""
    return page.locator("#pocket-actions").get_by_role("button", name=re.compile(f"^{name}"))


@pytest.fixture
def trial(phone: Phone) -> Callable[[str], Page]:
    """Opens the page in a browser that is changed by a script."""

    def open_changed(script: str) -> Page:
        phone.context.add_init_script(script)
        return phone.open("/en/pocket")

    return open_changed


def test_what_is_here_is_not_fetched_again(distant_phone: Phone, line: Line, accessible: Accessible) -> None:
    """Where the network goes it stops, and says how far it is; a tap goes on from there."""
    page = distant_phone.open("/en/pocket")
    fates: dict[str, Fate] = {"libs.zip": "is lost"}
    line.fate = lambda method, path: fates.get(path.rsplit("/", 1)[-1], "arrives")
    button(page, "Download it").tap()
    expect(button(page, "Go on")).to_be_visible()
    assert state(page) == "The network went away"
    assert page.evaluate(WANTED) is None
    accessible(page)
    page.reload()
    expect(button(page, "Go on")).to_be_visible()
    assert state(page) == "Begun, not yet complete"
    expect(button(page, "Remove what is here")).to_be_visible()
    here = set(page.evaluate(HERE))
    assert any(path.endswith("/pyodide.asm.wasm") for path in here)
    assert not any(path.endswith("/libs.zip") for path in here)
    line.mend()
    line.sent.clear()
    with page.expect_response(lambda answer: answer.url.endswith("/libs.zip")):
        button(page, "Go on").tap()
    expect(page.locator("#pocket h2:visible")).not_to_have_text("Downloading")
    asked = [path for method, path, _fate in line.sent if FILE.search(path) and method == "GET"]
    assert any(path.endswith("/libs.zip") for path in asked)
    assert not here & set(asked)


def test_the_network_may_come_back_by_itself(distant_phone: Phone, line: Line) -> None:
    """Nobody has to tap."""
    page = distant_phone.open("/en/pocket")
    line.fate = lambda method, path: "is lost" if path.endswith("/app.zip") else "arrives"
    button(page, "Download it").tap()
    expect(button(page, "Go on")).to_be_visible()
    line.mend()
    with page.expect_response(lambda answer: answer.url.endswith("/app.zip")):
        page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#pocket h2:visible")).not_to_have_text("The network went away")


def test_it_can_be_stopped_and_thrown_away(distant_phone: Phone, line: Line) -> None:
    """What has come stays until it is removed, in one tap; then it is offered as at first."""
    page = distant_phone.open("/en/pocket")
    line.fate = lambda method, path: "hangs" if path.endswith("/stdlib.zip") else "arrives"
    button(page, "Download it").tap()
    expect(page.locator("#pocket progress")).to_be_visible()
    button(page, "Stop").tap()
    expect(button(page, "Remove what is here")).to_be_visible()
    assert page.evaluate(CACHES) != []
    button(page, "Remove what is here").tap()
    expect(button(page, "Download it")).to_be_visible()
    assert page.evaluate(CACHES) == []


def test_without_room_nothing_half_stays(trial: Callable[[str], Page], accessible: Accessible) -> None:
    """A phone that is full says so, and how much it would take; what was fetched is gone."""
    page = trial(FULL)
    button(page, "Download it").tap()
    expect(page.locator("[data-in=full]")).to_contain_text(re.compile(r"takes at least [23]\d\sMB"))
    expect(button(page, "Try again")).to_be_visible()
    assert page.evaluate(CACHES) == []
    assert page.evaluate(WANTED) is None
    accessible(page)


def test_a_phone_with_too_little_room_is_not_asked_to_try(trial: Callable[[str], Page]) -> None:
    """It is known before anything is fetched."""
    page = trial(SMALL)
    expect(page.locator("[data-in=full]")).to_be_visible()
    expect(button(page, "Download it")).to_be_hidden()


@pytest.mark.parametrize(
    "script",
    [
        "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })",
        "if (navigator.serviceWorker) ServiceWorkerContainer.prototype.register = async () => {}",
        "delete window.WebAssembly",
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })",
    ],
)
def test_a_browser_that_cannot_says_so(phone: Phone, script: str) -> None:
    """No service workers, none of modules, no WebAssembly: one sentence, no button, no error."""
    phone.context.add_init_script(script)
    page = phone.open("/en/pocket", controlled=False)
    expect(page.locator("#pocket .notice:visible")).to_contain_text("This browser cannot run it")
    expect(page.locator("#pocket-actions")).to_be_hidden()


def test_a_server_without_one_says_so(phone: Phone) -> None:
    """Its manifest is a reason why not."""
    page = phone.open("/en/")
    page.route("**/pocket/manifest.json", lambda route: route.fulfill(status=404, json={"error": "none"}))
    page.goto("/en/pocket")
    expect(page.locator("#pocket .notice:visible")).to_contain_text("This server does not offer it.")
    expect(page.locator("#pocket-actions")).to_be_hidden()


def test_it_is_offered_once_more_on_the_home_screen(phone: Phone, accessible: Accessible) -> None:
    """A quiet line, where the app runs from there; declined, it never comes again."""
    page = phone.open("/en/")
    expect(page.locator("#pocket-again")).to_be_hidden()
    phone.context.add_init_script(INSTALLED)
    page.reload()
    line = page.locator("#pocket-again")
    expect(line).to_be_visible()
    accessible(page)
    line.get_by_role("button", name="Not now").tap()
    expect(line).to_be_hidden()
    with page.expect_response("**/offline/app/again.js"):
        page.reload()
    expect(line).to_be_hidden()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_fits(browser: Browser, base_url: str, lang: str) -> None:
    """Every state of the page, on the narrowest phone."""
    with browser.new_context(base_url=base_url, service_workers="block") as context:
        page = context.new_page()
        page.set_viewport_size(NARROW)
        page.goto(f"/{lang}/pocket")
        names = page.evaluate(STATES)
        assert len(names) > 10
        for name in names:
            wide, high = page.evaluate(SHOWN, name)
            assert wide <= NARROW["width"] and high >= 48, name
