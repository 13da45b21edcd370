"""A host's own game on pages: its mark and source, its texts only texts, its matches for ever."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from hosting import CHANGED, DEAL, HARBOUR, HEAD, write_folder

from companion import library
from tests.web.browsers import TOKEN, Browser, known_browser, words

MARKUP = "<script>alert(1)</script>&{{ 7 * 7 }} {game} %(num)s 100%"
TEXT = "<script>alert(x)</script>&{{ x * x }} {% if x %} %(num)s %"
"""The same without digits and names in braces, with which a text of a host is refused."""
LISTS = ("/en/new", "/en/rules", "/en/ask")
Open = Callable[[str], Browser]


@pytest.fixture(autouse=True)
def _no_host_folder_is_left() -> Iterator[None]:
    """Afterwards the library has only its own games again, whatever became of the test."""
    yield
    library.take_host_folder(None)


@pytest.fixture
def open_host(make_app: Callable[..., Flask], tmp_path: Path) -> Open:
    """A browser at a server whose host has this text as a game; with an empty one, none."""

    def open_browser(text: str) -> Browser:
        folder = write_folder(tmp_path / "games", text or "x = 1")
        return known_browser(make_app(GAMES=str(folder)), TOKEN)

    return open_browser


def test_it_is_offered_with_its_mark(open_host: Open, client: Browser) -> None:
    """In the lists of games, in its rulebook, at the foot of its sheets; ours have none."""
    host = open_host(HARBOUR)
    for page in LISTS:
        said = host.read(page)
        assert "Harbour klab" in said
        assert "of this table’s host · Source: an example" in said
    assert "of this table’s host" in host.read("/en/rules/harbour")
    assert "A game of this table’s host. Source: an example" in host.read("/en/sheets/harbour")
    assert "A game of this table’s host. Source: an example" in host.read("/en/sheets/harbour/card")
    assert "of this table’s host" not in host.read("/en/rules/klaberjass-4")
    described = host.get("/api/v1/games").get_json()["games"]
    assert [game.get("of_host") for game in described if game["game"] in ("durak", "harbour")] == [
        None,
        "an example",
    ]


@pytest.mark.slow
def test_a_match_is_played_to_its_sheet(open_host: Open) -> None:
    """Begun by the form, written, asked about, printed; and taken up again when the folder is empty."""
    host = open_host(HARBOUR)
    form = {f"name-{seat}": name for seat, name in zip("ABCD", HEAD["players"], strict=True)}
    id = host.start(DEAL, game="harbour", **{key.replace("-", "_"): name for key, name in form.items()})
    assert host.match(id).head["rules"] == library.rules("harbour")
    pages = [f"/en/m/{id}{page}" for page in ("", "/deal", "/ask", "/sheet", "/history", "/more", "/names")]
    pages += [f"/en/rules/harbour?match={id}", f"/en/sheets/harbour/card?match={id}", "/en/", "/en/new"]
    for browser in (host, open_host("")):
        for page in pages:
            assert browser.get(page).status_code == 200, page
        assert "Source: an example" in browser.read(f"/en/m/{id}/sheet")
        assert "the last trick is 20" in browser.read(f"/en/rules/harbour?match={id}")
    assert "harbour" not in library.names()
    assert host.get("/en/rules/harbour").status_code == 404


def test_a_change_is_said_once(open_host: Open) -> None:
    """The next match may be begun by the new file; where there is none, not at all."""
    host = open_host(HARBOUR)
    id = host.begin(HEAD, DEAL)
    assert "has changed since" not in host.read(f"/en/m/{id}")
    changed = open_host(CHANGED)
    page = changed.read(f"/en/m/{id}")
    assert "The host’s file of this game has changed since" in page
    assert f'href="/en/new?like={id}"' in changed.get(f"/en/m/{id}").text
    assert "has changed since" not in changed.read(f"/en/m/{id}")
    assert changed.post(f"/en/m/{id}/rematch", data={"form_key": "x" * 22}).location.endswith(
        f"/en/new?like={id}"
    )
    gone = open_host("")
    assert "The host no longer offers this game" in gone.read(f"/en/m/{id}")
    assert "Rematch" not in gone.read(f"/en/m/{id}")


@pytest.mark.nightly
def test_its_texts_are_only_texts(open_host: Open) -> None:
    """Markup, templates and placeholders in titles, words and rules stand on every page as written."""
    quoted = json.dumps(MARKUP)
    text = HARBOUR.replace('"Harbour klab"', quoted).replace('"an example"', quoted)
    text = text.replace("Cards as in Klaberjass:", TEXT).replace('"Cards"', quoted)
    text = text.replace("As Klaberjass for four,", TEXT)
    text += '\n[words]\nbait = "<b>bait</b>"\n'
    text += f'[[presets]]\nname = "standard"\nlabel = {quoted}\ntext = "{TEXT}"\nsets = {{}}\n'
    host = open_host(text)
    id = host.begin(HEAD | {"conventions": {"target": 500}}, DEAL | {"totals": {"A": 60, "B": 112}})
    game = [
        "rules/harbour",
        "rules?q=alert",
        "rules/harbour?q=alert",
        "sheets/harbour",
        "sheets/harbour/card",
    ]
    game += ["", "new?game=harbour", "ask/harbour", f"rules/harbour?match={id}"]
    ours = ("", "/deal", "/ask", "/sheet", "/history", "/more", "/names", "/ask/count")
    pages = [*LISTS, *(f"/en/{page}" for page in game), *(f"/en/m/{id}{page}" for page in ours)]
    for page in pages:
        answer = host.get(page)
        assert answer.status_code == 200, page
        assert "<script>alert" not in answer.text, page
        assert "<b>bait</b>" not in answer.text, page
        assert "49 {game}" not in answer.text, page
    assert MARKUP in words(host.get("/en/rules/harbour")) and TEXT in words(host.get("/en/rules/harbour"))


def test_processes_of_a_server_agree(make_app: Callable[..., Flask], tmp_path: Path) -> None:
    """The folder is read once, before they are forked: one that starts later has no other games."""
    folder = write_folder(tmp_path / "games")
    first = make_app(GAMES=str(folder)).extensions["files"].version
    rules = library.rules("harbour")
    (folder / "harbour.toml").write_text(CHANGED, "utf-8")
    assert make_app(GAMES=str(folder), HOST_FILES=library.GAMES.host).extensions["files"].version == first
    assert library.rules("harbour") == rules


def test_a_file_at_fault_is_logged(
    make_app: Callable[..., Flask], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The rest goes on; nobody but the host learns of it."""
    folder = write_folder(tmp_path / "games")
    (folder / "broken.toml").write_text('extends = ["derda"]\ngame = "brokn"\n', "utf-8")
    with caplog.at_level(logging.WARNING):
        host = known_browser(make_app(GAMES=str(folder)), TOKEN)
    assert f"{folder}/broken.toml: game: must be broken, as the file is called" in caplog.text
    assert "broken" not in host.get("/en/rules").text


