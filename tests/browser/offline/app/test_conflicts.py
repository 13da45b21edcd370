"""What was set aside, on a phone's screen: served by the phone's own app, as a plain server would."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Accessible, Scheme
from fitting import LONG, PHONE, SHORT, SIDEWAYS, SMALL, find_misfits
from playwright.sync_api import Page, ViewportSize, expect
from werkzeug.serving import make_server

from companion import create_app as create_server
from companion.i18n import translator
from companion.matches import Agree, AmendEntry, KeepDraft
from companion.offline_app.application import create_app, list_addresses
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


SCREENS: list[tuple[ViewportSize, str, Scheme]] = [
    (SMALL, "pl", "light"),
    (PHONE, "en", "dark"),
    (SIDEWAYS, "pl", "dark"),
    ({"width": 1280, "height": 800}, "en", "light"),
]


@pytest.mark.parametrize(("size", "lang", "scheme"), SCREENS)
def test_everything_fits_and_can_be_read(
    screen: Page, collided: Collided, accessible: Accessible, size: ViewportSize, lang: str, scheme: Scheme
) -> None:
    """Two with long names, four, and four who play hands; before a decision and after one."""
    addresses = [
        collided.collide(LONG[:2], MINE, THEIRS),
        collided.collide(LONG, [deal(62, 100)], [deal(100, 62)], game="klaberjass-4"),
        collided.collide(SHORT, [HAND], [{**HAND, "loser": "B"}], game="durak"),
    ]
    screen.set_viewport_size(size)
    screen.emulate_media(color_scheme=scheme)
    for address in addresses:
        screen.goto(f"{collided.address}/{lang}/{address}")
        expect(screen.locator("h1")).to_be_visible()
        assert find_misfits(screen) == []
        small = screen.locator(".apart .btn, .actions .btn").evaluate_all(
            "all => all.filter(el => el.getBoundingClientRect().height < 47.5).map(el => el.textContent)"
        )
        assert small == []
    accessible(screen)
    say = translator(lang)
    screen.get_by_role("button", name=say("Leave it out")).first.click()
    expect(screen.get_by_role("heading", name=say("Left out"))).to_be_visible()
    accessible(screen)
