"""Pages of a phone alone that no server has: nothing on them is cut, and screen readers can read them."""

from collections.abc import Iterator
from threading import Thread

import pytest
from fitting import SMALL, open_phone
from playwright.sync_api import Browser, expect
from static_host import StaticHost
from werkzeug.serving import make_server

from companion.i18n import LANGUAGES
from companion.offline_app.application import create_app
from companion.offline_app.build.making import read_app
from companion.store.memory import MemoryStore
from companion.web.shell.hosts import Host
from tests.browser.conftest import Quiet
from tests.browser.languages import walk

SHOW_ALL = """() => {
  for (const part of document.querySelectorAll("[data-in], [data-home-screen]")) part.hidden = false;
}"""


@pytest.fixture(scope="module")
def alone() -> Iterator[str]:
    """The address at which a browser sees the pages of a phone alone; something there cannot be read."""
    store = MemoryStore()
    store.tables.unread.append((("match", "of tomorrow"), {}))
    app = create_app(store, "k" * 32, read_app()[0], "1", host=Host.ALONE)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_first_page(browser: Browser, host: StaticHost, lang: str) -> None:
    """With all that it may say of how far it is."""
    host.start()
    with open_phone(browser, host.site, SMALL).context as context:
        page = context.pages[0]
        page.goto(f"{lang}/index.html")
        page.evaluate(SHOW_ALL)
        assert [*walk.find_flaws(page, "the first page")] == []


def test_pages_of_a_phone_alone(browser: Browser, alone: str) -> None:
    """Before the first match, and with one that no file has; languages take turns."""
    with open_phone(browser, alone, SMALL).context as context:
        page = context.pages[0]
        wrong = [
            flaw for visit in walk.take_turns(["/new"] * len(LANGUAGES)) for flaw in walk.look(page, visit)
        ]
        match = walk.begin(page, "derda")
        walk.end(page, match, "derda")
        of_match = [match, *(f"{match}/{room}" for room in ("give", "phones", "export", "delete"))]
        shelves = ["/given", "/move", "/tokens", "/export", "/import", "/browser", "/put-away", "/bin"]
        page.goto("/en/")
        expect(page.locator("[data-unfiled]")).to_contain_text("Keep a file")
        for visit in walk.take_turns(["/", *of_match, *shelves, "/", *of_match]):
            wrong += walk.look(page, visit)
    assert wrong == []