def test_the_phone_takes_it_along(make_app: Callable[..., Flask], tmp_path: Path) -> None:
    """The version of the app is another one with each folder, and the program in the phone has its games."""
    from companion.offline_app.bridge import start

    plain = make_app().extensions["files"]
    folder = write_folder(tmp_path / "games")
    hosted = make_app(GAMES=str(folder)).extensions["files"]
    (folder / "harbour.toml").write_text(CHANGED, "utf-8")
    app = make_app(GAMES=str(folder))
    changed = app.extensions["files"]
    assert len({plain.version, hosted.version, changed.version}) == 3
    assert plain.built == hosted.built == changed.built
    build = tmp_path / "built"
    (build / "abc").mkdir(parents=True)
    manifest = {"version": changed.built, "build": "abc", "bytes": 0, "files": []}
    (build / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    app.extensions["offline_folder"] = build
    offered = app.test_client().get("/pocket/manifest.json").get_json()
    assert (offered["version"], offered["build"]) == (changed.version, f"abc-{changed.version}")
    [file] = offered["files"]
    address = f"/pocket/{offered['build']}/{file['name']}"
    sent = app.test_client().get(address)
    assert len(sent.data) == file["raw"] == offered["bytes"]
    assert "immutable" in sent.headers["Cache-Control"]
    assert address in app.test_client().get("/sw-pocket.js").text.replace('"pocket', '"/pocket')
    library.take_host_folder(None)
    (build / file["name"]).write_bytes(sent.data)
    (build / "addresses.json").write_text("[]", "utf-8")
    (build / "version.txt").write_text(changed.built, "utf-8")
    start(str(build), "phone")
    assert "trick is 30" in str(library.read_rulebook("harbour").rules["harbour.values"].text)
