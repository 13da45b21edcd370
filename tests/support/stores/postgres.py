"""PostgreSQL for tests: one server for the whole run, a database for each of its processes."""

import fcntl
import glob
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from sqlalchemy import Engine  # loaded by those tests alone that have a database

ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""Of a test that is about the SQLite file itself: there is no such file under PostgreSQL."""
HURRIED = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=400"
"""Options of a server whose data nobody will miss."""
MISSING = "no {name}: the tests need PostgreSQL (Debian's package is called postgresql)"
_FOLDER = "CLUSTER_OF_TESTS"
"""Where the run's server lies: in the environment, for the processes that the run starts."""


_WATCH = (
    'while kill -0 "$1" 2>/dev/null; do sleep 2; done;'
    ' [ ! -d "$2" ] || { kill -QUIT "$(head -n 1 "$2/data/postmaster.pid")"; rm -rf "$2"; }'
)
"""Stops the server of a run that was killed, and so could not."""


class Cluster:
    """A PostgreSQL server in a folder of its own, which listens on a socket there and nowhere else."""

    def __init__(self, folder: Path, options: str = HURRIED) -> None:
        self._folder, self._options = folder, options
        # The server refuses to run as root, so root runs it as the user its package made.
        self._user = "postgres" if os.geteuid() == 0 else None

    def make(self) -> "Cluster":
        """Make its files, and start it."""
        tool = find_tool("initdb")
        if self._user:
            shutil.chown(self._folder, self._user)
        self._run(tool, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
        self.start()
        return self

    def address(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg://postgres@/{database}?host={self._folder}"

    def add_database(self, name: str) -> str:
        self._report(f'CREATE DATABASE "{name}"')
        return self.address(name)

    def drop_database(self, name: str) -> None:
        """Drop a database, whoever uses it."""
        self._report(f'DROP DATABASE "{name}" WITH (FORCE)')

    def _report(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(f"host={self._folder} user=postgres", autocommit=True) as connection:
            connection.execute(statement.encode())

    def start(self) -> None:
        """Start it, and wait until it answers."""
        where = f"-c listen_addresses= -c unix_socket_directories={self._folder}"
        log = str(self._folder / "log")
        self._run(find_tool("pg_ctl"), "-w", "-s", "-l", log, "-o", f"{self._options} {where}", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop it; those who are connected lose their connections."""
        self._run(find_tool("pg_ctl"), "-m", how, "-w", "-s", "stop")

    def _run(self, tool: str, *arguments: str) -> None:
        # To a file, not a pipe: the server would keep that open for as long as it runs.
        with tempfile.TemporaryFile() as reported:
            done = subprocess.run(
                [tool, "-D", str(self._folder / "data"), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=reported,
                stderr=reported,
                cwd="/",
                user=self._user,
                env={**os.environ, "HOME": str(self._folder)},
            )
            reported.seek(0)
            assert done.returncode == 0, reported.read().decode(errors="replace")


@contextmanager
def own_cluster(options: str = HURRIED) -> Iterator[Cluster]:
    """A server of its own, as long as this lasts."""
    with tempfile.TemporaryDirectory(prefix="companion-pg-", ignore_cleanup_errors=True) as folder:
        cluster = Cluster(Path(folder), options).make()
        try:
            yield cluster
        finally:
            cluster.stop("immediate")


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of an empty database in a server of its own."""
    with own_cluster() as cluster:
        yield cluster.address()


def begin_run() -> None:
    """Say where the server of this run will lie; it is made by the first process that asks for it."""
    folder = os.environ[_FOLDER] = tempfile.mkdtemp(prefix="companion-pg-")
    Path(folder, "run").write_text(str(os.getpid()))


def end_run() -> None:
    folder = Path(os.environ.pop(_FOLDER))
    if (folder / "ready").exists():
        Cluster(folder).stop("immediate")
    shutil.rmtree(folder, ignore_errors=True)


def shared_cluster() -> Cluster:
    """The server of this run."""
    folder = Path(os.environ[_FOLDER])
    cluster, ready = Cluster(folder), folder / "ready"
    with (folder / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            cluster.make()
            ready.touch()
            run = (folder / "run").read_text()
            watch: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
            subprocess.run(
                ["sh", "-c", f"({_WATCH}) &", "watch", run, folder], start_new_session=True, **watch
            )
    return cluster


def empty_tables(engine: "Engine") -> None:
    """Take everything out of a database; of the few rows of a test that is quicker than TRUNCATE."""
    from companion.store.tables import Base

    deletes = (f"DELETE FROM {table.name}" for table in reversed(Base.metadata.sorted_tables))
    with engine.begin() as connection:
        connection.exec_driver_sql("; ".join(deletes))


def find_tool(name: str) -> str:
    """A program of the newest PostgreSQL there is."""
    debian = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda one: int(one.split("/")[4]))
    for folder in [*debian[::-1], *glob.glob("/opt/homebrew/opt/postgresql*/bin"), None]:
        found = shutil.which(name, path=folder)
        if found:
            return found
    raise AssertionError(MISSING.format(name=name))
