"""A copy of a whole instance: of one moment while others write, whole or not there, and true."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archives import backup

from .instances import ME

AT = "2026-11-20T19:00:00+00:00"


@pytest.fixture
def database(tmp_path: Path, empty_database: Path) -> Path:
    """The database of an instance with a match and its log."""
    file = tmp_path / "companion.sqlite"
    shutil.copyfile(empty_database, file)
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(
            "INSERT INTO match (id, owner, head, created_at, changed_at, cached)"
            " VALUES ('match', ?, '{}', ?, ?, 0)",
            (ME, AT, AT),
        )
        write(connection, 1)
    connection.close()
    return file


def write(connection: sqlite3.Connection, seq: int) -> None:
    connection.execute(
        "INSERT INTO event (match_id, seq, kind, author, at, form_key)"
        " VALUES ('match', ?, 'draft', '', ?, ?)",
        (seq, AT, f"form {seq}"),
    )


def read_numbers(file: Path) -> list[int]:
    with sqlite3.connect(file) as connection:
        found = [seq for (seq,) in connection.execute("SELECT seq FROM event ORDER BY seq")]
    connection.close()
    return found


@pytest.fixture
def writer(database: Path) -> Iterator[Path]:
    """A process that writes event after event, and says after each what is in the database for good."""
    reported = database.with_name("acknowledged")
    program = f"""
import sqlite3, sys
connection = sqlite3.connect({str(database)!r}, timeout=10, isolation_level=None)
connection.execute("PRAGMA synchronous=FULL")
sys.path.insert(0, {str(Path(__file__).parents[3])!r})
from tests.unit.archives.test_backup import write
with open({str(reported)!r}, "a", buffering=1) as told:
    for seq in range(2, 1_000_000):
        connection.execute("BEGIN IMMEDIATE")
        write(connection, seq)
        connection.execute("COMMIT")
        told.write(f"{{seq}}\\n")
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, "-c", program], env=environment)
    try:
        while not reported.exists() or not reported.read_text():
            assert process.poll() is None
            time.sleep(0.02)
        yield reported
    finally:
        process.kill()
        process.wait()


def test_what_was_acknowledged_when_it_began_is_in_a_copy_and_nothing_by_halves(
    database: Path, writer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is of one moment, however many steps it takes while others go on writing."""
    monkeypatch.setattr(backup, "_PAGES", 2)
    for n in range(5):
        acknowledged = writer.read_text().split("\n")[:-1]
        backup.back_up(database, tmp_path / f"copy-{n}", None, lambda done, total: time.sleep(0.001))
        later = writer.read_text().split("\n")[:-1]
        found = read_numbers(tmp_path / f"copy-{n}")
        assert found == list(range(1, len(found) + 1))
        assert int(acknowledged[-1]) <= found[-1]
        assert int(later[-1]) > found[-1], "others went on meanwhile"


def test_a_copy_is_one_file_that_only_this_user_reads(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    counted = backup.back_up(database, folder / "copy", "the key of the instance")
    assert (counted.matches, counted.events, counted.rulings) == (1, 1, 0)
    assert os.listdir(folder) == ["copy"]
    assert stat.S_IMODE((folder / "copy").stat().st_mode) == 0o600
    assert backup.look_into(folder / "copy") == (counted, "the key of the instance")
    backup.back_up(database, folder / "copy", None)
    assert backup.look_into(folder / "copy") == (counted, None)


def test_a_copy_that_fails_leaves_the_one_before(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copies" / "copy"
    copy.parent.mkdir()
    backup.back_up(database, copy, None)
    before = copy.read_bytes()

    def fail(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(backup.NoBackup, match="copy: no space left on device"):
        backup.back_up(database, copy, None)
    assert (os.listdir(copy.parent), copy.read_bytes()) == (["copy"], before)


def test_what_is_no_copy_is_refused(database: Path, tmp_path: Path) -> None:
    with pytest.raises(backup.NoBackup, match="is the database itself"):
        backup.back_up(database, database, None)
    other = tmp_path / "other"
    with pytest.raises(backup.NoBackup, match="other: no such file"):
        backup.look_into(other)
    other.write_text("no database " * 100)
    with pytest.raises(backup.NoBackup, match="other cannot be used as a database: file is not a database"):
        backup.look_into(other)
    with sqlite3.connect(tmp_path / "third") as connection:
        connection.execute("CREATE TABLE match (id)")
    connection.close()
    with pytest.raises(backup.NoBackup, match="must be the database of an instance"):
        backup.look_into(tmp_path / "third")


def test_a_damaged_copy_is_refused(database: Path, tmp_path: Path) -> None:
    with sqlite3.connect(database, isolation_level=None) as connection:
        for seq in range(2, 2000):
            write(connection, seq)
    connection.close()
    backup.back_up(database, tmp_path / "copy", None)
    content = bytearray((tmp_path / "copy").read_bytes())
    content[-30_000:-10_000] = b"\xff" * 20_000
    (tmp_path / "copy").write_bytes(content)
    with pytest.raises(backup.NoBackup, match=r"copy (is damaged|cannot be used)"):
        backup.look_into(tmp_path / "copy")


def test_a_copy_with_entries_of_no_match_is_refused(database: Path, tmp_path: Path) -> None:
    with sqlite3.connect(database, isolation_level=None) as connection:
        connection.execute("DELETE FROM match")
    connection.close()
    with pytest.raises(backup.NoBackup, match="is incomplete: it has entries without their match"):
        backup.back_up(database, tmp_path / "copy", None)
    assert not (tmp_path / "copy").exists()


def test_a_copy_is_put_into_an_empty_instance(database: Path, empty_database: Path, tmp_path: Path) -> None:
    """Also where a server runs there already; what only a copy has is not there."""
    copy, folder = tmp_path / "copy", tmp_path / "new"
    folder.mkdir()
    backup.back_up(database, copy, "key")
    place = folder / "companion.sqlite"
    shutil.copyfile(empty_database, place)
    running = sqlite3.connect(place)
    running.execute("PRAGMA journal_mode=WAL")
    assert running.execute("SELECT count(*) FROM event").fetchone() == (0,)
    with backup.unpacked(copy, place) as half:
        backup.put_in_place(half, place)
    assert running.execute("SELECT count(*) FROM event").fetchone() == (1,)
    assert running.execute("SELECT count(*) FROM sqlite_master WHERE name = 'backup'").fetchone() == (0,)
    running.close()
    assert not list(folder.glob("*.restoring*"))
    assert backup.count_there(place).matches == 1
    with backup.unpacked(copy, place) as half, pytest.raises(backup.NoBackup, match="is no longer empty"):
        backup.put_in_place(half, place)
