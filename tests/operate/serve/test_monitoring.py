"""The server for those who keep it running: its figures, a log of JSON, its health."""

import json
import os
import re
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import main
from companion.operate import server

from .conftest import LONG, RunningServer, ask, free_port, living, wait_until

Run = Callable[..., RunningServer]


def scrape(port: int) -> str:
    """The figures, as Prometheus would read them."""
    return ask(port, "/metrics")[1].decode()


def add_up(shown: str, name: str) -> float:
    """The sum of a figure over all its labels."""
    found = re.findall(rf"^{name}(?:\{{[^}}]*\}})? (\S+)$", shown, re.MULTILINE)
    return sum(map(float, found))


@pytest.fixture
def other_port() -> int:
    return free_port()


@pytest.mark.nightly
def test_figures_of_all_processes(run_server: Run, other_port: int) -> None:
    """What each of them counts is added up, and nothing is lost when one of them ends."""
    server = run_server(METRICS_PORT=str(other_port), PROCESSES="3")
    before = add_up(scrape(other_port), "companion_requests_total")
    assert add_up(scrape(other_port), "companion_last_backup_timestamp_seconds") == 0
    assert add_up(scrape(other_port), "companion_disk_free_bytes") > 0
    for _time in range(30):
        assert server.get("/en/rules")[0] == 200
    asked = 'companion_requests_total{endpoint="rulebook.catalogue",method="GET",status="200"} 30.0'
    wait_until(lambda: asked in scrape(other_port))
    assert add_up(scrape(other_port), "companion_requests_total") >= before + 30
    idle = [server.connect() for _one in range(5)]
    wait_until(lambda: add_up(scrape(other_port), "companion_connections") >= 5)
    for item in idle:
        item.close()
    wait_until(lambda: add_up(scrape(other_port), "companion_connections") < 5)
    assert len(server.family()) == 4
    serving = [pid for pid in server.family() if b"exporter" not in name_of(pid)]
    os.kill(serving[-1], signal.SIGKILL)
    wait_until(lambda: serving[-1] not in living() and len(server.family()) == 4)
    assert asked in scrape(other_port)
    assert add_up(scrape(other_port), "companion_heavy_work") == 0


def name_of(pid: int) -> bytes:
    """What a process calls itself."""
    return Path(f"/proc/{pid}/comm").read_bytes()


@pytest.mark.nightly
def test_the_figures_end_with_the_server(run_server: Run, other_port: int) -> None:
    """Whether it is stopped or killed; then it can be started again at once."""
    for end in (signal.SIGTERM, signal.SIGKILL):
        server = run_server(METRICS_PORT=str(other_port))
        assert "companion_requests_total" in scrape(other_port)
        server.family()
        server.process.send_signal(end)
        server.process.wait(LONG)
        wait_until(lambda server=server: living().keys().isdisjoint(server.seen()))  # type: ignore[misc]  # a default


def test_a_taken_port_for_figures(
    other_port: int, port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is named in one line, with what to do."""
    monkeypatch.setattr(server, "_RETRY_SECONDS", 0.1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", other_port))
        taken.listen()
        code = main(["serve", "--host", "127.0.0.1", "--port", str(port), "--metrics-port", str(other_port)])
    assert code == 2
    assert capsys.readouterr().err == (
        f"error: port {other_port} is in use; try another: --metrics-port {other_port + 1}\n"
    )


@pytest.mark.nightly
def test_the_log_is_json(run_server: Run) -> None:
    """Every line that the server says, from the first to the last; one for each request."""
    server = run_server(LOG="json")
    for path in ("/en/", "/en/m/an-id-of-a-match", "/healthz", "/readyz"):
        server.get(path)
    one, *_others = server.family()
    os.kill(one, signal.SIGKILL)  # which the server has something to say of
    wait_until(lambda: one not in living() and len(server.family()) == 2)
    server.process.terminate()
    assert server.process.wait(LONG) == 0
    assert server.process.stdout
    written = server.process.stdout.read().decode()
    lines = [json.loads(line) for line in written.splitlines()]
    assert all(line.keys() >= {"time", "level", "event"} for line in lines)
    asked = [line["endpoint"] for line in lines if line["event"] == "request"]
    assert {"index.index", "scoreboard.scoreboard"} == {*asked}
    assert "an-id-of-a-match" not in written
    assert any("SIGKILL" in line.get("text", "") for line in lines)


@pytest.mark.nightly
def test_it_says_when_it_stops(run_server: Run) -> None:
    """It takes no new connection; who has one is told that nothing new is wanted."""
    server = run_server(PROCESSES="1")
    assert server.get("/readyz") == (200, b"ready\n")
    assert server.get("/healthz") == (200, b"alive\n")
    with server.connect() as one:
        asked = [
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"
            for path in ("/en/sheets/derda/blank.pdf", "/readyz")
        ]
        one.sendall("".join(asked).encode())  # at once: the second is there when the server is told to stop
        wait_until(lambda: len(server.family()) > 1)
        server.process.terminate()
        read = b""
        while more := one.recv(1 << 16):
            read += more
    assert read.startswith(b"HTTP/1.1 200")
    assert b"%PDF" in read
    assert b"HTTP/1.1 503" in read
    assert read.endswith(b"the server is stopping\n")
    assert server.process.wait(LONG) == 0
