"""The how-tos, followed in a copy of the checkout: their files, their changes, their commands."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOWTOS = ROOT / "docs" / "howto"
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r"\b(As|In|At\s+the\s+end\s+of|as)\s+`([\w./-]+)`:\s*$")
FOLLOWED = ["column", "game", "house-rule", "language", "page", "question"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what is in the repository, with the environment of this one."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def steps(text: str) -> Iterator[tuple[str, str, str]]:
    """The blocks of a page in their order: how, for which file, what."""
    place = ("", "")
    end = 0
    for block in BLOCK.finditer(text):
        if named := PLACE.search(text[end : block.start()].rstrip(" ")):
            place = (" ".join(named[1].split()), named[2])
        end = block.end()
        yield (block[2] if block[2] in ("sh", "diff") else place[0]), place[1], dedent(block[3])


def apply(source: str, changes: str) -> str:
    """A source with the lines behind `-` replaced by those behind `+`."""
    before = [line[1:] for line in changes.splitlines() if line.startswith("-")]
    after = [line[1:] for line in changes.splitlines() if line.startswith("+")]
    assert source.count("\n".join(before)) == 1, f"not there, or more than once: {before}"
    return source.replace("\n".join(before), "\n".join(after))


def run(command: list[str], checkout: Path) -> None:
    """One command of a page, as if `./dev setup` had been run in the checkout."""
    environ = os.environ | {"PYTHONPATH": str(checkout), "COMPANION_INSTANCE": str(checkout / "instance")}
    while "=" in command[0]:
        name, _equals, value = command.pop(0).partition("=")
        environ[name] = value
    match command:
        case [".venv/bin/companion", *rest]:
            command = [sys.executable, "-m", "companion.cli", *rest]
        case [".venv/bin/python", *rest]:
            command = [sys.executable, *rest]
        case ["./dev", "test", *rest] if "--nightly" not in rest:
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:playwright", *rest]
        case ["./dev", "translate", *languages]:
            command = ["sh", "-c", f". ./dev >/dev/null; translate {shlex.join(languages)}"]
        case ["./dev", "check" | "run" | "test", *_]:
            return
    done = subprocess.run(command, cwd=checkout, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, f"{shlex.join(command)}: {done.stdout[-3000:]}{done.stderr[-3000:]}"


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_howto_leads_to_its_end(name: str, checkout: Path) -> None:
    """Whoever does what it says has what it promises, and its cases and pages pass."""
    followed = 0
    for kind, place, text in steps((HOWTOS / f"{name}.md").read_text("utf-8")):
        path = checkout / place
        followed += 1
        match kind:
            case "sh":
                for line in text.splitlines():
                    if words := shlex.split(line, comments=True):
                        run(words, checkout)
            case "diff":
                path.write_text(apply(path.read_text("utf-8"), text), "utf-8")
            case "At the end of":
                path.write_text(path.read_text("utf-8") + "\n" + text, "utf-8")
            case _:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
    assert followed > 2
