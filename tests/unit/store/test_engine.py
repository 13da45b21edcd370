"""The database is safe against power cuts and old versions, from the first start on."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask import Flask
from sqlalchemy import text

from companion.store import engine
from companion.store.tables import Base, db


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]
)
def test_an_acknowledged_deal_outlives_a_power_cut(
    sqlite_app: Flask, monkeypatch: pytest.MonkeyPatch, pragma: str, value: object
) -> None:
    monkeypatch.setattr(engine, "PRAGMAS", engine.PRAGMAS[:-1])  # the last is that of the tests alone
    db.engine.dispose()
    with db.engine.connect() as one, db.engine.connect() as two:
        assert one.execute(text(f"PRAGMA {pragma}")).scalar() == value
        assert two.execute(text(f"PRAGMA {pragma}")).scalar() == value


def test_the_migrations_make_the_tables(app: Flask) -> None:
    with db.engine.connect() as connection:
        # What is counted for limits lies beside them: no step makes it, and it may be deleted at any time.
        beside = {"include_name": lambda name, _type, _parents: name != "limit_count"}
        context = MigrationContext.configure(connection, opts={"compare_type": True, **beside})
        assert compare_metadata(context, Base.metadata) == []
