"""Records of a host's own game in files, read by the process that serves and by one that was spawned."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hosting import DEAL, HARBOUR, HEAD, write_folder

from companion import library
from companion.web.archives import importing
from tests.web.archives.test_importing import count, look
from tests.web.browsers import TOKEN, Browser, known_browser

RECORD = {"format": "companion-match", "version": 1, **HEAD, "entries": [DEAL]}


@pytest.fixture
def host(make_app: Callable[..., Flask], tmp_path: Path) -> Iterator[Browser]:
    """A browser at a server with a game of its own."""
    app = make_app(GAMES=str(write_folder(tmp_path / "games")))
    yield known_browser(app, TOKEN)
    app.extensions["dispatcher"].close()
    library.take_host_folder(None)


def take(host: Browser, record: dict[str, Any]) -> str:
    """Import a record; what the page says then."""
    page = look(host, ("a.json", json.dumps(record).encode()))
    assert "New: 1" in host.read(page)
    host.post(page)
    return host.read(page)


@pytest.mark.nightly
def test_a_worker_knows_the_games_of_the_host(host: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that names a game without its rules is read as the server reads it."""
    monkeypatch.setattr(importing, "_LITTLE", 10)
    assert "Imported" in take(host, RECORD)
    assert count(host) == 1


def test_a_history_without_rules_is_taken_by_those_of_today(host: Browser) -> None:
    """The match keeps them from now on."""
    id = host.begin(HEAD, DEAL)
    record = host.get(f"/en/m/{id}/record.json").get_json()
    rules = record.pop("rules")
    assert rules == library.rules("harbour") and "last = 20" in HARBOUR
    del record["log"][0]["payload"]["rules"], record["id"]
    assert "Imported" in take(host, record)


def test_a_record_that_lost_its_rules_says_so(host: Browser) -> None:
    id = host.begin(HEAD, DEAL)
    record = host.get(f"/en/m/{id}/record.json").get_json()
    del record["rules"]
    page = look(host, ("a.json", json.dumps(record).encode()))
    assert "Required, as the log has it. rules" in host.read(page)
