"""Modules go along compiled, by the very Python of a phone; where nothing compiles them, that is said."""

import marshal
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion.offline import rebase
from companion.offline_app.build.bytecode import compile_module
from companion.offline_app.build.making import compile_modules
from companion.offline_app.build.pyodide import NoPyodide, pack

MODULE = b'''"""What it says of itself."""
def add(one, other):
    """Their sum."""
    assert one, "an assertion"
    return {"a set", "of", "names"} and one + other
'''
FILES = {"app/__init__.py": b"", "app/sums.py": MODULE, "app/sums.toml": b"[sums]", "app/empty/": b""}
MAGIC = b"\x2b\x0e\r\n"
"""Python 3.14."""


def put_node(folder: Path, script: str) -> dict[str, str]:
    """Something else in the place of Node.js, which starts in no time: the environment."""
    folder.mkdir(exist_ok=True)
    program = folder / "node"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"PATH": f"{folder}:/bin:/usr/bin"}


def test_the_modules_of_the_offline_app_are_compiled(offline_files: Path) -> None:
    """By Python 3.14, to be believed unchecked, without docstrings."""
    with zipfile.ZipFile(offline_files / "app.zip") as archive:
        module = archive.read("companion/offline/rebase.pyc")
    assert module.startswith(MAGIC + b"\x01\x00\x00\x00" + bytes(8))
    assert b"companion/offline/rebase.py" in module
    assert (rebase.__doc__ or "none").encode() not in module


def test_modules_are_compiled_once(tmp_path: Path) -> None:
    """All else stays as it is. What is in the cache is what it was; what is not whole is made anew."""
    modules = {name: name.encode() for name in FILES if name.endswith(".py")}
    (tmp_path / "made.zip").write_bytes(pack(modules))
    node = put_node(tmp_path / "bin", f'cp {tmp_path}/made.zip "$5"')
    cache = tmp_path / "cache"
    made = compile_modules(FILES, {}, cache, node)
    assert made == {f"{name}c": content for name, content in modules.items()} | {
        "app/sums.toml": b"[sums]",
        "app/empty/": b"",
    }
    idle = put_node(tmp_path / "idle", "exit 1")
    assert compile_modules(FILES, {}, cache, idle) == made
    with pytest.raises(NoPyodide):
        compile_modules({**FILES, "app/sums.py": b"one = 2"}, {}, cache, idle)
    [stored] = cache.glob("*.zip")
    stored.write_bytes(stored.read_bytes()[:-30])
    with pytest.raises(NoPyodide):
        compile_modules(FILES, {}, cache, idle)
    assert compile_modules(FILES, {}, cache, node) == made


@pytest.mark.nightly
def test_what_is_no_python_is_said(release: dict[str, bytes], tmp_path: Path) -> None:
    """In one line, with its place; nothing is kept. At night, because it starts the Python of phones."""
    with pytest.raises(
        NoPyodide, match=r"Node\.js did not compile for phones \(.*SyntaxError: .*\)$"
    ) as reported:
        compile_modules({"app/wrong.py": b"def :"}, release, tmp_path, os.environ)
    assert "\n" not in str(reported.value)
    assert list(tmp_path.iterdir()) == []


def test_without_node_nothing_is_compiled(tmp_path: Path) -> None:
    """Not installed; or too old for it, say."""
    with pytest.raises(NoPyodide, match=r"^Node\.js is not installed"):
        compile_modules(FILES, {}, tmp_path, {"PATH": ""})
    old = put_node(tmp_path / "bin", "echo 'SyntaxError: Unexpected token' >&2; exit 1")
    with pytest.raises(NoPyodide, match="SyntaxError: Unexpected token"):
        compile_modules(FILES, {}, tmp_path, old)


def test_a_fault_tells_its_place() -> None:
    """The module and the line, for the console of a browser; what it says of itself is left out."""
    compiled = compile_module(MODULE, "app/sums.py")
    assert b"Their sum" not in compiled and b"an assertion" not in compiled
    code = marshal.loads(compiled[16:])
    module: dict[str, Any] = {}
    exec(code, module)
    assert module["add"](1, 2) == 3
    with pytest.raises(TypeError) as reported:
        module["add"](1, "2")
    frame = reported.traceback[-1]
    assert (str(frame.frame.code.raw.co_filename), frame.lineno + 1) == ("app/sums.py", 5)
