"""What was set aside, on a phone's screen: served by the phone's own app, as a plain server would."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Accessible
from fitting import LONG, PHONE, SHORT, SIDEWAYS, SMALL, find_misfits
from playwright.sync_api import Page, ViewportSize, expect
from werkzeug.serving import make_server

from companion import create_app as create_server
from companion.matches import Agree, AmendEntry, KeepDraft
from companion.offline.app.application import create_app, list_addresses
from companion.web.shell.security.browser import COOKIE, sign
from tests.unit.offline.table import EWA, JAN, Clock, Server, deal
from tests.unit.offline.table import Phone as OfflineApp

HAND = {"type": "hand", "loser": "D"}


class Collided:
    """Ewa's phone, served at `address`, with one match of each kind that collided with what Jan wrote."""

    def __init__(self, folder: Path) -> None:
        clock = Clock()
        served = create_server({"INSTANCE": str(folder), "LIMITS": "off"})
        self.server = Server(served)
        self.ewa, self.jan = OfflineApp(self.server, EWA, clock), OfflineApp(self.server, JAN, clock)
        app = create_app(self.ewa.store, "k" * 32, list_addresses(served), "1")
        app.config["WTF_CSRF_ENABLED"] = False
        with app.app_context():
            self.cookie = sign(EWA)
        self._http = make_server("127.0.0.1", 0, app)
        self.address = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def collide(self, names: tuple[str, ...], mine: list[Any], theirs: list[Any], **head: Any) -> str:
        """The address of the page of a match in which both wrote at once."""
        id = self.ewa.begin(players=list(names), **head)
        if not head:
            self.ewa.record(id, deal(82, 65))
        self.ewa.meet()
        self.server.join(id, JAN)
        self.ewa.meet()
        self.jan.meet()
        self.ewa.record(id, *mine)
        self.jan.record(id, *theirs)
        self.jan.meet()
        self.ewa.meet()
        return f"m/{id}/pocket/apart"


@pytest.fixture(scope="module")
def collided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collided]:
    made = Collided(tmp_path_factory.mktemp("server"))
    yield made
    made.close()


@pytest.fixture
def screen(page: Page, collided: Collided) -> Page:
    """The browser on Ewa's phone."""
    page.context.add_cookies([{"name": COOKIE, "value": collided.cookie, "url": collided.address}])
    return page


MINE = [deal(60, 85), AmendEntry(2, deal(62, 83)), Agree(2, "A"), deal(70, 77), KeepDraft({"type": "deal"})]
THEIRS = [deal(62, 83), deal(75, 72), AmendEntry(1, deal(81, 66))]


@pytest.mark.parametrize("lang", ["en", "pl"])
@pytest.mark.parametrize("size", [PHONE, SMALL, SIDEWAYS, {"width": 1280, "height": 800}])
def test_everything_fits_and_can_be_read(
    screen: Page, collided: Collided, accessible: Accessible, lang: str, size: ViewportSize
) -> None:
    """Two with long names, four, and four who play hands."""
    addresses = [
        collided.collide(LONG[:2], MINE, THEIRS),
        collided.collide(LONG, [deal(62, 100)], [deal(100, 62)], game="klaberjass-4"),
        collided.collide(SHORT, [HAND], [{**HAND, "loser": "B"}], game="durak"),
    ]
    screen.set_viewport_size(size)
    for address in addresses:
        screen.goto(f"{collided.address}/{lang}/{address}")
        expect(screen.locator("h1")).to_be_visible()
        assert find_misfits(screen) == []
        small = screen.locator(".apart .btn, .actions .btn").evaluate_all(
            "all => all.filter(el => el.getBoundingClientRect().height < 47.5).map(el => el.textContent)"
        )
        assert small == []
    accessible(screen)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_of_it_can_be_read_by_day_and_by_night(
    screen: Page, collided: Collided, accessible: Accessible, scheme: Any
) -> None:
    address = collided.collide(LONG[:2], MINE, THEIRS)
    screen.emulate_media(color_scheme=scheme)
    screen.goto(f"{collided.address}/en/{address}")
    screen.get_by_role("button", name="Leave it out").first.click()
    expect(screen.get_by_role("heading", name="Left out")).to_be_visible()
    accessible(screen)


def test_each_is_decided_with_one_tap(screen: Page, collided: Collided) -> None:
    address = collided.collide(SHORT[:2], [deal(60, 85), deal(70, 77)], [deal(61, 84)])
    screen.goto(f"{collided.address}/en/{address}")
    screen.get_by_role("button", name="In place of theirs").click()
    expect(screen.get_by_role("button", name="Write it too")).to_have_count(1)
    screen.get_by_role("button", name="Write it too").click()
    expect(screen.get_by_text("Everything is decided.")).to_be_visible()
    screen.locator(".actions").get_by_role("link", name="Scoreboard").click()
    expect(screen.get_by_text("2 changes are not yet on the server")).to_be_attached()


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_without_scripts_it_is_the_same(screen: Page, collided: Collided) -> None:
    address = collided.collide(SHORT[:2], [deal(60, 85)], [deal(61, 84)])
    screen.goto(f"{collided.address}/en/{address}")
    screen.get_by_role("button", name="Leave it out").click()
    screen.get_by_role("button", name="Put back").click()
    screen.get_by_role("button", name="Write it too").click()
    expect(screen.get_by_text("Everything is decided.")).to_be_visible()
