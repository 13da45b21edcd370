"""Python for browsers comes from the npm registry, and is what its hash says, or nothing."""

import io
import tarfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from companion.pocket.build import __main__ as command
from companion.pocket.build import making, pyodide
from companion.pocket.build.pyodide import NoPyodide, find_address, read_release

Serve = Callable[[bytes], str]


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
def asked() -> list[str]:
    """The paths that a registry was asked for."""
    return []


@pytest.fixture
def serve(asked: list[str]) -> Iterator[Serve]:
    """Begins a registry that answers all with one content: its address."""
    with ExitStack() as stack:

        def begin(content: bytes) -> str:
            class Registry(BaseHTTPRequestHandler):
                def do_GET(self) -> None:
                    asked.append(self.path)
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)

                def log_message(self, *_told: object) -> None:
                    pass

            server = stack.enter_context(HTTPServer(("127.0.0.1", 0), Registry))
            Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
            stack.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}/npm"

        yield begin


@pytest.mark.parametrize(
    ("environ", "registry"),
    [
        ({}, "https://registry.example"),
        ({"npm_config_registry": "http://mirror.example/npm/"}, "http://mirror.example/npm"),
        ({"NPM_CONFIG_REGISTRY": "http://mirror.example"}, "http://mirror.example"),
        ({"npm_config_registry": "", "NPM_CONFIG_REGISTRY": "http://b.example"}, "http://b.example"),
    ],
)
def test_the_registry_is_the_one_that_npm_was_told_of(environ: dict[str, str], registry: str) -> None:
    """Or the public one."""
    assert find_address(environ) == f"{registry}/pyodide/-/pyodide-{pyodide.RELEASE}.tgz"


def test_what_is_of_another_hash_is_refused(serve: Serve, tmp_path: Path) -> None:
    """An archive that looks like the release is read only when it is it; nothing of another is kept."""
    address = serve(release_of(**{"pyodide.mjs": "steal()"}))
    with pytest.raises(
        NoPyodide, match=r"^http://127\.0\.0\.1.*is not the release that is known by its hash$"
    ):
        read_release(tmp_path / "cache", {"npm_config_registry": address})
    assert not (tmp_path / "cache").exists()


def test_it_is_fetched_once(
    serve: Serve, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After that it is in the cache, of which nothing is believed but by its hash either."""
    made = release_of()
    monkeypatch.setattr(pyodide, "DIGEST", pyodide.hash_of(made))
    environ = {"npm_config_registry": serve(made)}
    files = read_release(tmp_path, environ)
    assert files == {name: name.encode() for name in pyodide.WANTED}
    assert read_release(tmp_path, environ) == files
    assert asked == [f"/npm/pyodide/-/pyodide-{pyodide.RELEASE}.tgz"]
    [kept] = tmp_path.iterdir()
    kept.write_bytes(release_of(**{"pyodide.mjs": "steal()"}))
    assert read_release(tmp_path, environ) == files
    assert len(asked) == 2 and kept.read_bytes() == made


@pytest.mark.parametrize("registry", ["http://127.0.0.1:1", "http://nowhere.invalid", "no address at all"])
def test_without_the_registry_one_line_says_so(registry: str, tmp_path: Path) -> None:
    """It names the address, and why it cannot be reached."""
    with pytest.raises(NoPyodide) as raised:
        read_release(tmp_path, {"npm_config_registry": registry})
    assert str(raised.value).startswith(f"{registry}/pyodide/-/") and "\n" not in str(raised.value)
    assert "cannot be reached (" in str(raised.value)


def test_the_command_says_it_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`./dev setup` goes on after that: the status is one of its own."""
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(command, "find_made", lambda: None)
    monkeypatch.setattr(making, "find_made", lambda _folder: None)
    monkeypatch.setattr(making, "write", None)
    assert command.main(["--quiet"]) == command.LEFT_OUT
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("no pocket, all else works without it: http://127.0.0.1:1/")
    assert told.err.count("\n") == 1
