"""Worker processes: what they give back, what ends them, and that none is left over."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chores
import pytest

from companion.jobs import (
    AskedTooMuch,
    Dispatcher,
    Job,
    OutOfMemory,
    QueueFull,
    TookTooLong,
    UnderWay,
    WorkerEnded,
    address_group,
)

from .conftest import LONG, Asking, is_alive, wait_until

MakeDispatcher = Callable[..., Dispatcher]


def process_of(dispatcher: Dispatcher, key: str) -> int:
    return int(dispatcher.ask(Job(key, chores.name_process), "browser"))


def test_an_answer_is_found_in_another_process_and_kept(dispatcher: Dispatcher, tmp_path: Path) -> None:
    task = Job("a", chores.echo, ("Żółw",))
    assert dispatcher.ask(task, "browser") == "Żółw".encode()
    assert (tmp_path / "answers" / "a").read_bytes() == "Żółw".encode()
    assert dispatcher.ask(Job("a", chores.die), "browser") == "Żółw".encode()
    first = process_of(dispatcher, "b")
    assert first != os.getpid() and process_of(dispatcher, "c") == first


def test_what_the_work_raises_is_raised(dispatcher: Dispatcher) -> None:
    with pytest.raises(ValueError, match="no such thing") as fault:
        dispatcher.ask(Job("a", chores.fail, (True,)), "browser")
    assert "in fail" in "".join(fault.value.__notes__)
    with pytest.raises(RuntimeError, match="1 and 2"):
        dispatcher.ask(Job("b", chores.fail, (False,)), "browser")


@pytest.mark.parametrize("noticed", [False, True])
def test_a_killed_worker_is_replaced(dispatcher: Dispatcher, noticed: bool) -> None:
    first = process_of(dispatcher, "a")
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not noticed or not is_alive(first))
    second = process_of(dispatcher, "b")
    assert second != first and is_alive(second)


def test_who_waits_for_a_killed_worker_is_answered_by_the_next(
    dispatcher: Dispatcher, tmp_path: Path
) -> None:
    """The system may have taken its memory away: it is tried once more, and then that is said."""
    assert dispatcher.ask(Job("a", chores.die_once, (str(tmp_path / "died"),)), "browser") == b"alive"
    with pytest.raises(WorkerEnded):
        dispatcher.ask(Job("b", chores.die), "browser")
    assert dispatcher.ask(Job("c", chores.echo, ("c",)), "browser") == b"c"


def test_what_takes_too_long_is_ended(make_dispatcher: MakeDispatcher, tmp_path: Path) -> None:
    dispatcher = make_dispatcher(workers=1, worker_seconds=1)
    with pytest.raises(TookTooLong):
        dispatcher.ask(Job("a", chores.wait_for, (str(tmp_path / "never"),)), "browser")
    assert not is_alive(int((tmp_path / "never.begun").read_text()))
    assert dispatcher.ask(Job("b", chores.echo, ("b",)), "browser") == b"b"


@pytest.mark.nightly
def test_what_takes_too_much_memory_is_ended(make_dispatcher: MakeDispatcher) -> None:
    """What has enough of it is answered, and its process let go where it has grown."""
    dispatcher = make_dispatcher(workers=1, worker_memory=500, grown=100)
    with pytest.raises(OutOfMemory):
        dispatcher.ask(Job("a", chores.take_memory, (1000,)), "browser")
    grown = int(dispatcher.ask(Job("b", chores.take_memory, (200,)), "browser"))
    wait_until(lambda: not is_alive(grown))
    small = process_of(dispatcher, "c")
    assert process_of(dispatcher, "d") == small


def test_what_the_app_holds_is_not_what_a_worker_held(make_dispatcher: MakeDispatcher) -> None:
    """A large process of the server has small workers, and they stay."""
    ballast = b"x" * 400_000_000
    dispatcher = make_dispatcher(workers=1)
    assert process_of(dispatcher, "a") == process_of(dispatcher, "b")
    assert len(ballast) > 0


@pytest.mark.nightly
def test_a_worker_is_replaced_after_so_much_work(make_dispatcher: MakeDispatcher) -> None:
    """Whatever it may have kept of it goes with it."""
    dispatcher = make_dispatcher(workers=1, max_jobs=2)
    first, second, third = (process_of(dispatcher, key) for key in "abc")
    assert first == second != third


@pytest.mark.nightly
def test_a_worker_that_is_asked_nothing_is_let_go(make_dispatcher: MakeDispatcher) -> None:
    dispatcher = make_dispatcher(workers=1, idle_seconds=0.2)
    first = process_of(dispatcher, "a")
    wait_until(lambda: not is_alive(first))
    assert process_of(dispatcher, "b") != first


def test_a_worker_is_ready_before_it_is_asked(dispatcher: Dispatcher, tmp_path: Path) -> None:
    dispatcher.prepare(chores.name_process)
    assert process_of(dispatcher, "a")
    dispatcher.prepare(chores.die)
    wait_until(lambda: dispatcher._pool.is_idle)
    assert [file.name for file in (tmp_path / "answers").iterdir()] == ["a"]


# --- who waits -------------------------------------------------------------------------------


def test_who_waits_too_long_is_told_how_far_it_is(make_dispatcher: MakeDispatcher, tmp_path: Path) -> None:
    dispatcher = make_dispatcher(workers=1, page_timeout=0)
    tasks = [Job(key, chores.wait_for, (str(tmp_path / key),)) for key in "abc"]
    seen = []
    for task in tasks:
        with pytest.raises(UnderWay):
            dispatcher.ask(task, "browser")
    wait_until((tmp_path / "a.begun").exists)
    for task in tasks:
        with pytest.raises(UnderWay) as under_way:
            dispatcher.ask(task, "browser")
        seen.append(under_way.value.progress)
    assert [progress.before for progress in seen] == [None, 0, 1]
    assert all(0 <= progress.seconds < LONG for progress in seen)
    for key in "abc":
        (tmp_path / key).touch()
    wait_until(lambda: dispatcher._pool.is_idle)
    assert [dispatcher.ask(task, "browser") for task in tasks] == [b"waited"] * 3


def test_what_many_ask_is_done_once(make_dispatcher: MakeDispatcher, tmp_path: Path) -> None:
    """By threads of one process, and by the dispatcher of another one on the same folder."""
    dispatchers = [make_dispatcher(workers=1), make_dispatcher(workers=1)]
    notes, gate = tmp_path / "notes", tmp_path / "gate"
    first = Asking(dispatchers[0], Job("first", chores.wait_for, (str(gate),)))
    wait_until((tmp_path / "gate.begun").exists)
    task = Job("a", chores.note, (str(notes), "once"))
    second = Asking(dispatchers[0], task)
    wait_until(lambda: (tmp_path / "answers" / "a.lock").exists())
    others = [Asking(dispatchers[1], task) for _time in range(3)]
    gate.touch()
    for asking in (first, second, *others):
        asking.join(LONG)
    assert [asking.result for asking in (second, *others)] == [b"noted"] * 4
    assert notes.read_text() == "once\n"


def test_browsers_have_their_turns(make_dispatcher: MakeDispatcher, tmp_path: Path) -> None:
    """One that asks little does not wait for all that another has asked; and each has its share only."""
    dispatcher = make_dispatcher(workers=1, page_timeout=0, per_browser=3, in_all=5)
    gate, notes = str(tmp_path / "gate"), tmp_path / "notes"

    def ask(key: str, browser: str, refusal: type[Exception] = UnderWay) -> Any:
        with pytest.raises(refusal) as refused:
            dispatcher.ask(Job(key, chores.note, (str(notes), key)), browser)
        return refused.value

    with pytest.raises(UnderWay):
        dispatcher.ask(Job("first", chores.wait_for, (gate,)), "a")
    wait_until(Path(f"{gate}.begun").exists)
    for key in ("a1", "a2"):
        ask(key, "a")
    assert ask("a3", "a", AskedTooMuch).wait >= 1
    for key in ("b1", "c1"):
        ask(key, key[0])
    ask("d1", "d", QueueFull)
    ask("a1", "d")  # what is asked already takes nobody's place
    Path(gate).touch()
    wait_until(lambda: dispatcher._pool.is_idle)
    assert notes.read_text().split() == ["a1", "b1", "c1", "a2"]
    ask("a3", "a")


def test_those_who_look_alike_have_a_larger_share(make_dispatcher: MakeDispatcher, tmp_path: Path) -> None:
    """For several may sit behind one address."""
    dispatcher = make_dispatcher(workers=1, page_timeout=0, per_browser=1, per_group=3)
    crowd, gate = address_group("192.168.1.7"), str(tmp_path / "gate")
    for key in "abc":
        with pytest.raises(UnderWay):
            dispatcher.ask(Job(key, chores.wait_for, (gate,)), crowd)
    with pytest.raises(AskedTooMuch):
        dispatcher.ask(Job("d", chores.wait_for, (gate,)), crowd)
    with pytest.raises(UnderWay):
        dispatcher.ask(Job("d", chores.wait_for, (gate,)), address_group("192.168.1.8"))
    Path(gate).touch()


def test_few_wait_at_once(make_dispatcher: MakeDispatcher, tmp_path: Path) -> None:
    dispatcher = make_dispatcher(workers=1, waiting=2)
    task = Job("a", chores.wait_for, (str(tmp_path / "gate"),))
    waiting = [Asking(dispatcher, task, str(number)) for number in range(2)]
    while dispatcher._may_wait.acquire(blocking=False):  # until both of them wait
        dispatcher._may_wait.release()
        time.sleep(0.01)
    with pytest.raises(UnderWay):
        dispatcher.ask(task, "third")
    (tmp_path / "gate").touch()
    for asking in waiting:
        asking.join(LONG)
    assert [asking.result for asking in waiting] == [b"waited"] * 2


# --- who is left over ------------------------------------------------------------------------

APP = """
import sys, threading
from pathlib import Path
import chores
from companion.jobs import Dispatcher, Job, WorkerLimits
if __name__ == "__main__":
    dispatcher = Dispatcher(Path(sys.argv[1]), WorkerLimits(page_timeout=50))
    print(int(dispatcher.ask(Job("a", chores.name_process), "browser")), flush=True)
    ask = lambda: dispatcher.ask(Job("b", chores.wait_for, (sys.argv[2],)), "browser")
    threading.Thread(target=ask, daemon=True).start()
    sys.stdin.read()
