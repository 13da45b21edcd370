"""What keeps the server from starting is said in one line, with what to do about it."""

import os
import resource
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from serving import serve_command

from companion.cli import main
from companion.operate import server
from companion.store import engine

from .conftest import LONG, ROOT

Refuse = Callable[..., str]


@pytest.fixture
def refuse(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Refuse:
    """Starts the server, which does not start: the line that says why."""
    monkeypatch.setattr(server, "_RETRY_SECONDS", 0.1)

    def run(**settings: Any) -> str:
        with monkeypatch.context() as environment:
            for name, value in ({"INSTANCE": tmp_path} | settings).items():
                environment.setenv(f"COMPANION_{name}", str(value))
            code = main(["serve", "--host", "127.0.0.1", "--port", str(port)])
        said = capsys.readouterr()
        assert (code, said.out) == (2, "")
        assert said.err.startswith("error: ")
        assert said.err.count("\n") == 1
        return said.err

    return run


@pytest.fixture
def database(tmp_path: Path, empty_database: Path) -> Path:
    place = tmp_path / "companion.sqlite"
    place.write_bytes(empty_database.read_bytes())
    return place


def test_a_taken_port(refuse: Refuse, port: int) -> None:
    """Another port is proposed."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        assert f"port {port} is in use; try another: --port {port + 1}" in refuse()


@pytest.mark.skipif(not server.SHARED, reason="the port is not shared here")
def test_a_port_whose_server_has_no_process_just_now(port: int) -> None:
    """It is refused all the same, and the processes of that server listen again."""
    with server.hold("127.0.0.1", port):
        for _time in range(2):
            assert f"port {port} is in use" in str(server.find_address_problem("127.0.0.1", port))
            with server.listen("127.0.0.1", port, shared=True), server.listen("127.0.0.1", port, shared=True):
                socket.create_connection(("127.0.0.1", port)).close()
    assert server.find_address_problem("127.0.0.1", port) is None


def test_a_folder_that_is_a_file(refuse: Refuse, tmp_path: Path) -> None:
    """Neither a file nor what would lie in one can be the folder."""
    (tmp_path / "file").write_text("")
    for instance in ("file", "file/folder"):
        reported = refuse(INSTANCE=tmp_path / instance)
        assert f"{tmp_path / instance} is not a folder" in reported
        assert "COMPANION_INSTANCE" in reported


SHUT_OUT = """
import os, sys
from pathlib import Path
from flask import Flask
from companion.store import CannotStart
from companion.store.engine import open_database
from companion.store.folder import make_folder
from companion.web.shell.security.secret import read_key

def bare(folder):
    app = Flask("bare", instance_path=folder)
    app.config["DATABASE"] = None
    return app

open_database(bare(sys.argv[1]))  # whoever is nobody may not be able to load it any more
if os.geteuid() == 0:  # root may write anywhere
    os.setuid(65534)
for step in (read_key, open_database, lambda app: make_folder(Path(app.instance_path, "new"))):
    try:
        step(bare(sys.argv[2]))
    except CannotStart as error:
        print(error)
"""


def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    """A folder that this user cannot write is named, whatever is to be made in it."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        done = subprocess.run(
            [sys.executable, "-c", SHUT_OUT, str(tmp_path), folder], cwd=ROOT, capture_output=True, text=True
        )
        os.chmod(folder, 0o755)
    assert done.returncode == 0, done.stderr
    key, opened, made = done.stdout.splitlines()
    assert f"{folder}/secret-key cannot be read or made (permission denied); let this user" in key
    assert f"{folder}/companion.sqlite cannot be opened; let this user" in opened
    assert f"{folder}/new cannot be made (permission denied); make it for this user" in made


def test_a_database_that_is_none(refuse: Refuse, database: Path) -> None:
    """A file of something else is left alone."""
    database.write_text("These are the scores of our club. " * 100)
    assert f"{database} is not a database, or is damaged" in refuse()
    assert database.read_text().startswith("These are the scores")


def test_a_database_that_is_newer(refuse: Refuse, database: Path) -> None:
    """What a newer version wrote, an older one does not touch."""
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert f"{database} was written by a newer version of this program; update this one" in refuse()


