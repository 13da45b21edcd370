"""Files of jobs: each browser's own, for a day; what is done with them is done once."""

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import chores
import pytest

from companion.jobs import Dispatcher, Job, JobFiles, JobFilesStore, NoRoom, UnderWay
from companion.jobs import files as files_module

from .conftest import LONG, Asking, wait_until

MakeDispatcher = Callable[..., Dispatcher]


@pytest.fixture
def store(tmp_path: Path) -> JobFilesStore:
    return JobFilesStore(tmp_path / "files")


@pytest.fixture
def files(store: JobFilesStore) -> JobFiles:
    return store.create("export", "ewa")


def test_files_are_their_owners(store: JobFilesStore) -> None:
    """Nobody else finds them, whatever key they send; the folder names nobody, and is closed to others."""
    files = store.create("export", "ewas-token")
    with files.open("file") as file:
        file.write(b"x")
    files.write("wanted", {"name": "a"})
    assert files.read("wanted") == {"name": "a"} and files.read("other") is None
    assert store.find("export", "ewas-token", files.key) == files
    assert store.list_all("export", "ewas-token") == [files]
    for owner in ("another", None):
        assert store.find("export", owner, files.key) is None
    for key in ("..", "x" * 16, "../" + "x" * 13):
        assert store.find("export", "ewas-token", key) is None
    assert store.find("import", "ewas-token", files.key) is None
    assert "ewas-token" not in str(files.path)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in files.path.rglob("*")}
    assert (modes, stat.S_IMODE(files.path.stat().st_mode)) == ({0o600}, 0o700)


