"""The folder of static files: whole, of relative addresses, brought up to date beside what is open."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from hosting import HARBOUR, write_folder

from companion import cli, library, write_site
from companion.i18n import LANGUAGES
from companion.offline_app.build import site
from companion.offline_app.build.making import write
from companion.offline_app.build.site import CannotWriteSite
from companion.web.offline.static_files import compute_version
from companion.web.parts import make_flask

FILES = {"pyodide.mjs": b"export", "pyodide.asm.mjs": b"asm", "app.zip": b"PK" * 500, "libs.zip": b"PK"}


@pytest.fixture(scope="module")
def version() -> str:
    return compute_version(make_flask({}, None))


@pytest.fixture
def program(tmp_path: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with a program for phones, of files that are nothing but small."""
    folder = tmp_path / "files"
    folder.mkdir()
    write(folder, version, FILES, tmp_path / "cache")
    monkeypatch.setattr(site, "FOLDER", folder)
    return folder


@pytest.fixture
def folder(program: Path, tmp_path: Path) -> Path:
    """A folder that was just written."""
    folder = tmp_path / "site"
    write_site(folder, "/cards/")
    return folder


def read_kit(folder: Path) -> dict[str, Any]:
    """The build that the worker of a folder runs."""
    found = re.search(r"begin\((\{.*\}), \{", (folder / "sw-pocket.js").read_text("utf-8"))
    assert found is not None
    kit: dict[str, Any] = json.loads(found[1])
    return kit


def read_manifest(folder: Path) -> Mapping[str, Any]:
    manifest: Mapping[str, Any] = json.loads((folder / "pocket/manifest.json").read_text("utf-8"))
    return manifest


def list_addresses(page: str) -> Iterator[str]:
    """The addresses that a page, or a manifest, names."""
    yield from re.findall(r'(?:href|src)="([^"]+)"', page)
    yield from re.findall(r'"(?:src|url|start_url|scope)":\s*"([^"]+)"', page)


def test_everything_that_a_phone_fetches_is_there(folder: Path, version: str) -> None:
    """The program packed, to be unpacked by the browser; modules and static files as they are."""
    kit, manifest = read_kit(folder), read_manifest(folder)
    assert (
        (kit["build"], kit["version"])
        == (manifest["build"], manifest["version"])
        == (manifest["build"], version)
    )
    program = [file["name"] for file in manifest["files"]]
    assert program == ["pyodide.js", "pyodide.asm.js", "app.zip", "libs.zip"]
    for file in manifest["files"][2:]:
        packed = (folder / "pocket" / kit["build"] / f"{file['name']}.packed").read_bytes()
        assert (len(packed), len(gzip.decompress(packed))) == (file["bytes"], file["raw"])
        assert gzip.decompress(packed) == FILES[file["name"]]
    plain = [name for name in kit["files"] if not name.startswith("pocket/")]
    assert [name for name in plain if not (folder / name).is_file()] == []
    assert {f"{lang}/index.html" for lang in LANGUAGES} | {"index.html"} <= {*plain}
    worker = (folder / "sw-pocket.js").read_text("utf-8")
    assert all((folder / name).is_file() for name in re.findall(r'from "\./([^"]+)"', worker))
    modules = manifest["files"][:2]
    assert [(file["bytes"], file["raw"]) for file in modules] == [(6, 6), (3, 3)]
    assert manifest["bytes"] == sum(file["bytes"] for file in (*manifest["files"], *manifest["static"]))


@pytest.mark.parametrize(
    "page", [*(f"{lang}/index.html" for lang in LANGUAGES), "index.html", "pl/manifest.webmanifest"]
)
def test_pages_name_what_is_there_wherever_the_folder_is(folder: Path, page: str) -> None:
    """Their addresses are relative, and lead to a file of the folder, to a page of the app, or to itself."""
    text = (folder / page).read_text("utf-8")
    addresses = [*list_addresses(text)]
    assert len(addresses) > 8
    for address in addresses:
        assert not urlsplit(address).scheme and not address.startswith("/"), address
        place = folder / urlsplit(urljoin(f"http://host/{page}", address)).path.lstrip("/")
        is_of_app = page.endswith("manifest") and not address.startswith("../static")
        assert is_of_app or place.is_file() or place.is_dir(), address
    if page.endswith("html") and page != "index.html":
        assert f'<html lang="{page[:2]}"' in text


