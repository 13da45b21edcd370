"""A backup as the documents make it brings everything back into an empty place, as the documents say it."""

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from derda import DEAL, HEAD
from flask import Flask
from hosting import HARBOUR
from sqlalchemy import make_url

from companion import create_app
from companion.store.tables import db
from tests.web.browsers import TOKEN, known_browser

from .containerfile import ROOT
from .documented import find_block, find_commands, run

pytestmark = pytest.mark.slow
LIST = "/en/"
"""Lists the matches of who looks at it."""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root folder of a machine on which the service was set up, with a game of the host's own."""
    for name in ("COMPANION_DATABASE", "COMPANION_SECRET_KEY", "COMPANION_INSTANCE"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "machine"
    for place in ("etc/games", "var/lib/companion", "var/backups/companion"):
        (root / place).mkdir(parents=True)
    (root / "etc/games/harbour.toml").write_text(HARBOUR)
    return root


@contextmanager
def serving(machine: Path, address: str | None) -> Iterator[Flask]:
    """The app as the service has it."""
    app = create_app({"INSTANCE": str(machine / "var/lib/companion"), "DATABASE": address, "LIMITS": "off"})
    yield app
    with app.app_context():
        db.engine.dispose()


def use(machine: Path, script: str) -> str:
    """Run commands of the documents; `companion` is the command line with the settings of this machine."""
    here = shlex.join([sys.executable, "-m", "companion.cli"])
    settings = f"set -a; . {machine}/etc/companion.env; COMPANION_INSTANCE={machine}/var/lib/companion"
    program = f'({settings}; cd {ROOT}; exec {here} "$@")'
    command = machine / "opt/companion/.venv/bin/companion"
    command.parent.mkdir(parents=True, exist_ok=True)
    command.write_text(f"#!/bin/bash\n{program}\n")
    command.chmod(0o755)
    games = {"COMPANION_GAMES": str(machine / "etc/games")}
    return run(script, machine, {"companion": program, "systemctl": ":"}, **games)


def write_settings(machine: Path, *lines: str) -> str:
    text = "\n".join((f"COMPANION_GAMES={machine}/etc/games", "COMPANION_PROXIES=1", *lines, ""))
    (machine / "etc/companion.env").write_text(text)
    return text


def record(machine: Path, address: str | None) -> tuple[str, str]:
    """A match with a deal, and the cookie of its owner."""
    with serving(machine, address) as app:
        browser = known_browser(app, TOKEN)
        id = browser.begin(HEAD, DEAL)
        answer = browser.get(LIST)
        assert id in answer.text
        return id, answer.request.headers["Cookie"]


def empty(machine: Path) -> None:
    """Leave nothing of a machine but its backups."""
    for place in ("etc", "var/lib/companion"):
        shutil.rmtree(machine / place)
    (machine / "var/lib/companion").mkdir()
    (machine / "etc").mkdir()


def check(machine: Path, address: str | None, id: str, cookie: str, settings: str) -> None:
    """Everything is there: settings, games, key; only who began the match finds it in the list."""
    assert (machine / "etc/companion.env").read_text() == settings
    assert (machine / "etc/games/harbour.toml").read_text() == HARBOUR
    assert (machine / "var/lib/companion/secret-key").stat().st_mode & 0o077 == 0
    with serving(machine, address) as app:
        client = app.test_client(use_cookies=False)
        assert id in client.get(LIST, headers={"Cookie": cookie}).text
        assert id not in client.get(LIST).text
        assert len(known_browser(app, TOKEN).match(id).events) == 1


@pytest.mark.nightly
def test_from_the_file(machine: Path) -> None:
    """By the commands of the nightly backup, and those of section 5."""
    settings = write_settings(machine)
    id, cookie = record(machine, None)
    use(machine, find_commands("companion-backup.service"))
    empty(machine)
    use(machine, find_block("5 Backup", "companion.before"))
    check(machine, None, id, cookie, settings)


def test_from_postgresql(machine: Path, postgres_addresses: Callable[[], str]) -> None:
    """By those of PostgreSQL, of section 7."""
    address = postgres_addresses()
    settings = write_settings(machine, f'COMPANION_DATABASE="{address}"')
    id, cookie = record(machine, address)
    commands = find_commands("companion-backup.service", "companion-backup-postgresql.conf")
    use(machine, for_database(commands, address))
    empty(machine)
    another = postgres_addresses()
    use(machine, for_database(find_block("7 From the file to PostgreSQL", "pg_restore"), another))
    check(machine, another, id, cookie, settings)


def for_database(script: str, address: str) -> str:
    """Commands that name the database `companion`, on one of a test."""
    plain = make_url(address)._replace(drivername="postgresql").render_as_string()
    script = script.replace("--dbname companion", f"--dbname {shlex.quote(plain)}")
    return script.replace('.dump" companion', f'.dump" "{plain}"')
