"""What a phone's browser asks of its app, and what it keeps of it, as the worker hands it over."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from companion.offline_app.application import Address
from companion.offline_app.bridge import Bridge

SITE = "https://table.test"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
STATE: dict[str, Any] = {
    "root": "",
    "me": "0123456789ab",
    "key": "k" * 32,
    "seed": "5eed" * 16,
    "token": "the-server's-token",
    "server": "v1",
    "cookies": {},
    "rows": [],
}


class Visitor:
    """A browser that knows a bridge, and keeps what it tells as the worker does."""

    def __init__(self, bridge: Bridge, **state: Any) -> None:
        self.bridge, self.state = bridge, STATE | state
        self.rows: dict[tuple[Any, ...], Any] = {}
        self.begin()

    def begin(self) -> None:
        stored = {"rows": [[list(place), value] for place, value in self.rows.items()]}
        self.bridge.restore(json.dumps(self.state | stored))

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
        return self._ask("GET", path, b"", headers)

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> tuple[int, dict[str, str], str]:
        return self._ask("POST", path, urlencode(fields).encode(), FORM | headers)

    def _ask(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> tuple[int, dict[str, str], str]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        status, said, content = self.bridge.handle(method, SITE + path, body, json.dumps(named))
        reported = json.loads(self.bridge.take_state())
        self.state |= {name: reported[name] for name in ("cookies", "chosen")}
        for place, value in reported["rows"]:
            if value is None:
                self.rows.pop(tuple(place), None)
            else:
                self.rows[tuple(place)] = value
        return status, dict(json.loads(said)), content.decode(errors="replace")


@pytest.fixture
def bridge(addresses: list[Address]) -> Bridge:
    return Bridge(addresses, "v1")


@pytest.fixture
def visitor(bridge: Bridge) -> Visitor:
    return Visitor(bridge)


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'name="(form_key|seq|csrf_token)"[^>]*value="([^"]*)"', page))


def begin(visitor: Visitor) -> str:
    """Start a match; the path of its board."""
    _status, _headers, page = visitor.get("/en/new?game=derda")
    fields = hidden(page) | {"name-A": "Ewa", "name-B": "Jan", "dealer": "A"}
    status, headers, _page = visitor.post("/en/new?game=derda", fields)
    assert status == 303
    return headers["Location"]


def deal(visitor: Visitor, match: str) -> dict[str, str]:
    _status, _headers, page = visitor.get(f"{match}/deal")
    return hidden(page) | {"total_A": "90", "total_B": "72", "counting": "totals", "bid": "A:H", "do": "save"}


def test_a_page_is_answered(visitor: Visitor) -> None:
    """By its status, its headers and its text, which says that it comes from the phone."""
    status, headers, page = visitor.get("/en/")
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert "data-pocket" in page
    assert not {"Set-Cookie", "Content-Length"} & headers.keys()


def paper_of(visitor: Visitor) -> tuple[str, str]:
    """The language that the phone goes home in, and its paper."""
    _status, headers, page = visitor.get("/r/nothing")
    page = visitor.get(headers["Location"])[2] if "Location" in headers else visitor.get("/en/")[2]
    chosen = re.search(r'<html [^>]*data-theme="(\w+)"', page)
    return visitor.get("/")[1]["Location"].split("/")[-2], chosen[1] if chosen else ""


def test_pages_are_shown_as_was_chosen(visitor: Visitor) -> None:
    """At the server, whose cookies no script reads; and here, until it is chosen otherwise there."""
    assert paper_of(visitor) == ("en", "")
    visitor.bridge.choose("lang=pl&paper=dark")
    assert paper_of(visitor) == ("pl", "dark")
    visitor.get("/en/paper/light?next=/en/")
    assert paper_of(visitor) == ("pl", "light")
    visitor.begin()
    visitor.bridge.choose("lang=pl&paper=dark")
    assert paper_of(visitor) == ("pl", "light")
    visitor.bridge.choose("lang=en&paper=")
    assert paper_of(visitor) == ("en", "")


def test_forms_carry_the_server_s_token(visitor: Visitor) -> None:
    """So that they can be sent there once there is a network; here any will do."""
    _status, _headers, page = visitor.get("/en/new?game=derda")
    assert hidden(page)["csrf_token"].replace("&#39;", "'") == "the-server's-token"
    match = begin(visitor)
    assert visitor.post(f"{match}/deal", deal(visitor, match) | {"csrf_token": "another"})[0] == 303


def test_a_script_is_told_where_a_form_led(visitor: Visitor) -> None:
    """The outbox hears of the next page and of the length of the log, as from a server."""
    match = begin(visitor)
    status, headers, answer = visitor.post(f"{match}/deal", deal(visitor, match), X_Script="1")
    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert json.loads(answer) == {"to": match, "seq": 1}


def test_what_is_shown_once_is_shown_on_the_next_page(visitor: Visitor) -> None:
    """Cookies of the session stay with the bridge."""
    match = begin(visitor)
    visitor.post(f"{match}/deal", deal(visitor, match))
    assert "sides-2 fresh" in visitor.get(match)[2]
    assert "sides-2 fresh" not in visitor.get(match)[2]


def test_another_language_is_remembered(visitor: Visitor) -> None:
    """By a cookie, which comes back with the next request; also after another start."""
    visitor.get("/pl/", Accept_Language="en")
    assert visitor.get("/", Accept_Language="en")[1]["Location"] == "/pl/"
    visitor.begin()
    assert visitor.get("/", Accept_Language="en")[1]["Location"] == "/pl/"


def test_another_start_has_it_all(visitor: Visitor, addresses: list[Address]) -> None:
    """What was told is all that another bridge needs."""
    match = begin(visitor)
    visitor.post(f"{match}/deal", deal(visitor, match))
    history = visitor.get(f"{match}/history")[2]
    visitor.bridge = Bridge(addresses, "v1")
    visitor.begin()
    assert visitor.get(f"{match}/history")[2] == history


def test_it_can_be_another_browser_s(visitor: Visitor) -> None:
    """Nothing of the one before is left."""
    match = begin(visitor)
    other = Visitor(visitor.bridge, me="ba9876543210")
    assert other.get(match)[0] == 404
    assert 'data-browser="ba9876543210"' in other.get("/en/")[2]


def test_a_bridge_that_was_warmed_up_knows_nobody(bridge: Bridge) -> None:
    """Nothing of it is anybody's: any start may begin from its memory.

    It pauses after each page, and says how much is done.
    """
    shares = list(bridge.warm_up())
    assert shares == sorted(shares)
    assert (len(shares) > 20, shares[-1]) == (True, 1)
    reported = {"rows": [], "cookies": {}, "chosen": "", "have": {}, "unsent": 0, "aside": 0, "outgoing": []}
    assert json.loads(bridge.take_state()) == reported
    home = Visitor(bridge).get("/en/")[2]
    assert "A pencil that knows the rules" in home
    assert "/en/m/" not in home


@pytest.mark.parametrize(
    ("tags", "languages"),
    [("[]", {"en"}), ('["fi"]', {"en"}), ('["de-AT", "xx"]', {"de"}), ('["UK", "ru-UA", ""]', {"ru", "uk"})],
)
def test_it_is_warmed_up_in_the_languages_of_the_phone(
    bridge: Bridge, monkeypatch: pytest.MonkeyPatch, tags: str, languages: set[str]
) -> None:
    """In no others, which would be room that nobody uses; in English where it speaks none of ours."""
    asked: list[str] = []
    monkeypatch.setattr(bridge, "handle", lambda method, url, body, headers: asked.append(url))
    list(bridge.warm_up(tags))
    assert {urlsplit(url).path[1:3] for url in asked} == languages


def test_it_may_be_below_a_path(bridge: Bridge) -> None:
    """Addresses in pages begin with it."""
    visitor = Visitor(bridge, root="/cards")
    page = visitor.get("/cards/en/")[2]
    assert 'href="/cards/en/new"' in page
    status, headers, _page = visitor.get("/cards/")
    assert (status, headers["Location"]) == (302, "/cards/en/")


def test_a_fault_inside_gets_the_page_of_faults(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what was recorded is still there."""
    match = begin(visitor)

    def fail(*_what: object) -> None:
        raise RuntimeError("as if it were a fault of ours")

    with monkeypatch.context() as broken:
        broken.setattr("companion.store.memory.MemoryStore.load_match", fail)
        broken.setattr("companion.matches.match.MatchMemory.recall", fail)
        status, _headers, page = visitor.get(match)
    assert status == 500
    assert "<h1" in page
    assert "RuntimeError" not in page
    assert visitor.get(match)[0] == 200


def test_an_app_of_before_the_update_writes_nothing(bridge: Bridge) -> None:
    """It says that it needs the network once; what was typed is in the page, and waits in the outbox."""
    visitor = Visitor(bridge)
    match = begin(visitor)
    fields = deal(visitor, match)
    bridge.hear(STATE["seed"], STATE["token"], "v2")
    status, headers, page = visitor.post(f"{match}/deal", fields, X_Script="1")
    assert status == 503
    assert "Retry-After" in headers
    assert "The app was updated: it needs the network once" in page
    assert 'value="90"' in page
    assert [place for place in visitor.rows if place[0] == "event"] == []
    assert visitor.get(match)[0] == 200
