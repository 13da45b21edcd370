"""Packing: what comes out follows from what goes in, and from nothing else."""

import io
import os
import time
import zipfile
from pathlib import Path

import brotli
import pytest

from companion.offline_app.build.pyodide import compress, keep, pack

FILES = {"b/c.txt": b"c" * 1000, "a.txt": "ą".encode(), "empty/": b""}


def test_an_archive_has_what_went_in() -> None:
    """Files with their contents and folders, also empty ones."""
    with zipfile.ZipFile(io.BytesIO(pack(FILES))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == FILES
        assert archive.getinfo("empty/").is_dir()


def test_the_same_files_make_the_same_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    """In any order, at any time, anywhere."""
    before = pack(FILES)
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    try:
        assert pack(dict(reversed(FILES.items()))) == before
    finally:
        monkeypatch.undo()
        time.tzset()
    assert pack(FILES | {"a.txt": b"a"}) != before


def test_what_is_sent_can_be_read(tmp_path: Path) -> None:
    """It gives what it was."""
    content = pack(FILES)
    sent = compress(content, tmp_path)
    assert brotli.decompress(sent) == content
    assert compress(content, tmp_path) == sent


def test_what_took_long_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time nothing is compressed by Brotli; what is damaged or of something else is made anew."""
    sent = compress(b"text" * 100, tmp_path)
    [stored] = tmp_path.iterdir()
    with monkeypatch.context() as patched:
        patched.setattr(brotli, "compress", None)
        assert compress(b"text" * 100, tmp_path) == sent
    for damaged in (b"", stored.read_bytes()[:-3], brotli.compress(b"other")):
        stored.write_bytes(damaged)
        assert compress(b"text" * 100, tmp_path) == sent
        assert brotli.decompress(stored.read_bytes()) == b"text" * 100


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    """There is a file where the folder should be: all is made, nothing is kept."""
    (tmp_path / "cache").write_text("")
    assert brotli.decompress(compress(b"text", tmp_path / "cache")) == b"text"
    keep(tmp_path / "cache" / "file", b"text")
    assert os.listdir(tmp_path) == ["cache"]