def test_unknown_addresses_lead_to_the_path_that_was_named(folder: Path) -> None:
    """A host shows 404.html below any address, so it alone has to know where it is."""
    page = (folder / "404.html").read_text("utf-8")
    assert 'data-at="/cards/"' in page
    assert 'href="/cards/pl/index.html"' in page
    assert "the path /cards/" in " ".join((folder / "README.txt").read_text("utf-8").split())


def test_an_update_leaves_what_is_open_its_files(program: Path, tmp_path: Path, version: str) -> None:
    """Static files of the version before stay, older ones go; what is not of the app is left alone."""
    folder = tmp_path / "site"
    for name in (
        "static/before/offline/app/alone.js",
        "static/oldest/offline/app/alone.js",
        "static/photos/garden.webp",
        "pocket/b0/app.zip.packed",
        "CNAME",
        "index.html",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("earlier", "utf-8")
    (folder / "pocket/manifest.json").write_text(json.dumps({"version": "before"}), "utf-8")
    write_site(folder, "/")
    assert {path.name for path in (folder / "static").iterdir()} == {"before", "photos", version}
    assert {path.name for path in (folder / "pocket").iterdir()} == {
        read_kit(folder)["build"],
        "manifest.json",
    }
    assert (folder / "CNAME").read_text("utf-8") == "earlier"
    write_site(folder, "/")
    assert {path.name for path in (folder / "static").iterdir()} == {"photos", version}


def test_a_page_of_something_else_is_not_overwritten(program: Path, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("my garden", "utf-8")
    with pytest.raises(CannotWriteSite, match="has a page of something else"):
        write_site(tmp_path, "/")
    assert (tmp_path / "index.html").read_text("utf-8") == "my garden"


def test_a_host_s_own_games_go_along(program: Path, tmp_path: Path, version: str) -> None:
    """As a file of the program; the folder is of another version then."""
    assert library.take_host_folder(str(write_folder(tmp_path / "games"))) == []
    try:
        write_site(tmp_path / "site", "/")
    finally:
        library.take_host_folder(None)
    kit = read_kit(tmp_path / "site")
    packed = tmp_path / "site/pocket" / kit["build"] / "host-games.json.packed"
    taken = json.loads(gzip.decompress(packed.read_bytes()))
    assert (taken["version"], taken["files"]["harbour.toml"]) == (kit["version"], HARBOUR)
    assert kit["version"] != version and f"pocket/{kit['build']}/host-games.json" in kit["files"]


def test_a_demo_goes_along_if_it_is_wanted(program: Path, tmp_path: Path) -> None:
    """As a file of the program, which the folder's README speaks of; without it neither is there."""
    for words in (["--demo"], []):
        folder = tmp_path / f"site{len(words)}"
        assert cli.main(["site", str(folder), *words]) == 0
        kit, manifest = read_kit(folder), read_manifest(folder)
        packed = folder / "pocket" / kit["build"] / "demo.json.packed"
        assert packed.exists() == bool(words) == ("--demo" in (folder / "README.txt").read_text("utf-8"))
        assert (f"pocket/{kit['build']}/demo.json" in kit["files"]) == bool(words)
        assert ("demo.json" in [file["name"] for file in manifest["files"]]) == bool(words)


def test_it_is_written_by_a_command(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what there is; what it cannot do it says in a line."""
    folder = tmp_path / "site"
    assert cli.main(["site", str(folder), "--at", "/cards", "--lang", "en"]) == 0
    assert re.fullmatch(
        rf"{folder}: \d+ files, \d+\.\d MB; a phone fetches \d+\.\d MB\n", capsys.readouterr().out
    )
    assert 'data-at="/cards/"' in (folder / "404.html").read_text("utf-8")
    assert cli.main(["site", str(folder), "--at", "cards?", "--lang", "en"]) == 2
    assert "error: --at: must be a path such as /cards" in capsys.readouterr().err
    (program / "manifest.json").unlink()
    assert cli.main(["site", str(folder), "--lang", "en"]) == 2
    assert capsys.readouterr().err.startswith("error: ")
