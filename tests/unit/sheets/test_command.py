"""What `companion sheet` prints and what it refuses: nothing that is asked for is taken and then ignored."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion import cli, sheets
from companion.record import record as records

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks


@pytest.mark.parametrize(
    "more",
    [
        ["FILE"],
        ["FILE", "--negative-units"],
        ["FILE", "--kind", "blank"],
        ["--kind", "blank", "--game", "durak", "--players", "5"],
    ],
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
    ("--kind blank --negative-units --game derda", "--negative-units: must"),
    ("--kind blank --timezone UTC r.json", "--timezone: must be left out with --kind blank"),
    (
        "--timezone Warsaw r.json",
        "--timezone: must be the name of a time zone, such as Europe/Warsaw, not Warsaw",
    ),
]


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_would_change_nothing(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sheet", "-o", "x.pdf", *words.split()]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {said}") and len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("started", "words", "said"),
    [
        ("2026-11-23T00:46:00+01:00", "", "23 November 2026, 00:46"),
        ("2026-11-22T23:46:00Z", "", "22 November 2026, 23:46 (UTC)"),
        ("2026-11-22T23:46:00Z", "--timezone Europe/Warsaw", "23 November 2026, 00:46 (Europe/Warsaw)"),
        (
            "2026-11-22T23:46:00Z",
            "--kind evening --timezone Asia/Tokyo",
            "23 November 2026, 08:46 (Asia/Tokyo)",
        ),
    ],
)
def test_dates_are_of_the_zone_that_is_named(
    five: tuple[Any, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    started: str,
    words: str,
    said: str,
) -> None:
    """Else of the table's; the sheet names the zone where that is another one, and UTC."""
    monkeypatch.setattr(sheets, "print_sheets", lambda pages, **more: pages[0].facts[0].encode())
    record, out = tmp_path / "record.json", tmp_path / "sheet.pdf"
    record.write_text(json.dumps(records.write_record(five[0]) | {"started": started}), encoding="utf-8")
    assert cli.main(["sheet", str(record), *words.split(), "-o", str(out)]) == 0
    assert out.read_text("utf-8") == said
