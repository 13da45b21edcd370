"""A phone in a headless Chromium. A machine without one fails these tests; it does not skip them."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
from browsing import Accessible, find_barriers
from flask import request
from line import Line
from phone import Phone, Server, free_port
from playwright.sync_api import Browser, Page, Playwright, Request, expect
from static_host import StaticHost
from werkzeug.serving import WSGIRequestHandler, make_server

from companion.web.shell.language import PREFIX
from tests.browser.journeys import JOURNEYS
from tests.browser.languages.serving import FAULTS, Served
from tests.roles.world import World

QUIET = ["--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]

expect.set_options(timeout=15_000)  # a busy machine is slow, and none of these tests is about time


FOLDER = Path(__file__).parent
TIMEZONE = "Europe/Warsaw"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the journeys, which are run before a commit, and all others as nightly."""
    for item in items:
        if item.path.is_relative_to(FOLDER):
            listed = JOURNEYS.get(item.path.relative_to(FOLDER).with_suffix("").as_posix(), ())
            # The browser goes without saying.
            case = item.name.replace("[chromium-", "[").replace("-chromium]", "]")
            is_journey = case in listed or case.partition("[")[0] in listed
            item.add_marker(pytest.mark.journey if is_journey else pytest.mark.nightly)
            item.add_marker(pytest.mark.slow)  # a server that is stopped counts with all that it did


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], playwright: Playwright
) -> dict[str, Any]:
    named = os.environ.get("BROWSER_PATH")
    found = named or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if not found and Path(playwright.chromium.executable_path).exists():
        found = playwright.chromium.executable_path
    if not found or not shutil.which(found):
        pytest.fail(f"no browser at {named or 'hand'}: run ./dev test, or set BROWSER_PATH to a Chromium")
    root = sys.platform == "linux" and os.geteuid() == 0
    return {
        **browser_type_launch_args,
        "executable_path": found,
        "args": [*QUIET, *(["--no-sandbox"] if root else [])],
        # What a page is given as its clock does not reach its worker, which shows times too.
        "env": {**os.environ, "TZ": TIMEZONE},
    }


@pytest.fixture(scope="session")
def phone_screen(playwright: Playwright) -> dict[str, Any]:
    """What a phone is like, and where it is."""
    pixel = {
        key: device for key, device in playwright.devices["Pixel 5"].items() if key != "default_browser_type"
    }
    return {**pixel, "locale": "en-GB", "timezone_id": TIMEZONE}


@pytest.fixture(scope="session")
def browser_context_args(
    browser_context_args: dict[str, Any], phone_screen: dict[str, Any]
) -> dict[str, Any]:
    """A phone; @pytest.mark.browser_context_args(locale="pl-PL") and the like change it for one test.

    It has no service worker: what this keeps is tested by phones of their own.
    """
    return {**browser_context_args, **phone_screen, "service_workers": "block"}


@pytest.fixture(scope="session")
def live_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The real server on a free port, with an instance folder of its own: its address."""
    server = Server(tmp_path_factory.mktemp("server"), free_port())
    try:
        server.start()
        yield server.address
    finally:
        server.stop()


@pytest.fixture(scope="session")
def lasting_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """What `server` is, from one test to the next."""
    server = Server(tmp_path_factory.mktemp("server"), free_port())
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticHost]:
    """A host of static files that has the app."""
    host = StaticHost(tmp_path_factory.mktemp("host"))
    host.write()
    host.start()
    yield host
    host.stop()


@pytest.fixture
def server(lasting_server: Server) -> Server:
    """A server of its own, which a test may stop, start and update; it runs, as the app that is tested."""
    lasting_server.restart_original()
    return lasting_server


@pytest.fixture
def make_phone(
    request: pytest.FixtureRequest,
    playwright: Playwright,
    browser: Browser,
    server: Server,
    tmp_path: Path,
    browser_type_launch_args: dict[str, Any],
    phone_screen: dict[str, Any],
) -> Iterator[Callable[..., Phone]]:
    """Makes phones that know `server`, each with a context of its own; settings are those of contexts.

    Those of a test that is marked `profile`, or that name `args`, are browsers of their own.
    """
    phones: list[Phone] = []
    lasts = request.node.get_closest_marker("profile") is not None

    def make(**settings: Any) -> Phone:
        profile = tmp_path / f"phone-{len(phones) + 1}"
        shared = None if lasts or "args" in settings else browser
        screen = phone_screen | settings
        phones.append(Phone(playwright, profile, server, browser_type_launch_args, screen, shared))
        return phones[-1]

    yield make
    for phone in phones:
        phone.close()
    assert [problem for phone in phones for problem in phone.thrown + phone.foreign] == []


@pytest.fixture
def phone(make_phone: Callable[..., Phone]) -> Phone:
    """A phone with a service worker; it knows `server`."""
    return make_phone()


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    """A line to `server`, which a test may cut."""
    line = Line(server.address)
    yield line
    line.close()


@pytest.fixture
def distant_phone(make_phone: Callable[..., Phone], line: Line) -> Phone:
    """A phone on that line."""
    return make_phone(base_url=line.address)


@pytest.fixture(scope="session")
def base_url(live_app: str) -> str:
    """What addresses such as /en/ are seen from."""
    return live_app


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """The page, which at the end must have thrown nothing and asked no other machine for anything."""
    thrown: list[str] = []
    foreign: list[str] = []

    def look(request: Request) -> None:
        if urlsplit(request.url).hostname not in {"127.0.0.1", "localhost", None}:
            foreign.append(request.url)

    page.on("pageerror", lambda error: thrown.append(str(error)))
    page.on("request", look)
    yield page
    assert not thrown
    assert not foreign


@pytest.fixture(scope="session")
def accessible() -> Accessible:
    """Call it with a page: axe must find nothing to complain about."""

    def check(page: Page) -> None:
        assert find_barriers(page) == []

    return check


class Quiet(WSGIRequestHandler):
    """Says nothing of what it is asked."""

    def log(self, type: str, message: str, *args: object) -> None:
        """Not even that."""


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """A server that shows a world, and at /en/fault/ what it says when something is wrong."""
    world = World()
    world.begin()

    @world.app.get(f"{PREFIX}/fault/<name>")
    def fail(name: str) -> str:
        raise FAULTS[name]

    @world.app.before_request
    def be_without_worker() -> tuple[str, int] | None:
        """It would show a cached page in place of one that takes long."""
        return ("", 404) if request.path == "/sw.js" else None

    server = make_server("127.0.0.1", 0, world.app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Served(f"http://127.0.0.1:{server.server_port}", world)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
