"""Use without network: where it is found, what it says before any script runs, and what is fetched."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.browsers import Browser

ADDRESS = 'href="/en/pocket"'


@pytest.mark.parametrize(("lang", "point"), [("en", "."), ("pl", ",")])
def test_it_says_how_large_it_is(
    client: FlaskClient, offline_files: dict[str, Any], lang: str, point: str
) -> None:
    """All that is fetched, the pages' own files too, as one writes it in that language."""
    reported = client.get("/pocket/manifest.json").get_json()
    fetched = sum(file["bytes"] for file in reported["files"] + reported["static"])
    program = sum(file["bytes"] for file in offline_files["files"])
    assert program < fetched < program + 300_000
    page = client.get(f"/{lang}/pocket")
    assert page.status_code == 200
    size = f"{fetched / 1e6:.1f}".replace(".", point)
    assert f"{size}\N{NO-BREAK SPACE}MB" in page.text


def test_where_there_is_none_it_says_so(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    """No size, and one calm sentence; the rest of the page stands."""
    app.extensions["offline_folder"] = tmp_path / "nothing"
    page = client.get("/en/pocket")
    assert page.status_code == 200
    assert "This server does not offer it" in page.text
    assert "To download, once: " not in page.text.split('data-in="offered"')[0]


def test_without_scripts_only_sentences_are_shown(client: FlaskClient, offline_files: dict[str, Any]) -> None:
    """What a script does is hidden until one runs; that it takes scripts stands there."""
    page = client.get("/en/pocket").text
    states = re.findall(r'<(\w+)[^>]*data-in="([^"]+)"([^>]*)>', page)
    shown = [names for _tag, names, more in states if " hidden" not in more]
    assert shown and all("unscripted" in names.split() for names in shown)
    assert re.search(r'class="actions" id="pocket-actions" hidden', page)


def test_it_is_found_from_everywhere(client: Browser) -> None:
    """From the list of matches, from This phone, from More of a match."""
    match = client.start()
    for path in ("/en/", "/en/browser", f"/en/m/{match}/more"):
        assert ADDRESS in client.get(path).text, path


def test_the_list_may_offer_it_once_more(client: Browser) -> None:
    """A quiet line, which a script shows where the app is on the home screen; not among those found."""
    client.start()
    page = client.get("/en/").text
    assert re.search(r'id="pocket-again"[^>]* hidden>', page) and "offline/app/again.js" in page
    assert "offline/app/again.js" not in client.get("/en/?q=Ewa").text


def test_all_that_pages_are_shown_with_is_fetched(client: FlaskClient, offline_files: dict[str, Any]) -> None:
    """Each with the size it has when it is sent, packed and not."""
    reported = client.get("/pocket/manifest.json").get_json()
    static = {item["name"]: item for item in reported["static"]}
    named = re.findall(rf"/static/{reported['version']}/([^\"]+)", client.get("/en/").text)
    assert {item for item in named if not item.startswith("offline/icons/")} <= set(static)
    for name, value in static.items():
        address = f"/static/{reported['version']}/{name}"
        with client.get(address) as plain, client.get(address, headers={"Accept-Encoding": "gzip"}) as packed:
            assert (len(plain.data), len(packed.data)) == (value["raw"], value["bytes"]), name
    assert [name for name in static if name.startswith(("fonts/", "readme/"))] == [
        "fonts/companion-bold.woff2",
        "fonts/companion-regular.woff2",
    ]


def test_the_worker_keeps_the_same_files(client: FlaskClient, offline_files: dict[str, Any]) -> None:
    """What the page fetched is all that the worker looks for, under the same addresses."""
    reported = client.get("/pocket/manifest.json").get_json()
    worker = client.get("/sw-pocket.js").text
    for name in [f"pocket/b1/{item['name']}" for item in reported["files"]]:
        assert f'"{name}"' in worker
    listed = set(re.findall(rf'"static/{reported["version"]}/([^"]+)"', worker))
    assert listed == {item["name"] for item in reported["static"]}


def test_what_marks_pages_is_small(client: FlaskClient) -> None:
    """Only a phone that has the program loads it, beside the scripts of each page."""
    packed = 0
    for name in ("marks", "asking"):
        with client.get(f"/static/x/offline/app/{name}.js") as script:
            packed += len(gzip.compress(script.data, mtime=0))
    assert packed <= 3_000
    with client.get("/static/x/offline/main.js") as main:
        loads = '(pocket !== undefined || wanted() !== null)) import("./app/marks.js")'
        assert loads in main.get_data(as_text=True)


def test_pages_of_a_server_are_not_marked(client: Browser) -> None:
    """The strip is there, and not shown: the page does not say that it came from the phone."""
    page = client.get(f"/en/m/{client.start()}").text
    assert 'id="pocket-strip"' in page
    assert not re.search(r"<html[^>]* data-pocket", page)
