"""Temporary files of a process are gone when it has ended, however that was."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.jobs import scratch

MAKE_FILES = """
import os, sys, tempfile
from companion.jobs import use_scratch
use_scratch()
use_scratch()
print(tempfile.mkdtemp(prefix="fonts-"), flush=True)
if not os.fork():
    sys.exit(0)  # what is forked takes nothing away
os.wait()
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the system wants temporary files."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path


def run_process() -> tuple[subprocess.Popen[bytes], Path]:
    """A process that has made a temporary folder and waits; and that folder."""
    running = subprocess.Popen(
        [sys.executable, "-c", MAKE_FILES], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert running.stdout is not None
    return running, Path(running.stdout.readline().decode().strip())


def end(running: subprocess.Popen[bytes]) -> None:
    running.communicate()


def test_what_a_process_leaves_behind(place: Path) -> None:
    """An ordinary end takes it away at once; of a killed one the next takes it, of a living one nobody."""
    (living, its_own), (killed, left) = run_process(), run_process()
    assert its_own.is_dir() and left.is_dir() and its_own.parent != left.parent
    assert {its_own.parent.parent, left.parent.parent} == {place}
    killed.send_signal(signal.SIGKILL)
    end(killed)
    assert left.is_dir()
    following, own = run_process()
    assert its_own.is_dir() and own.is_dir() and not left.parent.exists()
    for running in (living, following):
        end(running)
    assert list(place.iterdir()) == []


def test_only_our_own_are_deleted(place: Path) -> None:
    """Not what others have there, nor a link, nor one that is being made."""
    other_folder = place / "other_folder"
    (other_folder / "folder").mkdir(parents=True)
    (place / "companion-tmp-link").symlink_to(other_folder)
    (place / "companion-tmp-file").touch()
    for name in ("companion-new-now", "companion-new-old", "companion-tmp-left"):
        (place / name).mkdir()
    long_ago = time.time() - scratch._OLD - 60
    os.utime(place / "companion-new-old", (long_ago, long_ago))
    scratch.sweep()
    left = sorted(path.name for path in place.iterdir())
    assert left == ["companion-new-now", "companion-tmp-file", "companion-tmp-link", "other_folder"]
    assert (other_folder / "folder").is_dir()


def test_without_room_all_stays_as_it_was(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_named: str) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    scratch.use_scratch()
    assert tempfile.tempdir == str(place) and scratch._own == {}
