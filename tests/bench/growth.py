"""What a deal adds to either database, and how much is written for it (docs/hosting/sharding.md)."""

import tempfile
from pathlib import Path
from typing import Any

from sqlalchemy import event, text
from stores.bare import in_context, open_bare
from stores.postgres import own_cluster

from companion.record.log import Event
from companion.store import Grant, StoredMatch
from companion.store.sql import SqlStore
from companion.store.tables import db

from ._shared import DEAL, HEAD, Row

MATCHES, DEALS = 100, 30
AT = "2026-11-20T19:05:00.000+00:00"
DURABLE = "-c full_page_writes=on -c fsync=off"
"""As much is written ahead as on a server in earnest; that it reaches the disk takes time only."""


def record(joined: int) -> None:
    """Matches of thirty deals, recorded one by one; so many phones have joined each."""
    store = SqlStore()
    for number in range(MATCHES):
        id = f"growth-{joined}-{number:013}"
        store.create_match(StoredMatch(id, f"owner {number}", HEAD, (), AT))
        store.add_grants(
            [Grant(f"{id} {n}", id, f"phone {n}", "B", False, "Android", AT) for n in range(joined)]
        )
        for seq in range(DEALS):
            store.append_event(
                id, seq, Event(0, "add", None, DEAL, f"owner {number}", AT), f"form-key-{seq:013}"
            )


def report(kind: str, joined: int, size: float, written: float) -> None:
    """One line."""
    each = MATCHES * DEALS
    phones = f"with {joined} phones that joined" if joined else "alone"
    print(
        f"{kind}, {phones}: a deal adds {size / each:.0f} bytes, and {written / each:.0f} are written for it"
    )


def run() -> list[Row]:
    """Prints bytes, not times."""
    with tempfile.TemporaryDirectory() as folder, in_context(open_bare(Path(folder))):
        for joined in (0, 3):
            before: float = _size_of(folder)
            # Nothing is taken over from the log meanwhile, so that its length is what was written.
            event.listen(db.engine, "connect", _keep_log)
            db.engine.dispose()
            record(joined)
            db.session.remove()
            written: float = (Path(folder) / "companion.sqlite-wal").stat().st_size
            event.remove(db.engine, "connect", _keep_log)
            report("SQLite", joined, _size_of(folder) - before, written)
    with own_cluster(DURABLE) as cluster, in_context(open_bare(Path("/"), cluster.address())):
        for joined in (0, 3):
            before, written = _ask("SELECT pg_database_size(current_database())"), _ask(_WAL)
            record(joined)
            written = _ask(_WAL) - written
            _ask("CHECKPOINT", answers=False)
            size = _ask("SELECT pg_database_size(current_database())") - before
            report("PostgreSQL", joined, size, written)
    return []


_WAL = "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"


def _ask(question: str, answers: bool = True) -> float:
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        answer = connection.execute(text(question))
        return float(answer.scalar_one()) if answers else 0.0


def _size_of(folder: str) -> int:
    with db.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return (Path(folder) / "companion.sqlite").stat().st_size


def _keep_log(dbapi: Any, _record: Any) -> None:
    dbapi.execute("PRAGMA wal_autocheckpoint = 0")
