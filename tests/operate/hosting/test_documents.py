"""What README, CONTRIBUTING and docs say is there: settings, commands, links, files."""

import argparse
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion import cli

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
EXAMPLES = [ROOT / "Containerfile", *sorted(path for path in (ROOT / "docs/hosting").iterdir())]
SHELL = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")
PLACE = re.compile(r"`((?:companion|docs|static|templates|tests)/[\w./-]+)`")
SETTING = re.compile(r"\bCOMPANION_[A-Z_]*[A-Z]\b")
TO_BE_MADE = {
    "companion/translations/sk/",
    "companion/offline_app/files/",
    "tests/unit/store/before/NNNN.sql",
}
"""Places that a reader makes."""
HOWTOS = ROOT / "docs" / "howto"
FILLED_IN = {"ID…": "id", "FILE…": "a.json", "FILE": "a.json", "…": "x"}


def name(document: Path) -> str:
    return str(document.relative_to(ROOT))


@cache
def settings() -> set[str]:
    """Every setting that the code names, with its lead."""
    code = "\n".join(path.read_text() for path in (ROOT / "companion").glob("**/*.py"))
    listed = re.findall(r'\bSetting\(\s*"([A-Z_]+)"', code) + re.findall(r'former="([A-Z_]+)"', code)
    return {f"COMPANION_{item}" for item in listed} | set(SETTING.findall(code))


@pytest.mark.parametrize("document", [*DOCUMENTS, *EXAMPLES], ids=name)
def test_settings_exist(document: Path) -> None:
    """No document tells of a setting that nobody reads."""
    assert set(SETTING.findall(document.read_text())) <= settings()


def headings(document: Path) -> set[str]:
    """The anchors of a document, as they are made of its headings."""
    found = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL), re.MULTILINE
    )
    plain = (re.sub(r"[^\w\- ]", "", item.lower()) for item in found)
    return {item.replace(" ", "-") for item in plain}


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_lead_somewhere(document: Path) -> None:
    """To a file that is there, and to a heading in it."""
    for link in LINK.findall(document.read_text()):
        if "://" in link:
            continue
        place, _hash, anchor = link.partition("#")
        target = (document.parent / place).resolve() if place else document
        assert target.exists(), link
        assert not anchor or anchor in headings(target), link


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_places_exist(document: Path) -> None:
    """Files and folders of the house that are named by their path."""
    text = document.read_text()
    if document.parent == HOWTOS:
        text = re.sub(r"`[^`]+`:$", "", text, flags=re.MULTILINE)  # files that its reader writes
    named = set(PLACE.findall(text)) - TO_BE_MADE
    assert {item for item in named if not (ROOT / item).exists()} == set()


def commands(document: Path) -> Iterator[list[str]]:
    """Every command of a document's shell blocks, in words, without what stands before or behind it."""
    for block in SHELL.findall(document.read_text()):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(re.sub(r"\$\([^()]*\)", "x", line), comments=True)
            command: list[str] = []
            for word in [*words, ";"]:
                if word in (";", "&&", "||", "|", ">", ">>", "&"):
                    if command:
                        yield command
                    command = []
                else:
                    command.append(FILLED_IN.get(word, word))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_our_commands_are_understood(document: Path) -> None:
    """Those of the command line, with their options; those of `./dev`; modules that are run."""
    usage = (ROOT / "dev").read_text().partition("<<'END'")[2].partition("END")[0]
    for words in commands(document):
        while words and (words[0] in ("env", "exec") or re.match(r"[A-Z_]+=", words[0])):
            words = words[1:]
        match [word.removeprefix(".venv/bin/").removeprefix("/opt/companion/.venv/bin/") for word in words]:
            case ["companion", *rest] if rest and "…" not in " ".join(rest):
                parse(rest)
            case ["./dev", command, *_rest]:
                assert re.search(rf"^  {command}\b", usage, re.MULTILINE), command
            case ["python", "-m", module, *_rest]:
                assert (ROOT / module.replace(".", "/")).exists(), module


def parse(words: list[str]) -> None:
    """Let the command line read its arguments. :raises Refused: when it would not understand them."""
    parsed = cli._parser().parse_args(words)
    assert isinstance(parsed, argparse.Namespace)


def test_every_command_is_told_of() -> None:
    """Some document shows each command of the command line."""
    text = "\n".join(document.read_text() for document in DOCUMENTS)
    [choices] = [
        action.choices for action in cli._parser()._actions if isinstance(action, argparse._SubParsersAction)
    ]
    assert [choice for choice in choices if f"companion {choice}" not in text] == []


def test_pages_say_what_the_page_on_hosting_quotes() -> None:
    """What stands in italics there is a button or a title of ours, as it is written on pages."""
    messages = (ROOT / "companion/translations/messages.pot").read_text()
    quoted = re.findall(r"(?<![*\w])\*([A-Z][^*\n]+)\*(?!\*)", (ROOT / "docs/hosting/README.md").read_text())
    assert len(quoted) > 5
    assert [item for item in quoted if item != "Killed" and f'"{item}' not in messages] == []
