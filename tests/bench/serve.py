"""The server under eight browsers: beside slow connections, and beside a sheet that is being printed."""

import http.client
import os
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from serving import change_constants, serve_command

from tests.operate.serve.conftest import free_port

from ._shared import Row, ask, store_matches

BROWSERS, SECONDS, ROUNDS = 8, 4, 3
IDLE, HALF = 500, 200
LIMITS = ("REQUEST_SECONDS", "IDLE_SECONDS")
ID = "bench-bench-bench-1234"
REQUESTS = (
    b"GET /en/ HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
    b"POST /en/new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
)


@contextmanager
def running_server() -> Iterator[tuple[int, Path]]:
    """A server with a match of twelve deals: its port, and its folder."""
    with tempfile.TemporaryDirectory() as instance:
        store_matches(Path(instance), [ID], 12)
        port = free_port()
        settings = {
            "COMPANION_INSTANCE": instance,
            "COMPANION_LIMITS": "off",  # all come from one address, and nobody takes his time
        } | change_constants(dict.fromkeys((f"companion.operate.process.{name}" for name in LIMITS), 600))
        server = subprocess.Popen(serve_command(port), env=os.environ | settings, stdout=subprocess.DEVNULL)
        try:
            while True:
                try:
                    ask(port, "GET", "/en/")
                    break
                except OSError:
                    time.sleep(0.1)
            yield port, Path(instance)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


def browse(port: int) -> list[float]:
    """How long each page took eight browsers that look at the board again and again, shortest first."""
    taken: list[float] = []

    def look() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            began = time.perf_counter()
            connection.request("GET", f"/en/m/{ID}")
            assert connection.getresponse().read()
            taken.append(time.perf_counter() - began)
        connection.close()

    browsers = [threading.Thread(target=look) for _one in range(BROWSERS)]
    for browser in browsers:
        browser.start()
    for item in browsers:
        item.join()
    return sorted(taken)


@contextmanager
def in_background(work: Callable[[threading.Event], None]) -> Iterator[None]:
    """Work that goes on beside, until the event that it is given says that it is over."""
    over = threading.Event()
    worker = threading.Thread(target=work, args=(over,))
    worker.start()
    try:
        yield
    finally:
        over.set()
        worker.join()


@contextmanager
def beside_slow_connections(port: int) -> Iterator[None]:
    """Many that say nothing, and many that send a byte a second."""
    with ExitStack() as stack:
        opened = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _one in range(IDLE + HALF)
        ]

        def drip(over: threading.Event) -> None:
            while not over.wait(1):
                for item in opened[:HALF]:
                    item.sendall(b"x")

        for place, value in enumerate(opened[:HALF]):
            value.sendall(REQUESTS[place % len(REQUESTS)])
        with in_background(drip):
            yield


@contextmanager
def beside_prints(port: int, instance: Path) -> Iterator[None]:
    """A sheet that is printed, each time anew."""

    def print_again(over: threading.Event) -> None:
        while not over.is_set():
            for printed in (instance / "sheets").glob("*.pdf"):
                printed.unlink()
            assert ask(port, "GET", f"/en/m/{ID}/sheet.pdf")[0].status == 200

    with in_background(print_again):
        yield


def run() -> list[Row]:
    """The median and the slowest hundredth of pages, beside trouble and without, turn and turn about."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    with running_server() as (port, instance):
        browse(port)
        troubles: dict[str, Callable[[], AbstractContextManager[None]]] = {
            f"{IDLE} idle and {HALF} half-sent": lambda: beside_slow_connections(port),
            "prints": lambda: beside_prints(port, instance),
        }
        rows = []
        for name, trouble in troubles.items():
            alone: list[float] = []
            beside: list[float] = []
            for _round in range(ROUNDS):
                alone += browse(port)
                with trouble():
                    beside += browse(port)
            for part, share in (("median", 0.5), ("slowest of 100", 0.99)):
                least, seconds = (sorted(item)[int(len(item) * share)] for item in (alone, beside))
                rows.append(
                    (f"board, {BROWSERS} browsers, beside {name}: {part}", seconds, "the same alone", least)
                )
        return rows
