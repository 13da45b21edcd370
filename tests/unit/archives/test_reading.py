"""Files that are none, too large, damaged or made to hurt: each says what is wrong, and nothing is taken."""

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion import archives
from companion.archives import reading
from companion.matches import Matches

from .instances import ME, RECORD, zip_of


def problem_of(matches: Matches, data: reading.Data) -> str:
    """Why the one thing that was handed in is refused."""
    (found,) = archives.look_through(matches, ME, data, "file")
    assert (found.plan, archives.import_found(matches, ME, [found])[0].plan) == ("refused", "refused")
    assert matches.list_matches(ME) == []
    return str(found.problem)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "document: must be valid JSON; there is an error in line 1, column 1"),
        (b'{"format": "companion-rows", "version": 2}', "version: must be 1, not 2"),
        (
            b'{"format": "companion-rows", "version": 1, "rows": [[7, 7]]}',
            "rows: must be rows that this version of the app can read",
        ),
        (b"[]", "document: must be a match record, which is a JSON object, not []"),
        (b"\xff\xfe", "document: must be text in UTF-8"),
        (b'{"a": NaN}', "document: must be JSON with numbers and nesting of ordinary size"),
        (b'{"a": 1e999}', "document: must be JSON with numbers and nesting of ordinary size"),
        (b'{"a": ' + b"1" * 5000 + b"}", "document: must be JSON with numbers and nesting of ordinary size"),
        (b"[" * 100_000, "document: must be JSON with numbers and nesting of ordinary size"),
        (
            b'{"a": 1, "b": {"c": 1, "c": 2}}',
            'document: must be JSON in which no object has the key "c" twice',
        ),
        (b"{}", "format: required"),
        (b"PK\x03\x04 and no more", "document: must be an undamaged ZIP archive"),
    ],
)
def test_what_is_no_record_says_what_it_should_be(here: Matches, data: bytes, problem: str) -> None:
    assert problem_of(here, data) == problem


def test_rows_of_a_match_with_an_endless_id_are_refused(here: Matches) -> None:
    """No file in an archive can be called by it."""
    head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
    row = {"owner": ME, "head": head, "created_at": "", "rulebook": "", "changed_at": ""}
    rows = {"format": "companion-rows", "version": 1, "rows": [[["match", "x" * 70_000], row]]}
    assert problem_of(here, json.dumps(rows).encode()).startswith("id: must be a text of")


LARGE = b" " * (1024**2 + 1)
LIMITED = [
    ("MAX_BYTES", 1024**2, LARGE, "a file of at most 1 MB"),
    ("MAX_BYTES", 1024**2, zip_of({"a.json": LARGE}), "a file of at most 1 MB"),
    (
        "MAX_UNPACKED",
        2 * 1024**2,
        zip_of({f"{n}.json": b"\0" * 1024**2 for n in range(3)}),
        "an archive of at most 2 MB when it is unpacked",
    ),
    ("MAX_FILES", 2, zip_of({f"{n}": b"" for n in range(3)}), "an archive of at most 2 files"),
]


@pytest.mark.parametrize(("limit", "most", "data", "what"), LIMITED, ids=[row[0] for row in LIMITED])
def test_what_is_too_much_says_how_much_it_may_be(
    here: Matches, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, data: bytes, what: str
) -> None:
    """A document, an archive of too many files, and a bomb before it is unpacked."""
    monkeypatch.setattr(reading, limit, most)
    assert problem_of(here, data) == f"document: must be {what}"


def test_a_damaged_member_is_refused(here: Matches) -> None:
    """Also one that lies about its size: no more than it says is unpacked; and one with a password."""
    damaged = bytearray(zip_of({"a.json": RECORD}, zipfile.ZIP_STORED))
    damaged[damaged.index(b"Ewa")] = ord("X")
    lying = bytearray(zip_of({"a.json": b" " * 100_000}))
    directory = lying.index(b"PK\x01\x02")
    lying[directory + 24 : directory + 28] = struct.pack("<I", 10)
    for content in (damaged, lying):
        assert problem_of(here, bytes(content)) == "document: must be packed without damage"
    other = io.BytesIO()  # of a method that may take any amount of memory
    with zipfile.ZipFile(other, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.json", b"{}")
    assert problem_of(here, other.getvalue()) == "document: must be packed without damage"
    locked = bytearray(zip_of({"a.json": b"{}"}))
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    assert problem_of(here, bytes(locked)) == "document: must be packed without a password"


def test_a_file_is_read_where_it_lies(here: Matches, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(RECORD))
    (found,) = archives.look_through(here, ME, file)
    assert (found.name, found.plan) == ("match.json", "new")
    assert problem_of(here, tmp_path / "none.json") == "document: must be a file that can be read"


def test_names_in_an_archive_lead_nowhere(here: Matches, tmp_path: Path) -> None:
    """Nothing is unpacked to a disk; a name is only shown, in one line."""
    name = "../../" * 9 + str(tmp_path / "evil\n.json").lstrip("/")
    (found,) = archives.look_through(here, ME, zip_of({name: RECORD}))
    archives.import_found(here, ME, [found])
    assert list(tmp_path.iterdir()) == []
    assert found.name.endswith("evil�.json") and found.plan == "new"


def test_what_lies_in_an_archive_for_people_is_left_aside(here: Matches) -> None:
    content = {"matches/a.json": RECORD, "sheets/a.pdf": b"%PDF"}
    content |= dict.fromkeys(("table.csv", "__MACOSX/a.json", ".DS_Store", "folder/"), b"")
    assert [each.name for each in archives.look_through(here, ME, zip_of(content))] == ["matches/a.json"]


def test_an_archive_in_an_archive_is_no_record(here: Matches) -> None:
    inner = zip_of({"a.json": RECORD})
    assert problem_of(here, zip_of({"inner.zip": inner})).startswith("document: must be ")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"version": 2}, "version: must be 1, not 2"),
        ({"id": "../secret"}, 'id: must be the id of a saved ruling, not "../secret"'),
        ({"content": []}, "content: must be an object, not []"),
        ({"at": 5}, "at: must be a text of 1 to 32 characters, not 5"),
        ({"owner": "me"}, "owner: unknown key; known keys are id, at, content"),
    ],
)
def test_a_ruling_that_is_none_is_refused(here: Matches, change: dict[str, Any], problem: str) -> None:
    ruling = {"format": "companion-ruling", "version": 1, "id": "r" * 22, "at": "x", "content": {}}
    assert problem_of(here, json.dumps(ruling | change).encode()) == problem
