"""A copy of all there is, and back, by the command line."""

import re
import sqlite3
import subprocess
from pathlib import Path
from time import time

import pytest
from derda import HEAD
from sqlalchemy import Engine, text
from stores.postgres import empty_tables

from companion.store.folder import find_last_backup
from companion.store.tables import db

from .instance import ME, Run, add_deal, move_to, opened, spoil

# --- backup and restore ---------------------------------------------------------------------------


def test_an_instance_is_copied_and_restored_with_its_key(
    run: Run, ids: list[str], instance: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened() as matches:
        for listed in matches.list_matches(ME):
            matches.summary(listed)
    file = tmp_path / "copy"
    assert find_last_backup(instance) == 0
    code, out, err = run("backup", "-o", file)
    assert (code, err) == (0, "")
    assert abs(find_last_backup(instance) - time()) < 60
    assert (
        out.startswith(f"{file}: 3 matches, 4 events, 0 rulings; checked.\n") and "It contains the key" in out
    )
    key = (instance / "secret-key").read_text()
    new = move_to(tmp_path / "new", monkeypatch)
    code, out, err = run("restore", file)
    assert (code, err) == (0, "")
    assert ": restored: 3 matches, 4 events, 0 rulings.\n" in out
    assert "3 matches were recomputed. 2 matches were compared with the totals last shown.\n" in out
    assert (new / "secret-key").read_text() == key
    assert sorted(path.name for path in new.iterdir()) == ["companion.sqlite", "secret-key"]
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
    assert (code, out) == (2, "") and "must be empty, but it contains 3 matches, 4 events" in err


def test_a_copy_without_the_key_says_so(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "copy"
    assert "keep a copy of that too" in run("backup", "--without-key", "-o", file)[1]
    new = move_to(tmp_path / "new", monkeypatch)
    assert f"put that of the instance that was copied into {new / 'secret-key'}" in run("restore", file)[1]
    monkeypatch.setenv("COMPANION_SECRET_KEY", "k" * 32)
    assert "does not contain the key" in run("backup", "-o", file)[1]
    move_to(tmp_path / "newer", monkeypatch)
    assert "COMPANION_SECRET_KEY: it must be the key" in run("restore", file)[1]


def test_a_match_that_is_not_what_it_was_is_named(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(ids[2])
    with opened() as matches:
        match = matches.open(ids[0])
        summary = matches.summary(next(match for match in matches.list_matches(ME) if match.id == ids[0]))
        assert summary is not None
        stored = matches.store.recall_summary(ids[0], match.seq)
        assert stored is not None
        matches.store.remember_summary(ids[0], match.seq, {**stored, "totals": [1, 2]})
    run("backup", "-o", tmp_path / "copy")
    move_to(tmp_path / "new", monkeypatch)
    code, _out, err = run("restore", tmp_path / "copy")
    assert code == 2
    assert err.splitlines() == [
        f"error: {ids[2]}: this version cannot read this match",
        f"error: {ids[0]}: comes to totals other than those last shown",
    ]
    with opened() as matches:
        assert len(matches.server_store.list_ids()) == 3


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
    file = tmp_path / "copy"
    run("backup", "-o", file)
    with sqlite3.connect(file) as connection:
        connection.execute("DROP TABLE token")
        connection.execute("DROP TABLE erased")
        connection.execute("DROP TABLE renewal")
        connection.execute("ALTER TABLE move DROP COLUMN generation")
        connection.execute("DROP INDEX ix_match_hidden")
        connection.execute("ALTER TABLE event DROP COLUMN arrived_at")
        connection.execute("ALTER TABLE match DROP COLUMN visibility_at")
        connection.execute("UPDATE alembic_version SET version_num = '0006'")
    connection.close()
    before = file.read_bytes()
    new = move_to(tmp_path / "new", monkeypatch)
    assert run("restore", file)[0] == 0
    with sqlite3.connect(new / "companion.sqlite") as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() > ("0006",)
    connection.close()
    assert file.read_bytes() == before


def test_of_postgresql_its_command_is_said(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATABASE", "postgresql+psycopg://club:secret@db:5433/cards?sslmode=require")
    for words, command, key in (
        (("backup", "-o", "a copy"), "pg_dump --format=custom --file='a copy' --dbname=", "keep"),
        (("restore", "a copy"), "pg_restore 'a copy' --dbname=", "put the"),
    ):
        code, out, err = run(*words)
        assert (code, out) == (2, "") and command in err and f"; {key} {tmp_path}" in err
        assert "'postgresql://club@db:5433/cards?sslmode=require'" in err and "secret@" not in err
        assert err.startswith("error: ") and err.count("\n") == 1


def test_what_postgresql_was_told_to_copy_comes_back(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres_address: str
) -> None:
    monkeypatch.setenv("COMPANION_DATABASE", postgres_address)
    with opened() as matches:
        empty_tables(db.engine)
        id = matches.start(HEAD, ME, "a")
        add_deal(matches, id)
    run_what_is_said(run("backup", "-o", tmp_path / "copy")[2])
    assert run("restore", tmp_path / "copy")[0] == 2
    with opened():
        db.session.remove()
        drop_tables(db.engine)
    run_what_is_said(run("restore", tmp_path / "copy")[2])
    with opened() as matches:
        assert list(matches.server_store.list_ids()) == [id]
        empty_tables(db.engine)


def run_what_is_said(said: str) -> None:
    command = said.partition(" serves: ")[2].partition(" (it asks")[0]
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
        (("import", file), f"importing {file} 33 %"),
        (("backup", "-o", tmp_path / "copy"), "copying 100 %"),
    ):
        shown = run(*words)[2]
        assert what in shown and shown.endswith("\r\x1b[K")
    assert re.search(r"\rchecking \S+ 0 % \r", run("import", file)[2])