"""


NIGHTLY = pytest.mark.nightly
ENDS = [(signal.SIGKILL, True), (signal.SIGTERM, False), (None, True)]
OTHERS = [(signal.SIGKILL, False), (signal.SIGTERM, True), (None, False)]


@pytest.mark.nightly
@pytest.mark.parametrize(("end", "busy"), [*ENDS, *(pytest.param(*other, marks=NIGHTLY) for other in OTHERS)])
def test_no_worker_is_left_over(tmp_path: Path, end: int | None, busy: bool) -> None:
    """However the app ends, at work or not; what tells all processes to stop leaves them to the app."""
    program, gate = tmp_path / "app.py", tmp_path / "gate"
    program.write_text(APP)
    if not busy:
        gate.touch()
    path = os.pathsep.join([str(Path.cwd()), str(Path(chores.__file__).parent)])
    with subprocess.Popen(
        [sys.executable, str(program), str(tmp_path / "answers"), str(gate)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    ) as app:
        assert app.stdout is not None
        worker = int(app.stdout.readline())
        wait_until((tmp_path / "gate.begun").exists)
        for stop in (signal.SIGINT, signal.SIGTERM):
            os.kill(worker, stop)
        assert is_alive(worker)
        if end is not None:
            app.send_signal(end)
        app.communicate(timeout=LONG)
    wait_until(lambda: not is_alive(worker))
