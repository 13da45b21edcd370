"""Commands, and an instance with three matches for them."""

import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from derda import HEAD

from companion import cli
from companion.cli import language

from .instance import ME, Feed, Run, Write, add_deal, opened


@pytest.fixture(autouse=True)
def speaks_english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No variable names a language, and none is spoken on after the test."""
    for name in ("LANGUAGE", *language.LOCALES):
        monkeypatch.delenv(name, raising=False)
    yield
    language.speak("en")


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the instance that commands work on; there is nothing in it yet."""
    folder = tmp_path / "instance"
    monkeypatch.setenv("COMPANION_INSTANCE", str(folder))
    for name in ("COMPANION_DATABASE", "COMPANION_SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def ids(instance: Path) -> list[str]:
    """Two matches of one browser and one of another; the first two have two deals each."""
    with opened() as matches:
        made = [matches.start(HEAD, owner, form) for owner, form in ((ME, "a"), (ME, "b"), ("other", "c"))]
        for id in made[:2] * 2:
            add_deal(matches, id)
    return made


@pytest.fixture
def run(instance: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command: its code, what it says, and what is wrong."""

    def go(*words: object) -> tuple[int, str, str]:
        code = cli.main([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return go


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a JSON document to a file and give its path."""

    def put(document: object, name: str = "record.json") -> str:
        path = tmp_path / name
        text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return put


@pytest.fixture
def feed(monkeypatch: pytest.MonkeyPatch) -> Feed:
    """Put a text, or lines of JSON documents, on standard input."""

    def put(lines: str | Sequence[object]) -> None:
        text = lines if isinstance(lines, str) else "\n".join(json.dumps(line) for line in lines)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8"))))

    return put
