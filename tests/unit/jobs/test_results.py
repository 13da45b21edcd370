"""Where results are stored, for all processes of a machine."""

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.jobs import TookTooLong, results
from companion.jobs.results import Reservation, ResultCache


@pytest.fixture
def cache(tmp_path: Path) -> ResultCache:
    return ResultCache(tmp_path / "answers")


def reserve(cache: ResultCache, key: str) -> Reservation:
    """The right to look for an answer, which nobody else has."""
    held = cache.reserve(key)
    assert held is not None
    return held


def test_what_was_put_there_is_found(cache: ResultCache) -> None:
    """By its key; nobody else may look into the folder."""
    assert cache.find("a") is None
    cache.put("a", b"answer")
    assert cache.find("a") == b"answer" and cache.find("b") is None
    assert cache.folder.stat().st_mode & 0o077 == 0 and (cache.folder / "a").stat().st_mode & 0o077 == 0


def test_what_is_not_asked_for_goes_first(cache: ResultCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is too much, by number or by size."""
    monkeypatch.setattr(results, "_MAX_FILES", 3)
    for age, key in enumerate("abc", 1):
        cache.put(key, b"x")
        os.utime(cache.folder / key, (1000 + age, 1000 + age))
    assert cache.find("a") is not None
    cache.put("d", b"x")
    assert [key for key in "abcd" if cache.find(key)] == ["a", "c", "d"]
    monkeypatch.setattr(results, "_MAX_BYTES", 10)
    cache.put("e", b"x" * 10)
    assert [key for key in "abcde" if cache.find(key)] == ["e"]


def test_a_disk_that_cannot_be_written_is_no_error() -> None:
    """It costs the time to find the answer again."""
    cache = ResultCache(Path("/proc/nowhere"))
    cache.put("a", b"x")
    cache.put_error("a", TookTooLong())
    held = reserve(cache, "a")
    held.note(3)
    held.end()
    assert cache.find("a") is None


def test_that_nothing_is_found_is_told_for_a_moment(
    cache: ResultCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a page which asks again is told the same, and whoever comes later may try anew."""
    cache.put_error("a", TookTooLong())
    with pytest.raises(TookTooLong):
        cache.find("a")
    monkeypatch.setattr(results, "_ERROR_SECONDS", -1)
    assert cache.find("a") is None
    monkeypatch.undo()
    assert cache.find("a") is None
    (cache.folder / "a.error").write_bytes(pickle.dumps(TookTooLong())[:9])
    assert cache.find("a") is None


def test_one_alone_looks_for_an_answer(cache: ResultCache) -> None:
    held, other = reserve(cache, "a"), reserve(cache, "b")
    assert cache.reserve("a") is None
    held.note(3)
    assert cache.look_up("a").before == 3 and cache.look_up("a").seconds < 60
    held.note(None)
    assert cache.look_up("a").before is None
    held.end()
    reserve(cache, "a").end()
    other.end()
    assert list(cache.folder.iterdir()) == []


HOLD = """
import sys
from pathlib import Path
from companion.jobs.results import ResultCache
held = ResultCache(Path(sys.argv[1])).reserve("a")
held.note(5)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_killed_process_holds_nothing(cache: ResultCache) -> None:
    command = [sys.executable, "-c", HOLD, str(cache.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert cache.reserve("a") is None and cache.look_up("a").before == 5
        other.kill()
    reserve(cache, "a").end()


def test_locks_that_nobody_holds_are_swept_up(cache: ResultCache) -> None:
    held = reserve(cache, "a")
    (cache.folder / "b.lock").write_text("")
    (cache.folder / "c.lock").write_text("")
    for name in ("a.lock", "b.lock"):
        os.utime(cache.folder / name, (1000, 1000))
    assert time.time() > 1000 + results._OLD
    cache.put("d", b"x")
    assert sorted(file.name for file in cache.folder.iterdir()) == ["a.lock", "c.lock", "d"]
    held.end()