def test_what_is_old_makes_room(store: JobFilesStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a day files are gone; of one browser the oldest of four go; all together have an end."""
    first = store.create("export", "ewa")
    others = store.create("export", "jan")
    os.utime(first.path, (time.time() - files_module.LIFETIME - 60,) * 2)
    second = store.create("export", "ewa")
    assert store.find("export", "ewa", first.key) is None
    for age in (30, 20):
        os.utime(store.create("export", "ewa").path, (time.time() - age,) * 2)
    os.utime(second.path, (time.time() - 40,) * 2)
    store.create("export", "ewa")
    assert len(store.list_all("export", "ewa")) == files_module.MAX_FOLDERS
    assert store.find("export", "ewa", second.key) is None
    assert store.find("export", "jan", others.key) == others
    with others.open("file") as file:
        file.write(b"x" * 1000)
    monkeypatch.setattr(files_module, "MAX_BYTES", 999)
    with pytest.raises(NoRoom):
        store.create("import", "ala")


def test_what_makes_room_is_gone_as_a_whole(store: JobFilesStore, files: JobFiles) -> None:
    """Whoever still writes into it is told so, and nothing of it is left or comes back."""
    with files.open("file") as file:
        os.utime(
            files.path, (time.time() - 1,) * 2
        )  # the clock of a file system may stand still for so short
        for _n in range(files_module.MAX_FOLDERS):
            store.create("export", "ewa")
        file.write(b"x")
    for write in (lambda: files.write("wanted", {}), lambda: files.open("other")):
        with pytest.raises(FileNotFoundError):
            write()
    assert not files.path.exists()
    assert len([*files.path.parent.iterdir()]) == files_module.MAX_FOLDERS
    files.remove()


# --- jobs on them ----------------------------------------------------------------------------


@pytest.mark.parametrize("now", [True, False])
def test_a_job_is_done_once(dispatcher: Dispatcher, files: JobFiles, tmp_path: Path, now: bool) -> None:
    """By a worker, or by whoever asks where it is short; its result stays with the files."""
    notes = tmp_path / "notes"
    job = Job("made", chores.note, (str(notes), "once"), files.path)
    for _time in range(2):
        assert (dispatcher.do_now(job) if now else dispatcher.ask(job, "ewa")) == b"noted"
    assert notes.read_text() == "once\n"
    assert files.results.find("made") == b"noted"
    assert [path.name for path in files.path.iterdir()] == ["made"]
    other = Job("made", chores.note, (str(notes), "other"), files.path.parent / "export-other")
    assert (dispatcher.do_now(other) if now else dispatcher.ask(other, "ewa")) == b"noted"
    assert notes.read_text() == "once\nother\n", "another folder is another job"


def test_how_far_it_is(make_dispatcher: MakeDispatcher, files: JobFiles, tmp_path: Path) -> None:
    """Whoever asks meanwhile is told, also by another process of the server; and it is not begun again."""
    asked, other = (make_dispatcher(workers=1, page_timeout=0) for _time in range(2))
    gate = tmp_path / "gate"
    job = Job("made", chores.report, (files, str(gate)), files.path)
    with pytest.raises(UnderWay):
        asked.ask(job, "ewa")
    wait_until((tmp_path / "gate.begun").exists)
    for dispatcher in (asked, other):
        with pytest.raises(UnderWay) as under_way:
            dispatcher.ask(job, "ewa")
        progress = under_way.value.progress
        assert (progress.before, progress.count, progress.total) == (None, 3, 12)
    with pytest.raises(UnderWay):
        other.do_now(job)
    gate.touch()
    wait_until(lambda: files.results.find("made") is not None)
    assert other.ask(job, "ewa") == other.do_now(job) == b"reported"


@pytest.mark.parametrize("now", [True, False])
def test_a_job_that_fails(dispatcher: Dispatcher, files: JobFiles, tmp_path: Path, now: bool) -> None:
    notes = str(tmp_path / "notes")
    for job in (
        Job("made", chores.fail, (True,), files.path),
        Job("made", chores.note, (notes, "again"), files.path),
    ):
        with pytest.raises(ValueError, match="no such thing"):
            dispatcher.do_now(job) if now else dispatcher.ask(job, "ewa")
    files.results.forget_error("made")
    assert dispatcher.ask(job, "ewa") == b"noted"


def test_an_interrupted_job_is_begun_again(dispatcher: Dispatcher, files: JobFiles) -> None:
    files.open("made.lock").close()
    files.results.put_progress("made", 3, 12)
    assert dispatcher.ask(Job("made", chores.echo, ("a",), files.path), "ewa") == b"a"


def test_who_looks_keeps_no_job_from_being_done(files: JobFiles) -> None:
    """A job that is looked at just as it begins must be done: to look takes no lock."""
    results = files.results
    held = results.reserve("made")
    assert held is not None
    for _look in range(3):
        assert results.find("made") is None and results.look_up("made").before == 0
    held.end()
    assert results.look_up("made").seconds == 0
    again = results.reserve("made")
    assert again is not None
    again.end()


def test_what_was_thrown_away_does_not_come_back(
    make_dispatcher: MakeDispatcher, files: JobFiles, tmp_path: Path
) -> None:
    dispatcher = make_dispatcher(workers=1)
    gate = tmp_path / "gate"
    asking = Asking(dispatcher, Job("made", chores.wait_for, (str(gate),), files.path), "ewa")
    wait_until((tmp_path / "gate.begun").exists)
    files.remove()
    gate.touch()
    asking.join(LONG)
    assert asking.result == b"waited" and not files.path.exists()


def test_long_jobs_leave_a_worker_for_others(
    make_dispatcher: MakeDispatcher, store: JobFilesStore, tmp_path: Path
) -> None:
    """Of two workers one is left; of one browser too, what is short overtakes what is long."""
    dispatcher = make_dispatcher(workers=2)
    gate = tmp_path / "gate"
    long = [Job("made", chores.wait_for, (str(gate),), store.create("export", owner).path) for owner in "ab"]
    asking = [Asking(dispatcher, job, "a") for job in long]
    wait_until((tmp_path / "gate.begun").exists)
    assert dispatcher.ask(Job("short", chores.echo, ("a",)), "a") == b"a"
    assert [ask.result for ask in asking] == [None, None]
    gate.touch()
    for ask in asking:
        ask.join(LONG)
    assert [ask.result for ask in asking] == [b"waited", b"waited"]
