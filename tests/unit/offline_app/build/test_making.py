"""Making the offline app: the same of the same sources, whole or not at all, and not of anything else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import brotli
import pytest

from companion.offline_app.build import making, pyodide
from companion.offline_app.build.making import find_cache, find_made, gather, name_build, read_app, write

LIMIT = 6_000_000
"""Bytes that a phone may have to fetch."""
GATHER = """
import os, sys
from pathlib import Path
from companion.offline_app.build.making import find_cache, gather, name_build
from companion.offline_app.build.pyodide import read_release
release = read_release(find_cache(os.environ), os.environ)
print(name_build(gather(release, "version", Path(sys.argv[1]), os.environ)))
"""
FILES = {"pyodide.mjs": b"export", "app.zip": b"PK" * 100}


@pytest.mark.nightly
def test_the_same_sources_make_the_same_files(release: dict[str, bytes], tmp_path: Path) -> None:
    """In another process, at another hour of the day, with settings of a server around it, compiled anew."""
    environ = {
        **os.environ,
        "PYTHONHASHSEED": "7",
        "TZ": "Pacific/Auckland",
        "COMPANION_DATABASE": "postgresql://nobody@nowhere.invalid/nothing",
        "COMPANION_PREFIX": "/cards",
    }
    done = subprocess.run(
        [sys.executable, "-c", GATHER, tmp_path / "other"],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    cache = find_cache(os.environ)
    assert done.stdout.strip() == name_build(gather(release, "version", cache, os.environ)), done.stderr
    assert done.stdout.strip() != name_build(gather(release, "another", cache, os.environ))


def test_a_phone_has_little_to_fetch(offline_files: Path) -> None:
    """All of it with Brotli, and nothing twice; the manifest says how much, and what it will be unpacked."""
    manifest = json.loads((offline_files.parent / "manifest.json").read_text())
    assert offline_files.name == manifest["build"]
    assert manifest["bytes"] == sum(item["bytes"] for item in manifest["files"]) < LIMIT
    assert [item["name"] for item in manifest["files"]] == [
        "pyodide.mjs",
        "pyodide.asm.mjs",
        "pyodide.asm.wasm",
        "pyodide-lock.json",
        "stdlib.zip",
        "libs.zip",
        "app.zip",
    ]
    assert sorted(file.name for file in offline_files.iterdir()) == sorted(
        f"{item['name']}.br" for item in manifest["files"]
    )
    for item in manifest["files"]:
        packed = (offline_files / f"{item['name']}.br").read_bytes()
        assert (len(packed), len(brotli.decompress(packed))) == (item["bytes"], item["raw"])


def test_a_build_is_found_again(offline_files: Path) -> None:
    """With all that can be said of it, in a table; nothing is made for that."""
    found = find_made()
    assert found is not None
    assert found.build == offline_files.name
    manifest = json.loads((offline_files.parent / "manifest.json").read_text())
    assert json.loads(found.to_manifest()) == manifest
    total, table = manifest["bytes"], found.describe().splitlines()
    assert len(table) == 2 + len(found.sizes) + 1
    assert table[-1].split()[0] == "all" and table[-1].split()[-1] == f"{total / 1000:,.1f}"


@pytest.mark.parametrize("lost", ["manifest.json", "made-of.json", "build/app.zip.br"])
def test_what_is_not_whole_is_none(lost: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made anew; so is what was made of other sources, of which all else is taken away then."""
    sources = {"version": "one", "flask": "3"}
    monkeypatch.setattr(making, "describe_sources", lambda: sources)
    made = write(tmp_path, "one", FILES, tmp_path / "cache")
    assert find_made(tmp_path) is None  # nobody has said yet what it was made of
    (tmp_path / "made-of.json").write_text(json.dumps(sources))
    assert find_made(tmp_path) == made
    sources["flask"] = "4"
    assert find_made(tmp_path) is None
    sources["flask"] = "3"
    (tmp_path / lost.replace("build", made.build)).unlink()
    assert find_made(tmp_path) is None


def test_what_was_packed_quickly_is_not_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server run from a checkout takes it; a wheel is packed as well as can be, in the same place."""
    monkeypatch.setattr(making, "describe_sources", lambda: {"version": "one"})
    monkeypatch.setattr(pyodide, "read_release", lambda *_: {})
    monkeypatch.setattr(making, "gather", lambda *_: {"app.zip": b"".join(b"%d " % n for n in range(999))})
    environ = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    quick = making.make(environ, tmp_path, quickly=True)
    assert (find_made(tmp_path, quickly=True), find_made(tmp_path)) == (quick, None)
    best = making.make(environ, tmp_path)
    assert best.build == quick.build
    assert best.sizes["app.zip"] < quick.sizes["app.zip"]
    assert find_made(tmp_path) == find_made(tmp_path, quickly=True) == best


def test_another_build_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    """The manifest is written last; what it does not name is gone, also what was left half done."""
    (tmp_path / "files" / "0123456789abcdef-half").mkdir(parents=True)
    before = write(tmp_path / "files", "one", FILES, tmp_path / "cache")
    assert before == write(tmp_path / "files", "one", FILES, tmp_path / "cache")
    after = write(tmp_path / "files", "two", FILES | {"app.zip": b"other"}, tmp_path / "cache")
    assert after.build != before.build
    assert sorted(os.listdir(tmp_path / "files")) == sorted([after.build, "manifest.json"])
    assert json.loads((tmp_path / "files" / "manifest.json").read_text())["version"] == "two"


def test_settings_are_left_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are kept from the app that is asked for its addresses, and from nobody else."""
    monkeypatch.setenv("COMPANION_DATABASE", "postgresql://nobody@nowhere.invalid/nothing")
    addresses, templates = read_app()
    assert os.environ["COMPANION_DATABASE"].startswith("postgresql:")
    assert len(addresses) > 50 and (templates / "shell" / "base.html").is_file()
