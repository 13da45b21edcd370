"""Behind a proxy: what it says is believed where it was announced, and only there."""

import http.client
from collections.abc import Callable

import pytest

from .conftest import LONG, RunningServer

pytestmark = pytest.mark.nightly

PROCESSES = 2


def guess(server: RunningServer, **headers: str) -> int:
    """The status of a wrong code; headers are those that a proxy adds."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONG)
    try:
        named = {name.replace("_", "-"): header for name, header in headers.items()}
        connection.request("GET", f"/en/move/{'x' * 22}", headers=named)
        return connection.getresponse().status
    finally:
        connection.close()


def test_one_who_guesses_keeps_nobody_else_waiting(run_server: Callable[..., RunningServer]) -> None:
    """Wrong codes are counted by phone, though all phones come by one proxy."""
    server = run_server(PROXIES="1")
    statuses = [guess(server, X_Forwarded_For="192.0.2.1") for _time in range(100)]
    # What a phone claims to be, before the proxy adds where it comes from, counts for nothing.
    statuses += [guess(server, X_Forwarded_For=f"198.51.100.{n}, 192.0.2.1") for n in range(60)]
    assert {*statuses} == {404, 429}
    assert statuses.count(404) == 20  # whichever process was asked
    assert guess(server, X_Forwarded_For="192.0.2.2") == 404


def test_who_guesses_is_nobody_else_by_saying_so(run_server: Callable[..., RunningServer]) -> None:
    """Where no proxy was announced a phone is where it comes from, whatever it claims."""
    server = run_server()
    statuses = [guess(server, X_Forwarded_For=f"192.0.2.{n}") for n in range(100)]
    assert statuses.count(404) == 20  # whichever process was asked


@pytest.mark.parametrize("path", ["/karty/en/", "/en/"])
def test_below_a_path(run_server: Callable[..., RunningServer], path: str) -> None:
    """The server is asked for the path as it is, or without it."""
    status, page = run_server(PREFIX="/karty").get(path)
    assert status == 200
    assert b'href="/karty/en/new' in page
