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
    record, out = tmp_path / "record.json", tmp_path / "sheet.pdf"
    record.write_text(json.dumps(records.write_record(five[0])), encoding="utf-8")
    words = [str(record) if word == "FILE" else word for word in more]
    assert cli.main(["sheet", *words, "-o", str(out), "--paper", "a5"]) == 0
    assert out.read_bytes().startswith(b"%PDF-")


REFUSED = [
    ("", "FILE: required"),
    ("--kind blank --game chess", "game: must be one of"),
    ("--game derda r.json", "--game: must"),
    ("--kind blank --game derda r.json", "--game: must be left out beside records"),
    ("--kind blank r.json s.json", "FILE: must be one record with --kind blank, not 2"),
    ("--preset sets r.json", "--preset, --players: useless without --game"),
    ("--kind evening --tally r.json", "--tally: must"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_would_change_nothing(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sheet", "-o", "x.pdf", *words.split()]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {said}") and len(error.splitlines()) == 1
