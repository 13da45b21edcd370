"""Trays: each browser's own, for a day; what is done with them goes on aside, and is done once."""

import fcntl
import os
import stat
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from companion.web.archives import job_files as room
from companion.web.archives.job_files import NoRoom, Progress, Trays


def never(progress: Progress) -> Any:
    """What must not be done a second time."""
    pytest.fail("it was done again")


@pytest.fixture
def trays(tmp_path: Path) -> Trays:
    return Trays(tmp_path / "trays")


def test_a_tray_is_its_owners(trays: Trays) -> None:
    """Nobody else finds it, whatever key they send; its folder names nobody, and is closed to others."""
    tray = trays.lay_out("export", "ewas-token")
    with tray.open("file") as file:
        file.write(b"x")
    tray.write("wanted", {"name": "a"})
    assert trays.find("export", "ewas-token", tray.key) == tray
    assert trays.list_all("export", "ewas-token") == [tray]
    for owner, key in (
        ("another", tray.key),
        (None, tray.key),
        ("ewas-token", ".."),
        ("ewas-token", "x" * 16),
        ("ewas-token", "../" + "x" * 13),
    ):
        assert trays.find("export", owner, key) is None
    assert trays.find("import", "ewas-token", tray.key) is None
    assert "ewas-token" not in str(tray.path)
    modes = {stat.S_IMODE(one.stat().st_mode) for one in tray.path.rglob("*")}
    assert (modes, stat.S_IMODE(tray.path.stat().st_mode)) == ({0o600}, 0o700)


def test_what_came_of_a_deed(trays: Trays) -> None:
    """It is done once, though it is begun several times; what came of it stays."""
    tray, times = trays.lay_out("export", "ewa"), []

    def work(progress: Progress) -> Any:
        times.append(1)
        return {"count": 3}

    assert trays.look(tray, "made").state == "none"
    course = trays.begin(tray, "made", work, patience=30)
    assert (course.state, course.outcome) == ("done", {"count": 3})
    assert trays.begin(tray, "made", work, patience=30) == course
    assert len(times) == 1
    tray.forget("made")
    assert trays.look(tray, "made").state == "none"


def test_how_far_it_is(trays: Trays) -> None:
    """Others see the deed go on, also from another process of the server, which has trays of its own."""
    tray, go_on, told = trays.lay_out("export", "ewa"), threading.Event(), threading.Event()

    def work(progress: Progress) -> Any:
        progress(3, 12)
        told.set()
        assert go_on.wait(30)

    waits = trays.begin(tray, "made", work)
    assert waits.state in ("waiting", "working")
    assert told.wait(30)
    elsewhere = Trays(tray.path.parent)
    for seen in (trays, elsewhere):
        course = seen.look(tray, "made")
        assert (course.state, course.count, course.total) == ("working", 3, 12)
    assert elsewhere.begin(tray, "made", never).state == "working"
    go_on.set()
    assert trays.begin(tray, "made", never, patience=30).state == "done"


def test_a_deed_that_fails(trays: Trays) -> None:
    """It says so, and is not tried for ever; forgotten it can be begun again."""
    tray = trays.lay_out("export", "ewa")

    def work(progress: Progress) -> Any:
        raise OSError("no")

    assert trays.begin(tray, "made", work, patience=30).state == "failed"
    assert trays.look(tray, "made").state == "failed"
    assert trays.begin(tray, "made", never, patience=30).state == "failed"
    tray.forget("made")
    assert trays.begin(tray, "made", lambda progress: 1, patience=30).outcome == 1


def test_an_interrupted_deed_is_begun_again(trays: Trays) -> None:
    """The server was killed in the middle: nothing holds the lock any more."""
    tray = trays.lay_out("export", "ewa")
    tray.open("made.lock").close()
    tray.write("made-progress", [3, 12])
    assert trays.look(tray, "made").state == "none"
    assert trays.begin(tray, "made", lambda progress: 1, patience=30).state == "done"


def test_what_is_old_makes_room(trays: Trays, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a day a tray is gone; of one browser the oldest of four goes; all together have an end."""
    first = trays.lay_out("export", "ewa")
    others = trays.lay_out("export", "jan")
    os.utime(first.path, (time.time() - room.KEPT - 60,) * 2)
    second = trays.lay_out("export", "ewa")
    assert trays.find("export", "ewa", first.key) is None
    for age in (30, 20):
        os.utime(trays.lay_out("export", "ewa").path, (time.time() - age,) * 2)
    os.utime(second.path, (time.time() - 40,) * 2)
    trays.lay_out("export", "ewa")
    assert len(trays.list_all("export", "ewa")) == room.MAX_TRAYS
    assert trays.find("export", "ewa", second.key) is None
    assert trays.find("export", "jan", others.key) == others
    with others.open("file") as file:
        file.write(b"x" * 1000)
    monkeypatch.setattr(room, "MAX_ROOM", 999)
    with pytest.raises(NoRoom):
        trays.lay_out("import", "ala")


def test_not_too_many_wait(trays: Trays, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever would be the next to wait is told so."""
    monkeypatch.setattr(room, "MAX_WAITING", 2)
    go_on = threading.Event()
    for name in ("ewa", "jan"):
        trays.begin(trays.lay_out("export", name), "made", lambda progress: go_on.wait(30))
    tray = trays.lay_out("export", "ala")
    with pytest.raises(NoRoom):
        trays.begin(tray, "made", lambda progress: 1)
    go_on.set()


def test_who_looks_keeps_no_deed_from_being_done(trays: Trays) -> None:
    """To look takes the lock for a moment; a deed that begins just then waits for that."""
    tray = trays.lay_out("export", "ewa")
    with tray.open("made.lock") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        trays.begin(tray, "made", lambda progress: 7)
        time.sleep(0.03)
        fcntl.flock(file, fcntl.LOCK_UN)
        assert trays.begin(tray, "made", lambda progress: 8, patience=5).outcome == 7
