"""Killed in the middle of recording, server and database lose and double nothing that was acknowledged."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.nightly.kills.cluster import KilledCluster
from tests.nightly.kills.trial import Damaged, Trial, read_matches

pytestmark = pytest.mark.nightly

Prepare = Callable[[KilledCluster | None], Trial]


@pytest.fixture
def prepare(tmp_path: Path, port: int) -> Iterator[Prepare]:
    """Makes a trial with a SQLite file, or with PostgreSQL; what is left of it is ended."""
    made = []

    def make(cluster: KilledCluster | None) -> Trial:
        made.append(Trial(tmp_path, port, cluster, longest=1.5, between=1))
        return made[-1]

    yield make
    for trial in made:
        trial.end()


@pytest.fixture
def cluster() -> Iterator[KilledCluster]:
    """A PostgreSQL server as one has it: what it has acknowledged is on the disk."""
    with tempfile.TemporaryDirectory(prefix="companion-pg-") as folder:
        made = KilledCluster(Path(folder))
        made.make()
        yield made
        made.stop()


def kill_each_way(trial: Trial, actions: list[str]) -> None:
    trial.open()
    trial.run(actions)
    trial.close()
    assert trial.compare() == []
    assert trial.ledger.acknowledged > len(actions)


def test_kills_with_a_file(prepare: Prepare) -> None:
    """Processes and the whole server, in the middle of commits; a process that is stopped; a full disk."""
    trial = prepare(None)
    kill_each_way(trial, list(trial.actions))


def test_kills_with_postgresql(prepare: Prepare, cluster: KilledCluster) -> None:
    """Of the database: its first process, any other, all of it at once."""
    trial = prepare(cluster)
    kill_each_way(trial, [action for action in trial.actions if "database" in action])


def test_a_copy_amid_recording(prepare: Prepare, tmp_path: Path) -> None:
    """A backup has all that was acknowledged when it was begun; a copy of the file alone has not."""
    trial = prepare(None)
    trial.open()
    trial.wait_for_entries(10)
    acknowledged = trial.ledger.list_acknowledged()
    copied, restored = tmp_path / "copied", tmp_path / "restored"
    copied.mkdir()
    shutil.copyfile(tmp_path / "companion.sqlite", copied / "companion.sqlite")
    run_command(tmp_path, "backup", "-o", str(tmp_path / "backup.sqlite"))
    trial.close()
    run_command(restored, "restore", str(tmp_path / "backup.sqlite"))
    assert trial.ledger.count_lost(read_matches(restored), acknowledged) == 0
    with suppress(Damaged):  # which is worse
        assert trial.ledger.count_lost(read_matches(copied), acknowledged) > 0
    assert trial.compare() == []


def run_command(instance: Path, *words: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "companion.cli", *words],
        env={**os.environ, "COMPANION_INSTANCE": str(instance)},
        check=True,
    )