def test_a_database_in_use(refuse: Refuse, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another program does not let go of the file, that is said."""
    from companion import create_app
    from companion.store import CannotStart

    monkeypatch.setattr(engine, "PRAGMAS", ("busy_timeout=50", *engine.PRAGMAS[1:]))
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(CannotStart, match=r"companion\.sqlite is in use by another program"):
        create_app({"INSTANCE": str(database.parent)})
    other.close()


def test_a_disk_without_room(tmp_path: Path, port: int) -> None:
    """Where files cannot grow the disk is named as the cause; as for any refusal the code is 2."""
    done = subprocess.run(
        serve_command(port),
        cwd=ROOT,
        env={**os.environ, "COMPANION_INSTANCE": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=LONG,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert "cannot be read or written" in done.stderr
    assert "the disk is full" in done.stderr


ADDRESS = "COMPANION_DATABASE: must be an address such as postgresql://user:password@host/name"
SHORT = "COMPANION_SECRET_KEY: must have at least 16 characters"


@pytest.mark.parametrize(
    ("name", "value", "reported"),
    [
        ("DATABASE", "nonsense", ADDRESS),
        ("DATABASE", "mysql://localhost/x", ADDRESS),
        ("DATABASE", "postgresql+nothing", ADDRESS),
        ("DATABASE", "sqlite", ADDRESS),
        ("DATABASE", "http://localhost/", ADDRESS),
        ("SECRET_KEY", "", SHORT),
        ("SECRET_KEY", "abc", SHORT),
        ("SECRET_KEY", "1234", SHORT),
        ("WORKERS", "many", "COMPANION_WORKERS: must be a whole number from 1 to 64, not many"),
        ("PROXYS", "1", "COMPANION_PROXYS: not a setting; did you mean COMPANION_PROXIES?"),
        ("PREFIX", "/en", "COMPANION_PREFIX: /en begins like an address of the app"),
    ],
)
def test_a_setting_that_is_none(refuse: Refuse, name: str, value: str, reported: str) -> None:
    """Nor does it start with one that is unknown."""
    assert reported in refuse(**{name: value})


def test_a_database_that_cannot_be_reached(refuse: Refuse, tmp_path: Path, port: int) -> None:
    """The address is shown without its password."""
    reported = refuse(DATABASE=f"postgresql://club:secret@127.0.0.1:{port}/scores")
    assert f"postgresql+psycopg://club:***@127.0.0.1:{port}/scores cannot be reached" in reported
    assert "start the database, or correct COMPANION_DATABASE" in reported
    assert f"{tmp_path}/nowhere is not a folder" in refuse(
        DATABASE=f"sqlite:///{tmp_path}/nowhere/scores.sqlite"
    )


@pytest.mark.parametrize("key", ["", "too short\n", "ą" * 40])
def test_a_key_that_is_none(refuse: Refuse, tmp_path: Path, key: str) -> None:
    """A key that was half written, or by hand, signs nothing."""
    (tmp_path / "secret-key").write_text(key, encoding="utf-8")
    assert f"{tmp_path}/secret-key holds no key, or one that is too short" in refuse()
    assert (tmp_path / "secret-key").read_text(encoding="utf-8") == key


@pytest.mark.nightly
def test_several_processes_that_start_at_once_have_one_key(tmp_path: Path) -> None:
    """Whoever comes first makes it; nobody reads half of it."""
    program = (
        "import sys; from flask import Flask; from companion.web.shell.security.secret import read_key\n"
        "app = Flask('bare', instance_path=sys.argv[1]); sys.stdin.read(); print(read_key(app))"
    )
    starting = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "new")],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _one in range(6)
    ]
    for item in starting:
        assert item.stdin
        item.stdin.close()
    keys = set()
    for process in starting:
        assert process.stdout
        keys.add(process.stdout.read())
        process.stdout.close()
        assert process.wait(LONG) == 0
    assert len(keys) == 1
    assert len(keys.pop()) == 65
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["secret-key"]
