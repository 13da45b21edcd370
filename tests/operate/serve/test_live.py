"""A phone that looks on asks by one connection again and again, whatever is answered."""

import http.client
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import create_app
from companion.store import StoredMatch
from companion.store.sql import SqlStore

from .conftest import LONG, RunningServer

HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "B"}


@pytest.mark.nightly
def test_an_answer_without_a_body_leaves_the_connection_open(
    tmp_path: Path, run_server: Callable[..., RunningServer]
) -> None:
    """That nothing has changed is told without a body; the next question needs no new connection for that."""
    with create_app({"INSTANCE": str(tmp_path)}).app_context():
        SqlStore().create_match(StoredMatch("a-match", "nobody", HEAD, (), "2026-11-20T19:05:00+01:00"))
    server = run_server()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONG)

    def ask(**headers: str) -> int:
        connection.request("GET", "/en/m/a-match", headers={"X-Seen": "0.0", **headers})
        answer = connection.getresponse()
        answer.read()
        return answer.status

    connection.connect()
    opened = connection.sock
    assert [ask(), ask()] == [304, 304]
    assert connection.sock is opened
    assert ask(Connection="close") == 304
    assert connection.sock is None
