"""Below a path of a host that has other things too: every address that is given out is below it."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from derda import RIGHT, by_cards
from flask import Flask
from flask.testing import FlaskClient
from pockets import lay_out
from stores.postgres import ON_SQLITE

from companion.matches import AddEntry, KeepDraft
from companion.record.log import Event
from companion.store import CannotStart
from companion.store.sql import SqlStore
from companion.store.tables import db
from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import COOKIE, sign
from tests.nightly.fuzz.seeds import OWNER, Seeder
from tests.roles.world import REVOKE
from tests.web.browsers import token_of

pytestmark = ON_SQLITE  # nothing of it is in the database
Make = Callable[..., Flask]
PREFIX = "/karty"
HOST = "http://localhost"
FEW = 6
"""Pages of one kind that are looked at."""
FORM = {"game": "derda", "name-A": "Ewa", "name-B": "Jan", "dealer": "A"}
UNLINKED = {
    "static",
    "evenings.evening_pdf",
    "exporting.download",
    "exporting.file",
    "exporting.made",
    "figures.player_pdf",
    "moving.offer",
    "players.players_pdf",
    "offline_files.file",
    "offline_files.manifest",
    "offline_worker.script",
    "rulebook.rulebook_pdf",
    "saved_rulings.code",
    "saved_rulings.look",
    "sheets.blank_pdf",
    "sheets.card_pdf",
    "sheets.sheet_pdf",
    "archived.ask_to_erase",
}
"""Endpoints that no page links to: things not made yet, or made only on a phone; Flask's own way to static
files; sheets; what scripts find beside the page they are on."""


def owner_of(app: Flask) -> FlaskClient:
    """The browser that keeps the score of all matches."""
    client = app.test_client()
    with app.app_context():
        client.set_cookie(COOKIE, sign(OWNER), path=app.config["PREFIX"] or "/")
    return client


def fill(app: Flask) -> None:
    """Matches of all kinds, with everybody at them."""
    with app.app_context():
        seeder, matches = Seeder(app, Random(1)), app.extensions["matches"]
        head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
        id = matches.start(head, OWNER, fresh_key())
        SqlStore().append_event(id, 0, Event(0, "add", payload=REVOKE, at="2026"), fresh_key())
        seeder.change(id, KeepDraft(REVOKE))
        for game in ("derda", "durak", "deberts"):
            seeder.speak(seeder.write_match(game))
        seeder.change(matches.start(head, OWNER, fresh_key()), AddEntry({"type": "concede", "side": "B"}))
        seeder.change(matches.start(head, OWNER, fresh_key()), AddEntry(by_cards(RIGHT)))
        db.session.remove()


def addresses(answer: Any) -> Iterator[str]:
    """Every address that an answer holds, whatever for."""
    for header in ("Location", "X-Keep-Anew", "X-Keep-Once"):
        yield from answer.headers.get(header, "").split()
    kind = answer.mimetype
    if kind == "text/html":
        text = re.sub(r"<(svg)\b.*?</\1>", "", answer.text, flags=re.S)
        yield from map(unescape, re.findall(r'="(/[^"]*)"', text))
        yield from map(unescape, re.findall(rf'{HOST}[^"\s<]*', text))
    elif kind in ("application/json", "application/manifest+json"):
        yield from (text for text in _texts(answer.get_json()) if text.startswith(("/", HOST)))
    elif kind == "text/css":
        yield from re.findall(r"url\(\"?(/[^)\"]*)", answer.text)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _texts(item)
        case dict():
            yield from _texts(list(value.values()))


def crawl(client: FlaskClient, prefix: str) -> tuple[Counter[str], list[str]]:
    """Follow all there is from the front page: how often each kind of page was seen, what leads out."""
    app = client.application
    routes = app.url_map.bind("localhost")
    seen, wrong, todo = set[str](), list[str](), [f"{prefix}/", f"{prefix}/sw.js"]
    found: Counter[str] = Counter()
    while todo:
        address = todo.pop(0)
        path, _mark, query = address.partition("#")[0].partition("?")
        if address in seen:
            continue
        seen.add(address)
        try:
            endpoint, _values = routes.match(path.removeprefix(prefix), "GET")
        except Exception:  # noqa: BLE001  # a form's address, for POST alone
            continue
        if endpoint.endswith("_pdf") or found[endpoint] >= (100 if endpoint == "files.versioned" else FEW):
            continue
        found[endpoint] += 1
        with client.get(path, query_string=query) as answer:
            # Of the examples on the page of the API, and one for POST alone.
            is_example = address.endswith(("/import/shared", "/v1/matches")) or "/v1/matches/ID" in address
            if answer.status_code >= 400 and not is_example:
                wrong.append(f"{address}: {answer.status_code}")
            for other in addresses(answer):
                local = urlsplit(urljoin(HOST + address, other))
                if not f"{local.path}/".startswith(f"{prefix}/"):
                    wrong.append(f"{address} leads to {other}")
                todo.append(local.path + (f"?{local.query}" if local.query else ""))
    return found, wrong


@pytest.mark.nightly
def test_every_address_of_every_page(make_app: Make, tmp_path: Path) -> None:
    """Links, forms, redirects, files, what the phone keeps: all of it, wherever one goes."""
    app = make_app(PREFIX=PREFIX)
    lay_out(app, tmp_path / "pocket")
    fill(app)
    found, wrong = crawl(owner_of(app), PREFIX)
    assert wrong == []
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ())
        and not rule.endpoint.startswith(("short_addresses.", "join.", "public_api."))
    }
    missed = pages - found.keys() - UNLINKED
    assert missed == set()


@pytest.fixture
def below(make_app: Make) -> FlaskClient:
    """A browser that is new to an app below a path."""
    return make_app(PREFIX=PREFIX, WTF_CSRF_ENABLED=True).test_client()


def begin(client: FlaskClient, prefix: str = PREFIX) -> str:
    """Start a match as one does; the address of its board."""
    token = token_of(client.get(f"{prefix}/en/new"))
    answer = client.post(f"{prefix}/en/new", data=FORM | {"form_key": fresh_key(), "csrf_token": token})
    assert answer.status_code == 303
    return str(answer.location)


def test_a_match_from_its_beginning(below: FlaskClient) -> None:
    """One starts it, writes in it, takes back, invites, is moved: each form leads on below the path."""
    board = begin(below)
    assert board.startswith(f"{PREFIX}/en/m/")
    page = below.get(f"{board}/deal")
    sent = {"csrf_token": token_of(page), "form_key": fresh_key(), "seq": "0", "do": "save"}
    sent |= {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65"}
    answer = below.post(f"{board}/deal", data=sent, headers={"X-Script": "1"})
    assert answer.get_json()["to"].startswith(f"{board}")
    token = {"csrf_token": sent["csrf_token"]}
    answer = below.post(f"{board}/undo", data=token | {"form_key": fresh_key(), "seq": "1"})
    assert answer.location.startswith(board)
    made = below.post(f"{board}/phones/links", data=token | {"as": "spectator", "form_key": "k"})
    assert made.location.startswith(f"{board}/phones")
    shown = below.get(made.location).text
    [link] = {*re.findall(rf"{HOST}{PREFIX}/join/[\w-]+", shown)}
    guest = below.application.test_client()
    address = guest.get(link.removeprefix(HOST)).location
    asked = guest.get(address)
    joined = guest.post(address, data={"csrf_token": token_of(asked)})
    assert joined.location == board
    for path in ("code", "words"):
        assert below.post(f"{PREFIX}/en/move/{path}", data=token).location.startswith(f"{PREFIX}/en/move/")
    assert f"{HOST}{PREFIX}/move/" in below.get(f"{PREFIX}/en/move/code").text


def test_cookies_stay_below_it(below: FlaskClient) -> None:
    """What else there is on the host is told nothing."""
    begin(below)
    below.get(f"{PREFIX}/en/paper/dark")
    answers = [below.get(f"{PREFIX}/pl/", headers={"Referer": f"{HOST}{PREFIX}/en/"})]
    answers += [below.get(f"{PREFIX}/en/paper/light"), below.get(f"{PREFIX}/en/new")]
    given = [item for answer in answers for item in answer.headers.getlist("Set-Cookie")]
    assert len(given) >= 3
    assert {re.findall("Path=([^;]*)", item)[0] for item in given} == {PREFIX}


@pytest.mark.parametrize(
    ("next", "location"),
    [
        ("/pl/?q=ewa", f"{PREFIX}/pl/?q=ewa"),
        (f"{PREFIX}/en/new", f"{PREFIX}/en/new"),
        (f"//elsewhere.example{PREFIX}/en/", f"{PREFIX}/en/"),
        (f"{PREFIX}//elsewhere.example/", f"{PREFIX}/en/"),
        ("https://elsewhere.example/karty/", f"{PREFIX}/en/"),
    ],
)
def test_one_comes_back_to_a_page_below_it(below: FlaskClient, next: str, location: str) -> None:
    """From another paper, to the page one was on."""
    assert below.get(f"{PREFIX}/en/paper/dark", query_string={"next": next}).location == location


def test_the_switches_of_a_page_lead_back_to_it(below: FlaskClient) -> None:
    """Another paper of This phone, and the page one came from in another language."""
    came = {"Referer": f"http://localhost{PREFIX}/en/rules/derda?q=bela"}
    page = unescape(below.get(f"{PREFIX}/en/browser", headers=came).text)
    [paper] = re.findall(rf'href="({PREFIX}/en/paper/dark[^"]*)"', page)
    assert below.get(paper).location == f"{PREFIX}/en/browser"
    assert f'href="{PREFIX}/pl/rules/derda?q=bela"' in page


def test_a_proxy_may_leave_it_out(below: FlaskClient) -> None:
    """Whether it hands the path on as it is or without the prefix, the page is the same."""
    for path in ("/en/rules", f"{PREFIX}/en/rules"):
        page = below.get(path)
        assert page.status_code == 200
        assert f'href="{PREFIX}/en/ask"' in page.text
    assert below.get(PREFIX).location == f"{PREFIX}/en/"
    assert below.get(f"{PREFIX}-more/en/").status_code == 404


def test_the_server_may_say_it(make_app: Make) -> None:
    """Mounted in another application, as `SCRIPT_NAME` says."""
    client = make_app().test_client()
    page = client.get("/en/rules", environ_overrides={"SCRIPT_NAME": "/sub/cards"})
    assert 'href="/sub/cards/en/ask"' in page.text
    bad = client.get("/en/rules", environ_overrides={"SCRIPT_NAME": "//elsewhere.example"})
    assert bad.status_code == 400
    assert "elsewhere" not in bad.text


def test_a_page_that_cannot_be_had_asks_for_itself(below: FlaskClient, monkeypatch: Any) -> None:
    """*Try again* leads to the same page, and not to one of the host."""
    from companion.matches import Matches
    from companion.store import StoreUnavailable

    def fail(*_arguments: object) -> None:
        raise StoreUnavailable("away", "gone")

    monkeypatch.setattr(Matches, "open", fail)
    assert f'href="{PREFIX}/en/m/x?"' in below.get(f"{PREFIX}/en/m/x").text


@pytest.mark.parametrize("prefix", ["/en", "/pl/more", "/static", "/m", "/api/x"])
def test_it_is_told_from_the_app_s_own_addresses(make_app: Make, prefix: str) -> None:
    """A path that begins like a page of the app could mean either."""
    with pytest.raises(CannotStart, match=f"COMPANION_PREFIX: {prefix} begins like an address of the app"):
        make_app(PREFIX=prefix)


def test_the_manifest_and_the_worker(below: FlaskClient) -> None:
    """The installed app is all that lies below, and the worker is in charge of that."""
    manifest = json.loads(below.get(f"{PREFIX}/en/manifest.webmanifest").text)
    assert manifest["scope"] == manifest["id"] == f"{PREFIX}/"
    assert manifest["start_url"] == f"{PREFIX}/en/"
    page = below.get(f"{PREFIX}/en/").text
    [worker] = re.findall(r'<meta name="worker" content="([^"]+)"', page)
    assert worker == f"{PREFIX}/sw.js"
    with below.get(worker) as script:
        assert "javascript" in script.headers["Content-Type"]
