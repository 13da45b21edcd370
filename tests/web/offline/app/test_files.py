"""The files of the offline app as browsers get them: small, cached for good, of this very version or none."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brotli
import pytest
from flask import Flask
from flask.testing import FlaskClient
from pockets import lay_out
from stores.postgres import ON_SQLITE

from companion.offline_app.build.making import OfflineBuild

pytestmark = ON_SQLITE  # nothing of it is in the database
FILES = {
    "pyodide.mjs": b"export const loadPyodide = 0;" * 20,
    "pyodide.asm.wasm": bytes(range(256)) * 20,
    "pyodide-lock.json": b"{}",
    "app.zip": b"PK" * 500,
}
KINDS = ("text/javascript", "application/wasm", "application/json", "application/zip")
Answer = Any


@pytest.fixture
def made(app: Flask, tmp_path: Path) -> OfflineBuild:
    """The files of this version of the app."""
    return lay_out(app, tmp_path / "made", FILES)


@pytest.fixture
def fetch(client: FlaskClient, made: OfflineBuild) -> Callable[..., Answer]:
    """Asks for a file of it, as somebody who reads these encodings."""

    def ask(
        name: str, accepted: str = "gzip, deflate, br, zstd", method: str = "GET", **headers: str
    ) -> Answer:
        reported = {"Accept-Encoding": accepted} | {
            key.replace("_", "-"): header for key, header in headers.items()
        }
        return client.open(f"/pocket/{made.build}/{name}", method=method, headers=reported, buffered=True)

    return ask


@pytest.mark.parametrize(("name", "kind"), [*zip(FILES, KINDS, strict=True)])
def test_a_file_is_kept_for_good(fetch: Callable[..., Answer], name: str, kind: str) -> None:
    """With the type that browsers insist on for modules and for what is compiled while it arrives."""
    answer = fetch(name)
    assert answer.status_code == 200
    assert answer.mimetype == kind
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["Content-Encoding"] == "br"
    assert brotli.decompress(answer.data) == FILES[name]
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"),
        ("br;q=0.1, gzip", "br"),
        ("*", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("deflate", None),
        ("br;q=0, gzip;q=0", None),
        ("identity", None),
        ("", None),
    ],
)
def test_it_is_sent_as_small_as_it_can_be_read(
    fetch: Callable[..., Answer], accepted: str, encoding: str | None
) -> None:
    """Each way of sending it is another one to caches on the way."""
    answer = fetch("app.zip", accepted)
    assert answer.headers.get("Content-Encoding") == encoding
    read = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[encoding]
    assert read(answer.data) == FILES["app.zip"]
    assert answer.vary.as_set() == {"accept-encoding"}
    tags = {fetch("app.zip", item).headers["ETag"] for item in ("br", "gzip", "")}
    assert len(tags) == 3 and answer.headers["ETag"] in tags


def test_it_is_not_sent_to_whoever_has_it(fetch: Callable[..., Answer]) -> None:
    """304 without it; its head alone; a part of it, of the file as it is sent."""
    whole = fetch("app.zip", "")
    unchanged = fetch("app.zip", "", If_None_Match=whole.headers["ETag"])
    assert (unchanged.status_code, unchanged.data) == (304, b"")
    assert "immutable" in unchanged.headers["Cache-Control"]
    assert fetch("app.zip", "br", If_None_Match=whole.headers["ETag"]).status_code == 200
    head = fetch("app.zip", "br", method="HEAD")
    assert head.data == b"" and head.headers["Content-Encoding"] == "br"
    assert int(head.headers["Content-Length"]) == len(fetch("app.zip", "br").data)
    part = fetch("app.zip", "gzip", Range="bytes=3-7")
    assert (part.status_code, part.data) == (206, fetch("app.zip", "gzip").data[3:8])


@pytest.mark.parametrize(
    "path",
    [
        "/pocket/{build}/app.zip.br",
        "/pocket/{build}/manifest.json",
        "/pocket/{build}/../made-of.json",
        "/pocket/{build}/%2e%2e%2fmanifest.json",
        "/pocket/0123456789abcdef/app.zip",
        "/pocket/../app.zip",
        "/pocket/{build}",
    ],
)
def test_nothing_else_is_served(client: FlaskClient, made: OfflineBuild, path: str) -> None:
    """Only what the manifest names, by its name, of this build."""
    assert client.get(path.format(build=made.build)).status_code == 404


def test_the_manifest_says_what_there_is(
    client: FlaskClient, app: Flask, made: OfflineBuild, fetch: Callable[..., Answer]
) -> None:
    """And nobody keeps it, for it may be another one with the next update."""
    answer = client.get("/pocket/manifest.json")
    assert answer.headers["Cache-Control"] == "no-store"
    manifest = answer.get_json()
    assert (manifest["version"], manifest["build"]) == (app.extensions["files"].version, made.build)
    assert manifest["bytes"] == sum(file["bytes"] for file in manifest["files"])
    for file in manifest["files"]:
        assert file["raw"] == len(FILES[file["name"]])
        assert file["bytes"] == len(fetch(file["name"]).data)


def test_where_none_was_made_it_says_so(client: FlaskClient, app: Flask, tmp_path: Path) -> None:
    """Nothing is offered then, and nothing breaks."""
    app.extensions["offline_folder"] = tmp_path / "nothing"
    answer = client.get("/pocket/manifest.json")
    assert answer.status_code == 404
    assert answer.get_json() == {"error": "The offline app was not made: ./dev offline makes it"}
    assert answer.headers["Cache-Control"] == "no-store"
    assert client.get("/pocket/0123456789abcdef/app.zip").status_code == 404


def test_that_of_another_version_is_not_offered(client: FlaskClient, app: Flask, made: OfflineBuild) -> None:
    """Its pages would be others than those of the server; none of its files is served either."""
    file = app.extensions["offline_folder"] / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"version": "0000000000"}))
    answer = client.get("/pocket/manifest.json")
    assert answer.status_code == 404
    assert "another version" in answer.get_json()["error"]
    assert client.get(f"/pocket/{made.build}/app.zip").status_code == 404


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"version": 3}'])
def test_a_manifest_that_cannot_be_read_is_none(
    client: FlaskClient, app: Flask, made: OfflineBuild, content: str
) -> None:
    """As after a disk was full: the app goes on without an offline app."""
    (app.extensions["offline_folder"] / "manifest.json").write_text(content)
    answer = client.get("/pocket/manifest.json")
    assert answer.status_code == 404 and answer.get_json()["error"]


def test_a_file_that_is_gone_is_not_there(client: FlaskClient, app: Flask, made: OfflineBuild) -> None:
    """An update takes the files of the build before away, maybe while they are asked for."""
    for file in (app.extensions["offline_folder"] / made.build).iterdir():
        file.unlink()
    assert client.get(f"/pocket/{made.build}/app.zip").status_code == 404


def test_below_a_path(make_app: Callable[..., Flask], tmp_path: Path) -> None:
    """Where the whole app is."""
    app = make_app(PREFIX="/cards")
    made = lay_out(app, tmp_path / "below", FILES)
    client = app.test_client()
    assert client.get("/cards/pocket/manifest.json").get_json()["build"] == made.build
    with client.get(f"/cards/pocket/{made.build}/app.zip") as answer:
        assert answer.data == FILES["app.zip"]
