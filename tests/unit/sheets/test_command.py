"""What `companion sheet` prints and what it refuses: nothing that is asked for is taken and then ignored."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion import cli
from companion.record import record as records

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks


@pytest.mark.parametrize(
    "more", [["FILE"], ["FILE", "--kind", "blank"], ["--kind", "blank", "--game", "durak", "--players", "5"]]
)
def test_sheet_prints_a_pdf(five: tuple[Any, Any], tmp_path: Path, more: list[str]) -> None:
    """A match sheet comes out as PDF, and an empty one, of a record or of a game for so many."""
    record, out = tmp_path / "record.json", tmp_path / "sheet.pdf"
    record.write_text(json.dumps(records.write_record(five[0])), encoding="utf-8")
    words = [str(record) if word == "FILE" else word for word in more]
    assert cli.main(["sheet", *words, "-o", str(out), "--paper", "a5"]) == 0
    assert out.read_bytes().startswith(b"%PDF-")


REFUSED: dict[str, tuple[list[str], str]] = {
    "sheet without record": (["sheet", "-o", "x.pdf"], "error: FILE: required"),
    "unknown language": (
        ["sheet", "-o", "x.pdf", "--lang", "xx", "r.json"],
        "error: --lang: must be one of en",
    ),
    "unknown game": (
        ["sheet", "-o", "x.pdf", "--kind", "blank", "--game", "chess"],
        "error: game: must be one of",
    ),
    "sheet of a record and a game": (
        ["sheet", "-o", "x.pdf", "--game", "derda", "r.json"],
        "error: --game: must",
    ),
    "blank sheet of a record and a game": (
        ["sheet", "-o", "x.pdf", "--kind", "blank", "--game", "derda", "r.json"],
        "error: --game: must be left out beside records",
    ),
    "blank sheet of two records": (
        ["sheet", "-o", "x.pdf", "--kind", "blank", "r.json", "s.json"],
        "error: FILE: must be one record with --kind blank, not 2",
    ),
    "preset of no game": (
        ["sheet", "-o", "x.pdf", "--preset", "sets", "r.json"],
        "error: --preset, --players: useless without --game",
    ),
    "tally of an evening": (
        ["sheet", "-o", "x.pdf", "--kind", "evening", "--tally", "r.json"],
        "error: --tally: must",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_change_nothing(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused in one line, with code 2, before anything is read."""
    arguments, said = REFUSED[name]
    assert cli.main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(said) and len(error.splitlines()) == 1
