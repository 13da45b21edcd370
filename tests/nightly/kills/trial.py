"""The real server under a load of recording phones, while its processes and its database are killed."""

import os
import resource
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sqlalchemy import select, text

from companion import create_app
from companion.matches import Match
from companion.matches.match import open_stored
from companion.store.sql import SqlStore
from companion.store.tables import MatchRow, db
from tests.operate.serve.conftest import LONG, RunningServer, living

from .cluster import KilledCluster
from .ledger import Ledger
from .phones import Phone, Table

TABLES, PHONES = 3, 3
CALM = (0.2, 1.2)
"""Seconds from the first entries after a kill to the next one: at random, so that it falls into anything."""


@dataclass
class Trial:
    """One database, one server, and the tables that record by it; `run` kills, `compare` looks afterwards."""

    folder: Path
    port: int
    cluster: KilledCluster | None = None
    seed: int = 1
    longest: float = 6.0
    """Seconds that a process is stopped, or has no room, at most; phones are less patient than that."""
    between: int = 3
    """Entries that are acknowledged at least from one kill to the next."""
    disk: Path | None = None
    """A folder on the small file system of the database, if it has one of its own, to be filled."""
    settings: Mapping[str, str] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)
    kills: Counter[str] = field(default_factory=Counter)
    starts: list[float] = field(default_factory=list)
    """Seconds that each start took, to the first page."""
    pauses: list[float] = field(default_factory=list)
    """Seconds from the end of each deed to the next entry that was acknowledged."""

    def __post_init__(self) -> None:
        self._random = Random(self.seed)
        self._over, self._gone = threading.Event(), threading.Event()
        self._began = 0
        if self.cluster is not None:
            self.settings = {**self.settings, "COMPANION_DATABASE": self.cluster.address()}

    @property
    def actions(self) -> dict[str, Callable[[], None]]:
        """What may happen to the server, and to this database."""
        server = {
            "a process is killed": self._kill_process,
            "a process is stopped for a while": self._hold_process,
            "the first process is killed": self._kill_first,
            "the whole server is killed": self._kill_server,
        }
        if self.disk is not None:
            server["the disk is full for a while"] = self._fill_disk
        if self.cluster is None:
            return server | {"files cannot grow for a while": self._limit_files}
        return server | {
            "the database is killed": self._kill_database,
            "the database is stopped at once": self._stop_database,
            "a process of the database is killed": self._kill_backend,
            "a process of the database is stopped for a while": self._hold_backend,
        }

    # --- the course of it ------------------------------------------------------------------------

    def open(self) -> None:
        """Start the server, and let all tables begin to record."""
        self._over.clear()
        self._start()
        self._threads = []
        for _table in range(TABLES):
            self._began += 1
            phones = [Phone(self.port, self._over, self._gone) for _one in range(PHONES)]
            table = Table(f"Ewa {self._began}", phones, self.ledger, Random(self._random.random()))
            self._threads.append(threading.Thread(target=table.play))
            self._threads[-1].start()

    def run(self, actions: Sequence[str]) -> None:
        """Let these things happen, one after the other, each amid recording."""
        for action in actions:
            self.wait_for_entries(self.between)
            time.sleep(self._random.uniform(*CALM))
            self.actions[action]()
            self.kills[action] += 1
            began = time.monotonic()
            self.wait_for_entries(1)
            self.pauses.append(time.monotonic() - began)

    def choose(self, count: int) -> list[str]:
        """That many deeds: each kind as often as another, in any order."""
        kinds = list(self.actions)
        chosen = [kinds[place % len(kinds)] for place in range(count)]
        self._random.shuffle(chosen)
        return chosen

    def wait_for_entries(self, more: int) -> None:
        """Wait until so many more are acknowledged."""
        due, until = self.ledger.acknowledged + more, time.monotonic() + 2 * LONG
        while self.ledger.acknowledged < due:
            assert not self.ledger.faults, self.ledger.faults
            assert time.monotonic() < until, "nothing is recorded any more"
            time.sleep(0.02)

    def close(self) -> None:
        """Let the phones send what they have begun to send, and stop the server."""
        self._over.set()
        for thread in self._threads:
            thread.join(2 * LONG)
            assert not thread.is_alive(), "a phone gets no answer"
        self._server.process.terminate()
        assert self._server.process.wait(LONG) == 0
        self._server.end()

    def end(self) -> None:
        self._over.set()
        self._gone.set()
        with suppress(AttributeError):
            self._server.end()

    def compare(self) -> list[str]:
        """What is not in the database as the phones were told, in a sentence each."""
        return self.ledger.compare(read_matches(self.folder, self.settings.get("COMPANION_DATABASE")))

    # --- what happens ----------------------------------------------------------------------------

    def _start(self) -> None:
        began = time.monotonic()
        with (self.folder / "server.log").open("ab") as reported:
            self._server = RunningServer(
                self.folder, self.port, self.settings, stdout=reported, stderr=reported
            )
        self.starts.append(time.monotonic() - began)

    def _kill_process(self) -> None:
        _signal(self._random.choice(self._server.family()), signal.SIGKILL)

    def _hold_process(self) -> None:
        _hold(self._random.choice(self._server.family()), self._choose_while())

    def _kill_first(self) -> None:
        """The others end by themselves; whoever starts it at once need not wait for that."""
        self._server.process.kill()
        self._server.process.wait()
        self._start()

    def _kill_server(self) -> None:
        self._server.end()
        self._start()

    def _fill_disk(self) -> None:
        """Not a byte is left on the database's disk."""
        assert self.disk is not None
        filler = self.disk / "filler"
        with filler.open("wb", buffering=0) as file:
            for size in (2**20, 2**12):
                with suppress(OSError):
                    while file.write(bytes(size)):
                        pass
            time.sleep(self._choose_while())
        filler.unlink()
        if self.cluster is not None and not self.cluster.is_running:
            self.cluster.start()

    def _limit_files(self) -> None:
        """No file of the server's may be longer than a page of the database."""
        family = self._server.family()
        for pid in family:
            _limit_files(pid, 4096)
        time.sleep(self._choose_while())
        for pid in family:
            _limit_files(pid, None)

    def _kill_database(self) -> None:
        assert self.cluster is not None
        self.cluster.kill()
        time.sleep(self._random.uniform(0, 1))
        self.cluster.start()

    def _stop_database(self) -> None:
        assert self.cluster is not None
        self.cluster.stop("immediate")
        time.sleep(self._random.uniform(0, 1))
        self.cluster.start()

    def _kill_backend(self) -> None:
        """PostgreSQL ends all others as well then, and recovers."""
        _signal(self._choose_backend(), signal.SIGKILL)

    def _hold_backend(self) -> None:
        _hold(self._choose_backend(), self._choose_while())

    def _choose_while(self) -> float:
        return self._random.uniform(0.5, self.longest)

    def _choose_backend(self) -> int:
        assert self.cluster is not None
        first = self.cluster.pid
        return self._random.choice([pid for pid, parent in living().items() if parent == first])


class Damaged(Exception):
    """A database file that is not whole."""


def read_matches(folder: Path, address: str | None = None) -> list[Match]:
    """Every match of a database, read anew. :raises Damaged: for a file that is not whole."""
    app = create_app({"INSTANCE": str(folder), "DATABASE": address})
    with app.app_context():
        if address is None:
            found = db.session.execute(text("PRAGMA integrity_check")).all()
            if found != [("ok",)]:
                raise Damaged(found)
        ids = db.session.scalars(select(MatchRow.id)).all()
        stored = [SqlStore().load_match(id) for id in ids]
        db.session.remove()
        db.engine.dispose()
    return [open_stored(item) for item in stored if item is not None]


def _signal(pid: int, sign: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, sign)


def _hold(pid: int, seconds: float) -> None:
    _signal(pid, signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        _signal(pid, signal.SIGCONT)


def _limit_files(pid: int, size: int | None) -> None:
    """Let a process write no file beyond this size; None lifts the limit again."""
    with suppress(ProcessLookupError):
        hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard if size is None else size, hard))
