"""The server comes up where it can, says where it is, and says in a sentence why it cannot."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import i18n
from companion.operate import server as serve

from .conftest import RunningServer


def test_an_address_of_another_machine() -> None:
    """An address that this machine has not is refused by name."""
    assert "192.0.2.99 is not an address of this machine" in str(
        serve.find_address_problem("192.0.2.99", 5000)
    )


def test_the_greeting_leads_a_phone_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every address is listened on, the terminal shows the one in the network, and its code."""
    monkeypatch.setattr(serve, "lan_address", lambda: "10.1.2.3")
    text = serve.greeting("0.0.0.0", 5000)
    assert "http://10.1.2.3:5000/" in text
    assert "▀" in text or "cannot show" in text
    assert "with http:// phones keep no pages" in text and "docs/using/at-home.md" in text


def test_a_server_for_this_machine_alone() -> None:
    """On a local address no code is drawn, for no phone could use it; the way out is told."""
    text = serve.greeting("127.0.0.1", 5000)
    assert "http://127.0.0.1:5000/" in text and "--host 0.0.0.0" in text and "▀" not in text
    german = i18n.translator("de")
    text = serve.greeting("127.0.0.1", 5000, say=lambda message: message.render(german))
    assert text.startswith("Companion läuft unter http://127.0.0.1:5000/\nNur dieser Rechner kommt hin; ")


def test_a_server_behind_a_proxy() -> None:
    """No phone can use the server's own address: neither its code is shown, nor another way to open it."""
    text = serve.greeting("0.0.0.0", 5000, has_proxy=True)
    assert "the address of the proxy" in text
    assert "▀" not in text and "--host" not in text and "https" not in text


def test_the_code_is_square() -> None:
    """Each line of the code is as wide as the others, two rows of it to a line of text."""
    rows = serve.draw_code("http://10.1.2.3:5000/").split("\n")
    assert len({len(row) for row in rows}) == 1
    assert len(rows) == (len(rows[0]) + 1) // 2


@pytest.mark.slow
def test_no_connection_is_left_to_those_that_are_forked(run_server: Callable[..., RunningServer]) -> None:
    """Who inherits one of SQLite's believes that it has locks, which are its parent's alone."""
    server = run_server()
    opened = [os.readlink(path) for path in Path(f"/proc/{server.process.pid}/fd").iterdir()]
    assert [file for file in opened if ".sqlite" in file] == []
