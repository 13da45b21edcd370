"""Matches out by the command line, and in again."""

import csv
import json
import re
import zipfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from derda import HEAD

from companion import sheets
from companion.cli import archives, main
from companion.matches import Matches
from companion.sheets import Unprintable

from .instance import ME, RECORD, Run, move_to, opened, spoil

# --- export ---------------------------------------------------------------------------------------


def test_one_match_goes_out_as_a_record_with_its_history(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    assert run("export", ids[0], "-o", file) == (0, "", "")
    document = json.loads(file.read_text())
    assert (document["id"], len(document["log"]), len(document["entries"])) == (ids[0], 3, 2)
    assert run("export", f"https://cards.club/en/m/{ids[1]}/history?x=1", "-o", file)[0] == 0
    assert json.loads(file.read_text())["id"] == ids[1]
    assert "A 164 B 130" in run("score", file)[1]


def test_an_id_may_begin_as_an_option_does(run: Run, tmp_path: Path, ids: list[str]) -> None:
    """One in 64 does: it goes out, and names an owner, like any other."""
    with opened() as matches:
        form = next(form for form in map(str, range(10_000)) if matches.make_id(ME, form).startswith("-"))
        id = matches.start(HEAD, ME, form)
    file = tmp_path / "match.json"
    assert run("export", id, "-o", file) == (0, "", "")
    assert json.loads(file.read_text())["id"] == id
    code, _out, err = run("import", file, "--owner", id)
    assert (code, err) == (0, "")


def test_no_option_is_taken_for_an_id() -> None:
    """Nor may one that will be added."""
    for name in ("export", "import", "backup", "restore", "serve", "score", "rule", "sheet", "games"):
        with pytest.raises(SystemExit), redirect_stdout(StringIO()) as said:
            main([name, "--help"])
        options = re.findall(r"(?<![\w-])--?[a-z][\w-]*", said.getvalue())
        assert options, name
        assert [archives.protect_id(option) for option in options] == options


@pytest.mark.nightly
def test_several_go_out_as_an_archive_and_all_as_well(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "matches.zip"
    assert run("export", *ids[:2], "-o", file) == (0, "", "")
    assert names_in(file) == ["matches", "matches"]
    assert run("export", "--all", "-o", file)[0] == 0
    assert names_in(file) == ["matches", "matches", "matches"]
    assert run("export", ids[0], "--sheets", "--lang", "pl", "-o", file)[0] == 0
    assert names_in(file) == ["matches", "sheets"]
    assert list(tmp_path.glob("*.part")) == []


def test_what_sheets_of_an_archive_lack_is_said(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On standard error, by the match; the archive is written all the same."""
    lacking = Unprintable(("王芳",), ("fonts-noto-cjk",))
    monkeypatch.setattr(sheets, "print_sheets", lambda pages, report, **more: report(lacking) or b"")
    file = tmp_path / "matches.zip"
    code, _said, problems = run("export", ids[0], "--sheets", "-o", file)
    assert code == 0 and names_in(file) == ["matches", "sheets"]
    assert problems == f"{ids[0]}: {lacking.describe()}\n"


def test_an_archive_is_of_one_clock(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The days in its names, and on its sheets, are those of the zone; else of UTC, and of the table."""
    monkeypatch.setattr(sheets, "print_sheets", lambda pages, **more: pages[0].facts[0].encode())
    head = HEAD | {"started": "2026-11-23T00:46:00+01:00"}
    monkeypatch.setattr(Matches, "timestamp", lambda matches: "2026-11-22T23:46:00.000+00:00")
    with opened() as matches:
        id = matches.start(head, ME, "late")
    file, said = tmp_path / "matches.zip", {}
    for words in ((), ("--timezone", "America/New_York"), ("--timezone", "Asia/Tokyo")):
        assert run("export", id, "--sheets", *words, "-o", file) == (0, "", "")
        with zipfile.ZipFile(file) as archive:
            match, sheet = archive.namelist()
            said[words[-1:]] = match.partition("derda-")[2][:10], archive.read(sheet).decode()
    assert said == {
        (): ("2026-11-22", "23 November 2026, 00:46"),
        ("America/New_York",): ("2026-11-22", "22 November 2026, 18:46 (America/New_York)"),
        ("Asia/Tokyo",): ("2026-11-23", "23 November 2026, 08:46 (Asia/Tokyo)"),
    }


def names_in(file: Path) -> list[str]:
    with zipfile.ZipFile(file) as archive:
        return [name.partition("/")[0] for name in archive.namelist()]


def test_a_table_has_the_deals_of_all_matches(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "deals.csv"
    assert run("export", "--all", "-o", file) == (0, "", "")
    with file.open(newline="", encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    # An id may begin as a formula does, and then has an apostrophe in front.
    assert [(row["match"].lstrip("'"), row["deal"]) for row in rows] == [
        (id, n) for id in ids[:2] for n in "12"
    ]


ONE_ONLY = "-o: must end in .zip or .csv for more than one match; .json holds one"
NO_ZONE = "--timezone: must be the name of a time zone, such as Europe/Warsaw, not {}"
REFUSED = [
    ("-o a.zip", "ID: required, or --all in place of them"),
    ("x --all -o a.zip", "ID: required, or --all in place of them"),
    ("x -o a.txt", "-o: must end in .json, .zip, .csv, not a.txt"),
    ("x y -o a.json", ONE_ONLY),
    ("--all -o a.json", ONE_ONLY),
    ("x --sheets -o a.json", "--sheets: must be left out unless -o ends in .zip"),
    ("x --timezone UTC -o a.csv", "--timezone: must be left out unless -o ends in .zip"),
    ("--all --timezone Mars/Base -o a.zip", NO_ZONE.format("Mars/Base")),
    ("--all --timezone Europe -o a.zip", NO_ZONE.format("Europe")),
    ("none -o a.json", "none: no match has this id"),
    ("--all -o /nowhere/a.zip", "/nowhere/a.zip: no such file or directory"),
    ("--all --sheets --lang xx -o a.zip", "--lang: must be one of en, pl, ru, uk, cs, de, fr, hr, not xx"),
]


def test_what_cannot_be_exported_is_said_in_one_line(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words, problem in REFUSED:
        assert run("export", *words.split()) == (2, "", f"error: {problem}\n")
        assert [path.name for path in tmp_path.iterdir()] == ["instance"], words


def test_where_no_instance_is_nothing_is_made(run: Run, instance: Path, tmp_path: Path) -> None:
    for words in (["export", "--all", "-o", tmp_path / "a.zip"], ["import", __file__]):
        code, out, err = run(*words)
        assert (code, out) == (2, "") and "no matches here; name the folder with COMPANION_INSTANCE" in err
    code, out, err = run("backup", "-o", tmp_path / "copy")
    assert (code, out) == (2, "") and "does not exist; name the folder of the instance" in err
    assert not instance.exists()


def test_a_match_that_cannot_be_read_is_left_out_and_named(run: Run, ids: list[str], tmp_path: Path) -> None:
    spoil(ids[2])
    for name in ("a.zip", "a.csv"):
        code, _out, err = run("export", "--all", "-o", tmp_path / name)
        assert code == 2
        assert err == f"error: {ids[2]}: this version cannot read this match, so it was left out\n"
        assert (tmp_path / name).exists()


# --- import ---------------------------------------------------------------------------------------


def test_an_archive_is_taken_once_and_a_phone_gets_it_by_words(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches without a phone belong to the command line, until somebody types the words it tells."""
    file = tmp_path / "matches.zip"
    run("export", "--all", "-o", file)
    move_to(tmp_path / "new", monkeypatch)
    with opened():
        pass
    code, out, err = run("import", file)
    assert (code, err) == (0, "")
    assert out.count(": imported (") == 3 and f"Derda, Ewa, Jan, 2 deals: imported ({ids[0]})" in out
    words = out.strip().splitlines()[-1]
    with opened() as matches:
        owner = matches.moves.look_up(words, "phone")
        assert sorted(matches.server_store.list_ids(owner)) == sorted(ids)
    code, out, err = run("import", file)
    assert (code, out.count("here already, skipped"), "words" in out) == (0, 3, False)


def test_an_archive_is_taken_for_the_owner_of_a_match(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(RECORD))
    code, out, _err = run("import", file, "--owner", ids[0])
    assert code == 0 and "words" not in out
    with opened() as matches:
        assert len(matches.server_store.list_ids(ME)) == 3
    assert run("import", file, "--owner", "none") == (2, "", "error: none: no match has this id\n")


def test_a_new_owner_gets_words_of_their_own(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(RECORD))
    printed = [run("import", file, *more)[1].strip().splitlines()[-1] for more in ((), ("--owner", "new"))]
    with opened() as matches:
        owners = [matches.moves.look_up(words, "phone") for words in printed]
        assert len({*owners}) == 2
        assert [len(matches.server_store.list_ids(owner)) for owner in owners] == [1, 1]


def test_what_is_wrong_is_named_and_what_is_right_is_taken(run: Run, ids: list[str], tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(RECORD))
    bad.write_text(json.dumps(RECORD | {"players": ["Ewa"]}))
    code, out, err = run("import", bad, good)
    assert code == 2 and "imported" in out
    assert err.startswith(f"error: {bad}: players: must be ") and err.count("\n") == 1
    assert run("import", tmp_path / "none") == (2, "", f"error: {tmp_path / 'none'}: no such file\n")


def test_one_may_look_before_anything_is_taken(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(RECORD))
    code, out, _err = run("import", "--look", file)
    assert code == 0 and ": imported" not in out and "Derda, Ewa, Jan, 1 deal: not here yet (" in out
    with opened() as matches:
        assert len(matches.server_store.list_ids()) == 3
