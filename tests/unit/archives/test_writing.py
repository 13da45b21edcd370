"""What is written to be taken along: records with their history, archives, tables."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast
from zoneinfo import ZoneInfo

import pytest
from derda import DEAL, HEAD

from companion import archives
from companion.matches import AddEntry, AttachRuling, DetachRuling, Match, Matches
from companion.rules.seats import LETTERS

from .instances import JAN, ME, Write

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/using/record.md"


@pytest.fixture
def match(here: Matches, write: Write) -> Match:
    id = here.start(HEAD | {"place": "=Łódź"}, ME, "form")
    write(here, id, AddEntry(DEAL))
    here.store.append_events(
        id, 1, [replace(here.open(id).events[0], kind="agree", entry=1, author=JAN, payload={"side": "B"})]
    )
    return write(here, id, AddEntry(DEAL))


def test_phones_are_letters_and_nobodys_token_goes_along(here: Matches, match: Match) -> None:
    document = archives.write_match(here, match)
    assert [each.get("author") for each in document["log"]] == [None, "a", "b", "a"]
    text = archives.format_json(document).decode()
    assert ME not in text and JAN not in text
    assert document["id"] == match.id


def test_a_ruling_goes_along_also_one_that_was_taken_off(here: Matches, match: Match, write: Write) -> None:
    ruling = here.save_ruling(ME, "form", {"asked": "Whose?", "match": match.id})
    payload = {"id": ruling.id, "question": "Whose?", "verdict": "Ewa’s"}
    match = write(here, match.id, AttachRuling(payload, 1))
    match = write(here, match.id, DetachRuling(match.seq))
    document = archives.write_match(here, match)
    assert document["rulings"] == [{"id": ruling.id, "at": ruling.at, "content": dict(ruling.content)}]


def test_an_archive_holds_matches_and_rulings_that_none_has(
    here: Matches, match: Match, write: Write
) -> None:
    attached = here.save_ruling(ME, "form", {"asked": "Whose?"})
    loose, foreign = here.save_ruling(ME, "another", {}), here.save_ruling(JAN, "form", {})
    write(here, match.id, AttachRuling({"id": attached.id, "question": "?", "verdict": "!"}, 1))
    other = here.start(HEAD, ME, "another")
    file, reports = io.BytesIO(), list[tuple[int, int]]()
    left_out = archives.write_archive(
        here, ME, [match.id, "none", other], file, lambda done, total: reports.append((done, total))
    )
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
        documents = [json.loads(archive.read(name)) for name in names]
    assert [name.partition("/")[0] for name in names] == ["matches", "matches", "rulings"]
    assert [document["id"] for document in documents] == [match.id, other, loose.id]
    assert names[0] == f"matches/derda-2026-11-20-ewa-jan-{match.id[:8]}.json"
    assert foreign.id not in str(names)
    assert left_out == ["none"]
    assert reports == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_sheets_come_into_an_archive_only_on_demand(here: Matches, match: Match) -> None:
    file = io.BytesIO()
    archives.write_archive(here, ME, [match.id], file, print_sheet=lambda each: f"PDF of {each.id}".encode())
    with zipfile.ZipFile(file) as archive:
        sheet = next(name for name in archive.namelist() if name.startswith("sheets/"))
        assert archive.read(sheet) == f"PDF of {match.id}".encode()


@pytest.mark.parametrize(
    ("zone", "day", "time"),
    [("UTC", "2026-11-22", (22, 23, 46)), ("Europe/Warsaw", "2026-11-23", (23, 0, 46))],
)
def test_files_are_named_and_dated_by_the_clock_of_the_reader(
    here: Matches, monkeypatch: pytest.MonkeyPatch, zone: str, day: str, time: tuple[int, ...]
) -> None:
    monkeypatch.setattr(here, "_now", lambda: datetime(2026, 11, 22, 23, 46, tzinfo=UTC))
    id, file = here.start(HEAD, ME, "form"), io.BytesIO()
    archives.write_archive(here, ME, [id], file, print_sheet=lambda each: b"PDF", zone=ZoneInfo(zone))
    with zipfile.ZipFile(file) as archive:
        match, sheet = archive.infolist()
    name = f"derda-{day}-ewa-jan-{id[:8]}"
    assert [match.filename, sheet.filename] == [f"matches/{name}.json", f"sheets/{name}.pdf"]
    assert match.date_time == sheet.date_time == (2026, 11, *time, 0)


def test_an_archive_needs_no_more_than_a_stream(here: Matches, match: Match) -> None:
    """What is written goes out at once, so that no archive need fit into memory or on a disk."""

    class Stream(io.RawIOBase):
        def __init__(self) -> None:
            self.content = b""

        def writable(self) -> bool:
            return True

        def write(self, part: Any) -> int:
            self.content += bytes(part)
            return len(part)

    stream = Stream()
    archives.write_archive(here, ME, [match.id], cast(IO[bytes], stream))
    assert [each.plan for each in archives.look_through(here, ME, stream.content)] == ["skipped"]


def table(*matches: Match, separator: str = ",") -> list[dict[str, str]]:
    text = io.StringIO(newline="")
    archives.write_csv(matches, text, separator)
    return list(csv.DictReader(io.StringIO(text.getvalue()), delimiter=separator))


def test_a_table_has_a_row_for_each_deal(match: Match) -> None:
    first, second = table(match)
    assert tuple(first) == archives.COLUMNS
    assert (first["entry"], first["deal"], second["deal"]) == ("1", "1", "2")
    names = [first[key] for key in ("game", "preset", "name_A", "name_B")]
    assert names == ["derda", "standard", "Ewa", "Jan"]
    assert (first["dealer"], first["declarer"], first["trump"], first["result"]) == ("A", "A", "H", "made")
    points = [second[key] for key in ("made_A", "scored_B", "total_A", "total_B")]
    assert points == ["82", "65", "164", "130"]
    assert first["name_C"] == first["total_C"] == first["loser"] == ""
    assert table(match, separator=";") == [first, second], "and none for the agreement between them"


def test_every_column_is_described() -> None:
    """In docs/using/record.md, those of a side by what stands before its letter; and no other is."""
    described = DOCUMENT.read_text("utf-8").partition("**As a table**")[2].partition("\n- **")[0]
    named = re.findall(r"`(\w+)`", described)
    columns = [f"{name}{side}" for name in named for side in (LETTERS if name.endswith("_") else [""])]
    assert sorted(columns) == sorted(archives.COLUMNS)


def test_a_table_of_hands_names_who_lost(here: Matches, write: Write) -> None:
    head = {"game": "durak", "players": ["Ewa", "Jan", "Ala"], "first_dealer": "A"}
    hands = ({"type": "hand", "loser": "B"}, {"type": "touch", "by": "A", "cards": "cut"})
    id = here.start(head, ME, "form")
    rows = table(write(here, id, *map(AddEntry, hands)))
    cells = [[row[key] for key in ("type", "deal", "loser", "total_B")] for row in rows]
    assert cells == [["hand", "1", "B", "1"], ["touch", "", "", "1"]]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", " =1", "＝1"])
def test_nothing_that_was_typed_is_a_formula(text: str) -> None:
    """A cell that a spreadsheet would calculate begins with an apostrophe; numbers stay numbers."""
    from companion.archives.writing import guard_cell

    assert guard_cell(text) == f"'{text}"
    assert guard_cell(-1) == -1


def test_names_places_and_notes_are_guarded_in_a_table(here: Matches, write: Write) -> None:
    head = HEAD | {"players": ["=HYPERLINK(1)", "@Jan"], "place": "+48"}
    id = here.start(head, ME, "form")
    (row,) = table(write(here, id, AddEntry(DEAL | {"note": "-2+3"})))
    guarded = [row[key] for key in ("name_A", "name_B", "place", "note")]
    assert guarded == ["'=HYPERLINK(1)", "'@Jan", "'+48", "'-2+3"]
