"""Python for browsers comes from the npm registry, and is what its hash says, or nothing."""

import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.offline_app.build import __main__ as command
from companion.offline_app.build import making, pyodide
from companion.offline_app.build.pyodide import NoPyodide, read_release

Npm = Callable[..., dict[str, str]]


def release_of(**files: str) -> bytes:
    """An archive such as the registry has."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name in pyodide.WANTED:
            content = files.get(name, name).encode()
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return made.getvalue()


@pytest.fixture
def npm(tmp_path: Path) -> Npm:
    """Puts a program in the place of npm, which gives an archive, or fails and says why: the environment."""
    folder = tmp_path / "bin"
    folder.mkdir()

    def install(content: bytes = b"", says: str = "") -> dict[str, str]:
        (folder / "archive").write_bytes(content)
        (folder / "says").write_text(says)
        program = folder / "npm"
        program.write_text(
            f"""#!/bin/sh
cd {folder}
echo "$*" >>asked
if [ -s says ]; then cat says >&2; exit 1; fi
for word; do
    case $word in --pack-destination=*) cp archive "${{word#*=}}/pyodide-{pyodide.RELEASE}.tgz" ;; esac
done
"""
        )
        program.chmod(0o755)
        return {"PATH": f"{folder}:{os.environ['PATH']}"}

    return install


def test_what_is_of_another_hash_is_refused(npm: Npm, tmp_path: Path) -> None:
    """An archive that looks like the release is read only when it is it; nothing of another is kept."""
    environ = npm(release_of(**{"pyodide.mjs": "steal()"}))
    with pytest.raises(NoPyodide, match=r"is not the release that is known by its hash$"):
        read_release(tmp_path / "cache", environ)
    assert not (tmp_path / "cache").exists()


def test_it_is_fetched_once(npm: Npm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name and number; after that it is in the cache, of which nothing is believed but by its hash."""
    made, cache = release_of(), tmp_path / "cache"
    monkeypatch.setattr(pyodide, "DIGEST", pyodide.hash_of(made))
    environ, asked = npm(made), tmp_path / "bin" / "asked"
    files = read_release(cache, environ)
    assert files == {name: name.encode() for name in pyodide.WANTED}
    assert read_release(cache, environ) == files
    [line] = asked.read_text().splitlines()
    assert line.startswith("pack ") and line.endswith(f" pyodide@{pyodide.RELEASE}")
    [stored] = cache.iterdir()
    stored.write_bytes(release_of(**{"pyodide.mjs": "steal()"}))
    assert read_release(cache, environ) == files
    assert len(asked.read_text().splitlines()) == 2 and stored.read_bytes() == made


UNREACHED = """npm error code ECONNREFUSED
npm error syscall connect
npm error request to the registry failed, reason: connect ECONNREFUSED
npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log
"""


def test_without_the_registry_one_line_says_so(npm: Npm, tmp_path: Path) -> None:
    """It says what npm says."""
    with pytest.raises(NoPyodide) as raised:
        read_release(tmp_path, npm(says=UNREACHED))
    reason = "request to the registry failed, reason: connect ECONNREFUSED"
    assert str(raised.value) == f"npm did not fetch pyodide {pyodide.RELEASE} ({reason})"


def test_without_npm_one_line_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoPyodide, match=r"^npm is not installed"):
        read_release(tmp_path, {"PATH": str(tmp_path)})


def test_the_command_says_it_and_makes_nothing(
    npm: Npm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`./dev setup` goes on after that: the status is one of its own."""
    monkeypatch.setenv("PATH", npm(says=UNREACHED)["PATH"])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(command, "find_made", lambda **_: None)
    monkeypatch.setattr(making, "find_made", lambda *_: None)
    monkeypatch.setattr(making, "write", None)
    assert command.main(["--quiet"]) == command.LEFT_OUT
    reported = capsys.readouterr()
    assert reported.out == ""
    [_step, why] = reported.err.splitlines()
    assert why.startswith("no offline app, all else works without it: npm did not fetch ")
