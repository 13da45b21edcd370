"""Who sends slowly, or nothing, or does not read, is in nobody's way."""

import resource
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from .conftest import LONG, RunningServer

Run = Callable[..., RunningServer]
REQUEST_SECONDS = "companion.operate.process.REQUEST_SECONDS"
IDLE_SECONDS = "companion.operate.process.IDLE_SECONDS"

HEAD = b"GET /en/ HTTP/1.1\r\nHost: localhost\r\nX-Long: "
BODY = (
    b"POST /en/new HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 100000\r\n\r\nname-A="
)


@contextmanager
def connections(server: RunningServer, *beginnings: bytes) -> Iterator[list[socket.socket]]:
    """Connections that have sent so much of a request, and no more."""
    with ExitStack() as stack:
        opened = []
        for beginning in beginnings:
            opened.append(stack.enter_context(server.connect()))
            opened[-1].sendall(beginning)
        yield opened


def drip(slow: list[socket.socket]) -> list[socket.socket]:
    """One byte more on each, then a second's pause; those that are still open."""
    for item in slow:
        try:
            item.sendall(b"x")
        except OSError:
            continue
    time.sleep(1)
    closed, _writable, _failed = select.select(slow, [], [], 0)
    return [item for item in slow if item not in closed]


@pytest.mark.nightly
def test_pages_come_while_hundreds_send_slowly(run_server: Run) -> None:
    """500 that say nothing, 200 that send a byte a second take nobody's turn; the latter are cut off."""
    server = run_server(constants={REQUEST_SECONDS: 5})
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    try:
        with connections(server, *[b""] * 500, *[HEAD, BODY] * 100) as opened:
            slow = opened[500:]
            assert len(drip(slow)) == 200  # they are all held at once
            for _time in range(5):
                assert server.get("/en/")[0] == 200
            until = time.monotonic() + LONG
            while slow and time.monotonic() < until:
                slow = drip(slow)
                assert server.get("/en/")[0] == 200
            assert slow == []
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.nightly
def test_who_says_nothing_is_cut_off(run_server: Run) -> None:
    """A connection that was opened and not used is closed after its time, one that was used likewise."""
    server = run_server(constants={IDLE_SECONDS: 2})
    whole = b"GET /en/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connections(server, b"", whole) as (silent, used):
        used.settimeout(LONG)
        silent.settimeout(LONG)
        assert used.recv(12) == b"HTTP/1.1 200"
        while used.recv(65536):
            pass
        assert silent.recv(1) == b""


@pytest.mark.nightly
def test_who_sends_steadily_may_take_longer(run_server: Run) -> None:
    """The time for a request grows with what has come: a slow line is no attack."""
    server = run_server(constants={REQUEST_SECONDS: 3})
    with connections(server, BODY.replace(b"100000", b"60007")) as (steady,):
        for _second in range(6):
            steady.sendall(b"x" * 10000)
            time.sleep(1)
        steady.settimeout(LONG)
        assert steady.recv(12) == b"HTTP/1.1 400"  # the form has no token


@pytest.mark.nightly
def test_too_many_connections_make_room(run_server: Run) -> None:
    """Where the system allows few files, those that wait longest give way to those who come."""
    few = 256
    server = run_server(
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (few, few)),
        constants={IDLE_SECONDS: 600, REQUEST_SECONDS: 600},
    )
    with connections(server, *[b""] * 300, *[HEAD] * 300):
        for _time in range(3):
            assert server.get("/en/")[0] == 200


@pytest.mark.nightly
def test_what_is_too_large_is_refused(run_server: Run) -> None:
    """A form over two megabytes gets a page that says so; endless ones and endless heads are not read on."""
    server = run_server()
    megabyte = b"x" * 1024 * 1024
    large = BODY.replace(b"100000", str(2 * len(megabyte) + 1007).encode()) + 2 * megabyte + b"x" * 1000
    for request, status in (
        (large, b"HTTP/1.1 413"),
        (BODY.replace(b"100000", b"99999999999"), b"HTTP/1.1 413"),
        (HEAD + b"x" * 70000, b"HTTP/1.0 431"),
    ):
        with connections(server, request) as (one,):
            one.settimeout(LONG)
            assert one.recv(12) == status
    assert server.get("/en/")[0] == 200
