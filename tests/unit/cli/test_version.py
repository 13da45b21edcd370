"""The version is stated once, and whoever asks is told it."""

import re
import tomllib
from pathlib import Path

import pytest

from companion import __version__, cli

ROOT = Path(__file__).parents[3]


def test_the_command_line_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"companion {__version__}\n"


def test_packages_read_it_from_the_program() -> None:
    described = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in described["project"]
    assert described["project"]["dynamic"] == ["readme", "version"]
    assert described["tool"]["hatch"]["version"] == {"path": "companion/__init__.py"}


def test_the_changes_of_it_are_listed() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGES.md").read_text("utf-8"), re.MULTILINE)
    assert next(heading for heading in headings if heading != "Unreleased") == __version__
