"""Behind a proxy: what it says is believed where it was announced, and only there."""

from collections.abc import Callable

import pytest

from .conftest import RunningServer

pytestmark = pytest.mark.nightly
WRONG_CODE = f"/en/move/{'x' * 22}"


def test_one_who_guesses_keeps_nobody_else_waiting(run_server: Callable[..., RunningServer]) -> None:
    """Wrong codes are counted by phone, though all phones come by one proxy."""
    server = run_server(PROXIES="1")
    statuses = [server.get(WRONG_CODE, X_Forwarded_For="192.0.2.1")[0] for _time in range(100)]
    # What a phone claims to be, before the proxy adds where it comes from, counts for nothing.
    statuses += [server.get(WRONG_CODE, X_Forwarded_For=f"198.51.100.{n}, 192.0.2.1")[0] for n in range(60)]
    assert {*statuses} == {404, 429}
    assert statuses.count(404) == 20  # whichever process was asked
    assert server.get(WRONG_CODE, X_Forwarded_For="192.0.2.2")[0] == 404


def test_who_guesses_is_nobody_else_by_saying_so(run_server: Callable[..., RunningServer]) -> None:
    """Where no proxy was announced a phone is where it comes from, whatever it claims."""
    server = run_server()
    statuses = [server.get(WRONG_CODE, X_Forwarded_For=f"192.0.2.{n}")[0] for n in range(100)]
    assert statuses.count(404) == 20  # whichever process was asked


@pytest.mark.parametrize("path", ["/karty/en/", "/en/"])
def test_below_a_path(run_server: Callable[..., RunningServer], path: str) -> None:
    """The server is asked for the path as it is, or without it."""
    status, page = run_server(PREFIX="/karty").get(path)
    assert status == 200
    assert b'href="/karty/en/new' in page
