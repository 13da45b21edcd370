"""Two hundred kills of server and database under load: `KILLS=20 ./dev bench kill` makes fewer.

Fails with a list of what was lost, doubled or made up; else shows how long starts and pauses were.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.nightly.kills.cluster import KilledCluster
from tests.nightly.kills.trial import Trial
from tests.operate.serve.conftest import free_port

KILLS = int(os.environ.get("KILLS", "200"))
"""In all: half of them with a SQLite file, half with PostgreSQL."""
ROUND = 25
"""Kills until it is looked what is in the database, and new tables begin."""
START, PAUSE = 15.0, 15.0
"""Seconds that a start may take, and recording after a kill; a machine that does much else may need them."""
Row = tuple[str, float, str, float]


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path | None]:
    """A file system of its own in that folder, which can be filled; None for who may not make one."""
    kind, options = f"size={megabytes}m", ["-t", "tmpfs", "tmpfs", str(folder)]
    made = subprocess.run(["mount", "-o", kind, *options], stderr=subprocess.DEVNULL, check=False).returncode
    try:
        yield folder if made == 0 else None
    finally:
        if made == 0:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def kill(database: str, rounds: list[int]) -> Iterator[Row]:
    """So many rounds, with so many kills each, on one database; each with an empty one."""
    kills: Counter[str] = Counter()
    starts: list[float] = []
    pauses: list[float] = []
    written = refused = matches = 0
    for number, count in enumerate(rounds, 1):
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-kill-")))
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-pg-")))
            cluster = None
            if database == "SQLite":
                disk = stack.enter_context(small_disk(folder, 32))
            else:
                disk = stack.enter_context(small_disk(data, 256))
                cluster = KilledCluster(data)
                cluster.make()
                stack.callback(cluster.stop)
            trial = Trial(folder, free_port(), cluster, seed=number, disk=disk)
            stack.callback(trial.end)
            trial.open()
            trial.run(trial.choose(count))
            trial.close()
            faults = trial.compare()
            kills += trial.kills
            starts, pauses = starts + trial.starts, pauses + trial.pauses
            written += trial.ledger.acknowledged
            refused += trial.ledger.refused
            matches += len(trial.ledger.begun)
        print(
            f"{database}: {kills.total()} kills, {written} entries acknowledged in {matches} matches,"
            f" {refused} stale, {len(faults)} lost, doubled or made up",
            file=sys.stderr,
            flush=True,
        )
        assert not faults, "\n".join(faults)
    print("\n".join(f"  {times} × {action}" for action, times in kills.items()), file=sys.stderr, flush=True)
    what = f"{database}, {kills.total()} kills, {written} entries"
    for name, seconds, limit in (("start", sorted(starts), START), ("pause", sorted(pauses), PAUSE)):
        yield f"{what}: a {name}, median", seconds[len(seconds) // 2], "what it may take", limit
        yield f"{what}: a {name}, longest", seconds[-1], "what it may take", limit


def run() -> Iterator[Row]:
    """All kills: on SQLite, then on PostgreSQL."""
    half = max(1, KILLS // 2)
    rounds = [min(ROUND, half - done) for done in range(0, half, ROUND)]
    for database in ("SQLite", "PostgreSQL"):
        yield from kill(database, rounds)
