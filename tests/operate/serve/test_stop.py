"""A server that is stopped finishes what is under way; one that was killed can be started again at once."""

import os
import re
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode

import pytest

from .conftest import LONG, RunningServer, free_port, living, wait_until

Run = Callable[..., RunningServer]


def refuses(server: RunningServer) -> bool:
    try:
        server.connect().close()
    except ConnectionError:
        return True
    return False


@contextmanager
def waiting_form(server: RunningServer, folder: Path) -> Iterator[tuple[HTTPConnection, sqlite3.Connection]]:
    """A form that was sent and waits for the database, and the connection that keeps it waiting."""
    browser = HTTPConnection("127.0.0.1", server.port, timeout=LONG)
    browser.request("GET", "/en/new")
    page = browser.getresponse()
    cookies = "; ".join(value.partition(";")[0] for value in page.headers.get_all("Set-Cookie") or ())
    stored = dict(re.findall(r'name="(form_key|csrf_token|owner)"[^>]*value="([^"]*)"', page.read().decode()))
    form = urlencode({"name-A": "Ewa", "name-B": "Jan", "dealer": "A", **stored})
    other = sqlite3.connect(folder / "companion.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    browser.request(
        "POST", "/en/new", form, {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
    )
    time.sleep(1)
    try:
        yield browser, other
    finally:
        browser.close()
        other.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "stop",
    [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.nightly)],
    ids=lambda stop: stop.name,
)
def test_what_is_under_way_is_finished(run_server: Run, tmp_path: Path, stop: signal.Signals) -> None:
    """A form that waits for the database when the server is stopped is written and answered."""
    server = run_server()
    with waiting_form(server, tmp_path) as (browser, other):
        server.process.send_signal(stop)
        wait_until(lambda: refuses(server))  # nobody else is let in
        other.execute("ROLLBACK")
        with browser.getresponse() as answer:
            assert answer.status == 303, answer.read()
        assert server.process.wait(LONG) == 0
        assert other.execute("SELECT count(*) FROM match").fetchone() == (1,)


@pytest.mark.nightly
def test_who_asks_twice_waits_for_nothing(run_server: Run, tmp_path: Path) -> None:
    """A second Ctrl+C ends the server, whatever is under way."""
    server = run_server()
    with waiting_form(server, tmp_path) as (browser, _other):
        os.killpg(server.process.pid, signal.SIGINT)
        wait_until(lambda: refuses(server))
        time.sleep(1.5)
        os.killpg(server.process.pid, signal.SIGINT)
        with pytest.raises((ConnectionError, HTTPException)):
            browser.getresponse()
        assert server.process.wait(LONG) == 0


@pytest.mark.nightly
def test_a_print_is_finished(run_server: Run) -> None:
    """So is a sheet that is being printed, though all processes are told to stop, as a terminal does."""
    server = run_server()
    printed: list[tuple[int, bytes]] = []
    printing = threading.Thread(target=lambda: printed.append(server.get("/en/sheets/derda/blank.pdf")))
    printing.start()
    wait_until(lambda: len(server.family()) > 2)
    os.killpg(server.process.pid, signal.SIGINT)
    printing.join(LONG)
    [(status, pdf)] = printed
    assert status == 200
    assert pdf.startswith(b"%PDF")
    assert server.process.wait(LONG) == 0


@pytest.mark.nightly
def test_a_killed_server_starts_again_at_once(run_server: Run) -> None:
    """Its processes end with it; connections that are left of it are in nobody's way."""
    killed = run_server()
    left = [killed.connect() for _one in range(20)]
    for item in left[:10]:
        item.sendall(b"GET /en/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        item.recv(1)
    assert killed.get("/en/sheets/derda/blank.pdf")[0] == 200  # a process to print is there too
    family = killed.family()
    assert len(family) > 2
    killed.process.kill()
    killed.process.wait()
    again = run_server()
    assert again.get("/en/")[0] == 200
    wait_until(lambda: living().keys().isdisjoint(family))
    assert again.get("/en/")[0] == 200
    for connection in left:
        connection.close()


@pytest.mark.nightly
def test_a_process_that_dies_while_the_database_is_away(run_server: Run, tmp_path: Path) -> None:
    """Its place is taken when the database is back, and no other database is made meanwhile."""
    server = run_server()
    place = tmp_path / "companion.sqlite"
    place.rename(tmp_path / "elsewhere")
    first, second = server.family()
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: len(server.seen()) > 3)  # it was tried twice
    assert not place.exists()
    assert server.get("/en/m/none")[0] == 503
    (tmp_path / "elsewhere").rename(place)
    assert server.get("/en/m/none")[0] == 404
    assert second in server.family()


@pytest.mark.slow
def test_a_process_that_dies_is_replaced(run_server: Run) -> None:
    """The others serve meanwhile."""
    server = run_server()
    first, second = server.family()
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: first not in living() and len(server.family()) == 2)
    assert second in server.family()
    assert server.get("/en/")[0] == 200


def list_fonts(place: Path) -> list[Path]:
    """The folders of fonts that processes which print have made."""
    return list(place.rglob("weasyprint-*"))


@pytest.mark.nightly
def test_nothing_is_left_behind(
    run_server: Callable[..., RunningServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that prints is killed, then the server: the next one takes away what they left."""
    place, old = tmp_path / "tmp", tmp_path / "trays" / "export-old"
    place.mkdir()
    old.mkdir(parents=True)
    os.utime(old, (1, 1))
    monkeypatch.setenv("TMPDIR", str(place))
    server = run_server(PROCESSES="1", METRICS_PORT=str(free_port()))
    assert not old.exists()
    assert server.get("/en/sheets/derda/blank.pdf")[0] == 200
    assert len(list_fonts(place)) == 1
    [printer] = [pid for pid in server.family() if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(printer, signal.SIGKILL)
    assert server.get("/en/sheets/durak/blank.pdf")[0] == 200
    assert len(list_fonts(place)) == 1
    server.family()
    server.process.kill()
    server.process.wait(LONG)
    wait_until(lambda: living().keys().isdisjoint(server.seen()))
    again = run_server(PROCESSES="1")
    assert list_fonts(place) == [] and list(place.rglob("companion-metrics-*")) == []
    assert again.get("/en/sheets/derda/blank.pdf?paper=a5")[0] == 200
    again.family()
    again.process.terminate()
    assert again.process.wait(LONG) == 0
    wait_until(lambda: living().keys().isdisjoint(again.seen()))
    assert list(place.iterdir()) == []
