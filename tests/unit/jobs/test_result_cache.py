"""Where answers lie, for all processes of a machine."""

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.jobs import TookTooLong
from companion.jobs import result_cache as shelves
from companion.jobs.result_cache import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """An empty shelf."""
    return Shelf(tmp_path / "answers")


def test_what_was_put_there_is_found(shelf: Shelf) -> None:
    """By its key; nobody else may look into the folder."""
    assert shelf.find("a") is None
    shelf.put("a", b"answer")
    assert shelf.find("a") == b"answer" and shelf.find("b") is None
    assert shelf.folder.stat().st_mode & 0o077 == 0 and (shelf.folder / "a").stat().st_mode & 0o077 == 0


def test_what_is_not_asked_for_goes_first(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is too much, by number or by size."""
    monkeypatch.setattr(shelves, "_MAX_FILES", 3)
    for age, key in enumerate("abc", 1):
        shelf.put(key, b"x")
        os.utime(shelf.folder / key, (1000 + age, 1000 + age))
    assert shelf.find("a") is not None
    shelf.put("d", b"x")
    assert [key for key in "abcd" if shelf.find(key)] == ["a", "c", "d"]
    monkeypatch.setattr(shelves, "_MAX_BYTES", 10)
    shelf.put("e", b"x" * 10)
    assert [key for key in "abcde" if shelf.find(key)] == ["e"]


def test_a_disk_that_cannot_be_written_is_no_error() -> None:
    """It costs the time to find the answer again."""
    shelf = Shelf(Path("/proc/nowhere"))
    shelf.put("a", b"x")
    shelf.put_fault("a", TookTooLong())
    held = shelf.reserve("a")
    assert held is not None
    held.note(3)
    held.end()
    assert shelf.find("a") is None


def test_that_there_is_no_answer_is_told_for_a_moment(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a page which asks again is told the same, and whoever comes later may try anew."""
    shelf.put_fault("a", TookTooLong())
    with pytest.raises(TookTooLong):
        shelf.find("a")
    monkeypatch.setattr(shelves, "_FAULT_SECONDS", -1)
    assert shelf.find("a") is None
    monkeypatch.undo()
    assert shelf.find("a") is None
    (shelf.folder / "a.fault").write_bytes(pickle.dumps(TookTooLong())[:9])
    assert shelf.find("a") is None


def test_one_alone_looks_for_an_answer(shelf: Shelf) -> None:
    """Others see how far it is; the next may when it is done."""
    held = shelf.reserve("a")
    assert held is not None and shelf.reserve("a") is None
    other = shelf.reserve("b")
    assert other is not None
    held.note(3)
    assert shelf.look_up("a").before == 3 and shelf.look_up("a").seconds < 60
    held.note(None)
    assert shelf.look_up("a").before is None
    held.end()
    again = shelf.reserve("a")
    assert again is not None
    again.end()
    other.end()
    assert list(shelf.folder.iterdir()) == []


HOLD = """
import sys
from pathlib import Path
from companion.jobs.result_cache import Shelf
held = Shelf(Path(sys.argv[1])).reserve("a")
held.note(5)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_killed_process_holds_nothing(shelf: Shelf) -> None:
    """What it was looking for can be looked for again at once."""
    command = [sys.executable, "-c", HOLD, str(shelf.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert shelf.reserve("a") is None and shelf.look_up("a").before == 5
        other.kill()
    held = shelf.reserve("a")
    assert held is not None
    held.end()


def test_locks_that_nobody_holds_are_swept_up(shelf: Shelf) -> None:
    """After a day; those that are held stay."""
    held = shelf.reserve("a")
    assert held is not None
    (shelf.folder / "b.lock").write_text("")
    (shelf.folder / "c.lock").write_text("")
    for name in ("a.lock", "b.lock"):
        os.utime(shelf.folder / name, (1000, 1000))
    assert time.time() > 1000 + shelves._OLD
    shelf.put("d", b"x")
    assert sorted(file.name for file in shelf.folder.iterdir()) == ["a.lock", "c.lock", "d"]
    held.end()
