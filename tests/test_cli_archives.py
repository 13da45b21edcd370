"""Matches taken along by the command line: out and in, a copy of all there is, and back."""

import csv
import json
import re
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from stores.postgres import empty_tables

from companion import cli, create_app
from companion.matches import AddEntry, Match, Matches, Submission
from companion.store.tables import db

ME = "token-of-my-browser-xx"
HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
DEAL = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
RECORD = {"format": "companion-match", "version": 1, **HEAD, "entries": [DEAL]}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the instance that commands work on; there is nothing in it yet."""
    folder = tmp_path / "instance"
    monkeypatch.setenv("COMPANION_INSTANCE", str(folder))
    for name in ("COMPANION_DATABASE", "COMPANION_SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    return folder


@contextmanager
def opened() -> Iterator[Matches]:
    """The matches of the instance, as a server has them."""
    app = create_app()
    with app.app_context():
        yield app.extensions["matches"]
        db.session.remove()
        db.engine.dispose()


@pytest.fixture
def ids(instance: Path) -> list[str]:
    """Two matches of one browser and one of another; the first two have two deals each."""
    with opened() as matches:
        made = [matches.start(HEAD, owner, form) for owner, form in ((ME, "a"), (ME, "b"), ("other", "c"))]
        for id in made[:2] * 2:
            add_deal(matches, id)
    return made


def add_deal(matches: Matches, id: str) -> Match:
    match = matches.open(id)
    return matches.write(match, AddEntry(DEAL), Submission(match.owner, match.seq, f"form {match.seq}"))


@pytest.fixture
def run(instance: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command: its code, what it says, and what is wrong."""

    def go(*words: object) -> tuple[int, str, str]:
        code = cli.main([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return go


def move_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_INSTANCE", str(folder))
    return folder


# --- export ---------------------------------------------------------------------------------------


def test_one_match_goes_out_as_a_record_with_its_history(run: Run, ids: list[str], tmp_path: Path) -> None:
    """By its id or by its address; the record is scored as it stands."""
    file = tmp_path / "match.json"
    assert run("export", ids[0], "-o", file) == (0, "", "")
    document = json.loads(file.read_text())
    assert (document["id"], len(document["log"]), len(document["entries"])) == (ids[0], 3, 2)
    assert run("export", f"https://cards.club/en/m/{ids[1]}/history?x=1", "-o", file)[0] == 0
    assert json.loads(file.read_text())["id"] == ids[1]
    assert "A 164 B 130" in run("score", file)[1]


def test_several_go_out_as_an_archive_and_all_as_well(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "matches.zip"
    assert run("export", *ids[:2], "-o", file) == (0, "", "")
    assert names_in(file) == ["matches", "matches"]
    assert run("export", "--all", "-o", file)[0] == 0
    assert names_in(file) == ["matches", "matches", "matches"]
    assert run("export", ids[0], "--sheets", "--lang", "pl", "-o", file)[0] == 0
    assert names_in(file) == ["matches", "sheets"]
    assert list(tmp_path.glob("*.part")) == []


def names_in(file: Path) -> list[str]:
    with zipfile.ZipFile(file) as archive:
        return [name.partition("/")[0] for name in archive.namelist()]


def test_a_table_has_the_deals_of_all_matches(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "deals.csv"
    assert run("export", "--all", "-o", file) == (0, "", "")
    with file.open(newline="", encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    assert [(row["match"], row["deal"]) for row in rows] == [(id, n) for id in ids[:2] for n in "12"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["-o", "a.zip"], "ID: required, or --all in place of them"),
        (["x", "--all", "-o", "a.zip"], "ID: required, or --all in place of them"),
        (["x", "-o", "a.txt"], "-o: must end in .json, .zip, .csv, not a.txt"),
        (["x", "y", "-o", "a.json"], "-o: must end in .zip or .csv for more than one match; .json holds one"),
        (["--all", "-o", "a.json"], "-o: must end in .zip or .csv for more than one match; .json holds one"),
        (["x", "--sheets", "-o", "a.json"], "--sheets: must be left out unless -o ends in .zip"),
        (["none", "-o", "a.json"], "none: no match has this id"),
        (["--all", "-o", "/nowhere/a.zip"], "/nowhere/a.zip: no such file or directory"),
        (["--all", "--sheets", "--lang", "xx", "-o", "a.zip"], "--lang: must be one of en, pl, not xx"),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_line(
    run: Run, ids: list[str], words: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("export", *words) == (2, "", f"error: {problem}\n")
    assert [one.name for one in tmp_path.iterdir()] == ["instance"]


def test_where_no_instance_is_nothing_is_made(run: Run, instance: Path, tmp_path: Path) -> None:
    for words in (["export", "--all", "-o", tmp_path / "a.zip"], ["import", __file__]):
        code, out, err = run(*words)
        assert (code, out) == (2, "") and "no matches here; name the folder with COMPANION_INSTANCE" in err
    code, out, err = run("backup", "-o", tmp_path / "copy")
    assert (code, out) == (2, "") and "is not there; name the folder of the instance" in err
    assert not instance.exists()


def test_a_match_that_cannot_be_read_is_left_out_and_named(run: Run, ids: list[str], tmp_path: Path) -> None:
    spoil(ids[2])
    for name in ("a.zip", "a.csv"):
        code, _out, err = run("export", "--all", "-o", tmp_path / name)
        assert (code, err) == (
            2,
            f"error: {ids[2]}: this version cannot read this match, so it was left out\n",
        )
        assert (tmp_path / name).exists()


def spoil(id: str) -> None:
    with opened():
        head = json.dumps(HEAD | {"game": "whist"})
        db.session.execute(text("UPDATE match SET head = :head WHERE id = :id"), {"head": head, "id": id})
        db.session.commit()


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
    assert out.count(": taken (") == 3 and f"Derda, Ewa, Jan, 2 deals: taken ({ids[0]})" in out
    words = out.strip().splitlines()[-1]
    with opened() as matches:
        owner = matches.moves.look_up(words, "phone")
        assert sorted(matches.store.list_ids(owner)) == sorted(ids)
    code, out, err = run("import", file)
    assert (code, out.count("here already, skipped"), "words" in out) == (0, 3, False)


def test_an_archive_is_taken_for_the_owner_of_a_match(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(RECORD))
    code, out, _err = run("import", file, "--owner", ids[0])
    assert code == 0 and "words" not in out
    with opened() as matches:
        assert len(matches.store.list_ids(ME)) == 3
    assert run("import", file, "--owner", "none") == (2, "", "error: none: no match has this id\n")


def test_a_new_owner_gets_words_of_their_own(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(RECORD))
    told = [run("import", file, *more)[1].strip().splitlines()[-1] for more in ((), ("--owner", "new"))]
    with opened() as matches:
        owners = [matches.moves.look_up(words, "phone") for words in told]
        assert len({*owners}) == 2
        assert [len(matches.store.list_ids(owner)) for owner in owners] == [1, 1]


def test_what_is_wrong_is_named_and_what_is_right_is_taken(run: Run, ids: list[str], tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(RECORD))
    bad.write_text(json.dumps(RECORD | {"players": ["Ewa"]}))
    code, out, err = run("import", bad, good)
    assert code == 2 and "taken" in out
    assert err.startswith(f"error: {bad}: players: must be ") and err.count("\n") == 1
    assert run("import", tmp_path / "none") == (2, "", f"error: {tmp_path / 'none'}: no such file\n")


def test_one_may_look_before_anything_is_taken(run: Run, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(RECORD))
    code, out, _err = run("import", "--look", file)
    assert code == 0 and ": taken" not in out and "Derda, Ewa, Jan, 1 deals: new (" in out
    with opened() as matches:
        assert len(matches.store.list_ids()) == 3


# --- backup and restore ---------------------------------------------------------------------------


def test_an_instance_is_copied_and_restored_with_its_key(
    run: Run, ids: list[str], instance: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every match is folded; who could write in one can go on."""
    with opened() as matches:
        for listed in matches.list_matches(ME):
            matches.summary(listed)
    file = tmp_path / "copy"
    code, out, err = run("backup", "-o", file)
    assert (code, err) == (0, "")
    assert out.startswith(f"{file}: 3 matches, 4 events, 0 rulings; looked over.\n") and "is in it" in out
    key = (instance / "secret-key").read_text()
    new = move_to(tmp_path / "new", monkeypatch)
    code, out, err = run("restore", file)
    assert (code, err) == (0, "")
    assert "3 matches, 4 events, 0 rulings restored" in out
    assert "3 matches folded, 2 compared with the totals last shown." in out
    assert (new / "secret-key").read_text() == key
    assert sorted(one.name for one in new.iterdir()) == ["companion.sqlite", "secret-key"]
    with opened() as matches:
        assert [matches.open(id).state.totals["A"] for id in ids] == [164, 164, 0]
        assert add_deal(matches, ids[0]).seq == 3


def test_a_copy_may_be_restored_where_a_server_was_started(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its database is empty and its key nobody's; with a match in it, it is left alone."""
    file = tmp_path / "copy"
    run("backup", "-o", file)
    move_to(tmp_path / "new", monkeypatch)
    with opened():
        pass
    assert run("restore", file)[0] == 0
    code, out, err = run("restore", file)
    assert (code, out) == (2, "") and "must be empty, and holds 3 matches" in err


def test_a_copy_without_the_key_says_so(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "copy"
    assert "not in it: keep a copy of that too" in run("backup", "--without-key", "-o", file)[1]
    new = move_to(tmp_path / "new", monkeypatch)
    assert f"put that of the instance that was copied into {new / 'secret-key'}" in run("restore", file)[1]
    monkeypatch.setenv("COMPANION_SECRET_KEY", "k" * 32)
    assert "not in it" in run("backup", "-o", file)[1]
    move_to(tmp_path / "newer", monkeypatch)
    assert "COMPANION_SECRET_KEY: it must be that" in run("restore", file)[1]


def test_a_match_that_is_not_what_it_was_is_named(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is restored all the same."""
    spoil(ids[2])
    with opened() as matches:
        match = matches.open(ids[0])
        summary = matches.summary(next(one for one in matches.list_matches(ME) if one.id == ids[0]))
        assert summary is not None
        kept = matches.store.recall_summary(ids[0], match.seq)
        assert kept is not None
        matches.store.remember_summary(ids[0], match.seq, {**kept, "totals": [1, 2]})
    run("backup", "-o", tmp_path / "copy")
    move_to(tmp_path / "new", monkeypatch)
    code, _out, err = run("restore", tmp_path / "copy")
    assert code == 2
    assert err.splitlines() == [
        f"error: {ids[2]}: this version cannot read this match",
        f"error: {ids[0]}: comes to other totals than were last shown",
    ]
    with opened() as matches:
        assert len(matches.store.list_ids()) == 3


def test_what_cannot_be_restored_leaves_nothing(run: Run, instance: Path, tmp_path: Path) -> None:
    file = tmp_path / "copy"
    file.write_text("nothing")
    code, out, err = run("restore", file)
    assert (code, out) == (2, "") and err.startswith(f"error: {file} cannot be used as a database")
    assert run("restore", tmp_path / "none") == (2, "", f"error: {tmp_path / 'none'}: no such file\n")
    assert not instance.exists()


def test_of_an_older_copy_the_database_is_brought_up_to_date(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy itself stays what it was."""
    file = tmp_path / "copy"
    run("backup", "-o", file)
    with sqlite3.connect(file) as connection:
        connection.execute("DROP INDEX ix_match_hidden")
        connection.execute("UPDATE alembic_version SET version_num = '0006'")
    connection.close()
    before = file.read_bytes()
    new = move_to(tmp_path / "new", monkeypatch)
    assert run("restore", file)[0] == 0
    with sqlite3.connect(new / "companion.sqlite") as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() > ("0006",)
    connection.close()
    assert file.read_bytes() == before


def test_of_postgresql_the_right_command_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ready to be copied, without the password."""
    monkeypatch.setenv("COMPANION_DATABASE", "postgresql+psycopg://club:secret@db:5433/cards?sslmode=require")
    for words, command in (
        (("backup", "-o", "a copy"), "pg_dump --format=custom --file='a copy' --dbname="),
        (("restore", "a copy"), "pg_restore 'a copy' --dbname="),
    ):
        code, out, err = run(*words)
        assert (code, out) == (2, "") and command in err
        assert "'postgresql://club@db:5433/cards?sslmode=require'" in err and "secret@" not in err
        assert err.startswith("error: ") and err.count("\n") == 1


def test_what_postgresql_was_told_to_copy_comes_back(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    postgres_address: str,
) -> None:
    """The commands that are said do it, as they stand; and a copy of a file is put into it, row by row."""
    monkeypatch.setenv("COMPANION_DATABASE", postgres_address)
    with opened() as matches:
        empty_tables(db.engine)
        id = matches.start(HEAD, ME, "a")
        add_deal(matches, id)
    run_what_is_said(run("backup", "-o", tmp_path / "copy")[2])
    assert run("restore", tmp_path / "copy")[0] == 2
    monkeypatch.delenv("COMPANION_DATABASE")
    with opened() as matches:
        other = matches.start(HEAD | {"place": "Łódź"}, ME, "b")
        add_deal(matches, other)
    assert run("backup", "-o", tmp_path / "file")[0] == 0
    monkeypatch.setenv("COMPANION_DATABASE", postgres_address)
    code, _out, err = run("restore", tmp_path / "file")
    assert code == 2 and "must be empty, and holds rows of match" in err
    with opened():
        empty_tables(db.engine)
    code, out, err = run("restore", tmp_path / "file")
    assert (code, err) == (0, "") and "1 matches folded" in out
    with opened() as matches:
        assert (matches.open(other).head["place"], matches.open(other).seq) == ("Łódź", 1)
        db.session.remove()
        drop_tables(db.engine)
    run_what_is_said(run("restore", tmp_path / "copy")[2])
    with opened() as matches:
        assert list(matches.store.list_ids()) == [id]
        empty_tables(db.engine)


def run_what_is_said(said: str) -> None:
    """Run the command in a message, as it stands."""
    command = said.partition("while it serves: ")[2].partition(" (it asks")[0]
    subprocess.run(["bash", "-c", command], check=True)


def drop_tables(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))


def test_progress_is_shown_on_a_terminal_and_nowhere_else(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.zip"
    assert run("export", "--all", "-o", file)[2] == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for words, what in (
        (("export", "--all", "-o", file), "exporting 66 %"),
        (("import", file), f"taking {file} 33 %"),
        (("backup", "-o", tmp_path / "copy"), "copying 100 %"),
    ):
        shown = run(*words)[2]
        assert what in shown and shown.endswith("\r\x1b[K")
    assert re.search(r"\rlooking through \S+ 0 % \r", run("import", file)[2])
