"""The database is safe against power cuts and old versions, from the first start on."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from companion.store.engine import MIGRATIONS, upgrade
from companion.store.tables import Base, db


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]
)
def test_an_acknowledged_deal_outlives_a_power_cut(sqlite_app: Flask, pragma: str, value: object) -> None:
    """Every connection writes ahead, waits for the disk, and holds foreign keys."""
    with db.engine.connect() as one, db.engine.connect() as two:
        assert one.execute(text(f"PRAGMA {pragma}")).scalar() == value
        assert two.execute(text(f"PRAGMA {pragma}")).scalar() == value


def test_an_event_belongs_to_a_match(app: Flask) -> None:
    """The database itself refuses an event of no match."""
    with pytest.raises(IntegrityError), db.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO event (match_id, seq, kind, author, at, form_key)"
                " VALUES ('nowhere', 1, 'add', 'me', 'now', 'a')"
            )
        )


def test_the_migrations_make_the_tables(app: Flask) -> None:
    """What the steps build from nothing is what the code believes there to be."""
    with db.engine.connect() as connection:
        # What is counted for limits lies beside them: no step makes it, and it may be deleted at any time.
        beside = {"include_name": lambda name, _type, _parents: name != "limit_count"}
        context = MigrationContext.configure(connection, opts={"compare_type": True, **beside})
        assert compare_metadata(context, Base.metadata) == []


def test_starting_again_changes_nothing(
    sqlite_app: Flask, tmp_path: Path, opened: Callable[[Path], Flask]
) -> None:
    """A second start on the same file leaves it as it is."""
    with db.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO match (id, owner, head, created_at, changed_at, cached)"
                " VALUES ('m', 'me', '{}', 'now', 'now', 0)"
            )
        )
    upgrade(db.engine)
    again = opened(tmp_path)
    with again.app_context():
        assert db.session.execute(text("SELECT id FROM match")).scalar() == "m"
        db.session.remove()
        db.engine.dispose()


@pytest.mark.slow
def test_several_processes_start_at_once(tmp_path: Path) -> None:
    """Four servers that find no database make it once, and all come up."""
    script = (
        "import sys; from flask import Flask; from companion.store.engine import open_database\n"
        "app = Flask('bare', instance_path=sys.argv[1]); app.config['DATABASE'] = None; open_database(app)"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    starting = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _one in range(4)]
    for item in starting:
        _out, reported = item.communicate(timeout=60)
        assert item.returncode == 0, reported
    connection = sqlite3.connect(tmp_path / "companion.sqlite")
    newest = max(file.name[:4] for file in (MIGRATIONS / "versions").glob("0*.py"))
    assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(newest,)]
    connection.close()
