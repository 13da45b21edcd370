"""The how-tos, followed in a copy of the checkout: their files, their changes, their commands."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import dedent
from time import sleep
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOWTOS = ROOT / "docs" / "howto"
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r"\b(As|In|At\s+the\s+end\s+of|as)\s+`([\w./-]+)`:\s*$")
FOLLOWED = ["column", "default", "game", "house-rule", "language", "operation", "page", "question"]


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
        case [".venv/bin/companion", "serve", *rest]:
            with serving(
                [sys.executable, "-m", "companion.cli", "serve", *rest], checkout, environ
            ) as address:
                play(address, "quay")
            return
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


@contextmanager
def serving(command: list[str], checkout: Path, environ: dict[str, str]) -> Iterator[str]:
    """A server started as a page says, once it answers."""
    address = f"http://127.0.0.1:{command[command.index('--port') + 1]}"
    server = subprocess.Popen(command, cwd=checkout, env=environ)
    try:
        for _attempt in range(600):
            with suppress(OSError), urlopen(f"{address}/readyz") as answer:
                assert answer.status == 200
                break
            sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait()


def play(address: str, game: str) -> None:
    """Begin a match of a game in a browser without scripts, write a deal into it, and print its sheet."""
    browser = build_opener(HTTPCookieProcessor())

    def read(path: str, **typed: str) -> tuple[str, bytes]:
        sent = urlencode(typed).encode() if typed else None
        with browser.open(path if path.startswith("http") else address + path, sent) as answer:
            return answer.url, answer.read()

    def fill(page: str, **typed: str) -> dict[str, str]:
        """What the hidden fields of a page's forms carry, and what was typed."""
        inputs = re.findall(r'<input [^>]*type="hidden"[^>]*>', read(page)[1].decode())
        hidden = [dict(re.findall(r'([\w-]+)="([^"]*)"', tag)) for tag in inputs]
        return {tag["name"]: tag.get("value", "") for tag in hidden} | typed

    assert b"the club by the harbour" in read(f"/en/rules/{game}")[1]
    seated = {f"name-{seat}": name for seat, name in zip("ABCD", ("Ewa", "Jan", "Ola", "Piotr"), strict=True)}
    match, _board = read("/en/new", **fill(f"/en/new?game={game}", game=game, dealer="A", **seated))
    typed = {"bid": "A:H", "counting": "totals", "total_A": "120", "total_B": "62", "do": "save"}
    _address, board = read(f"{match}/deal", **fill(f"{match}/deal", **typed))
    assert b"120" in board
    printed = b""
    for _attempt in range(120):  # while a worker prints it a page says so
        printed = read(f"{match}/sheet.pdf?paper=a4")[1]
        if printed.startswith(b"%PDF"):
            return
        sleep(1)
    raise AssertionError(printed[-2000:])


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
