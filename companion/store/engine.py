"""The database itself: a SQLite file in the instance folder, or what `DATABASE` names; kept up to date."""

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from flask import Flask
from sqlalchemy import Connection, Engine, event, text

from .privacy import make_private_file, make_private_folder
from .tables import db

MIGRATIONS = Path(__file__).with_name("migrations")
_PRAGMAS = ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
_LOCK = 0x636F6D70616E  # any number, the same in every process
WRITING = {"sqlite_begin": "IMMEDIATE"}
"""Options of a connection that is going to write: SQLite takes its lock at once, others ignore it."""


def open_database(app: Flask) -> None:
    """Open the app's database and bring it up to date; several processes may do so at once."""
    address = app.config["DATABASE"]
    if not address:
        folder = Path(app.instance_path)
        make_private_folder(folder)
        address = f"sqlite:///{folder / 'companion.sqlite'}"
    elif address.startswith(("postgres://", "postgresql://")):
        address = f"postgresql+psycopg://{address.partition('://')[2]}"
    app.config["SQLALCHEMY_DATABASE_URI"] = address
    db.init_app(app)
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            make_private_file(db.engine.url.database)
            event.listen(db.engine, "connect", _connect)
            event.listen(db.engine, "begin", _begin)
        upgrade(db.engine)
        db.engine.dispose()  # a server forks after this: no connection may be shared


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Run the migrations that are missing, all or none, one process at a time."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.connect().execution_options(**WRITING) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def _connect(dbapi: Any, _record: Any) -> None:
    dbapi.isolation_level = None  # SQLAlchemy, not the driver, begins transactions
    for pragma in _PRAGMAS:
        dbapi.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    mode = connection.get_execution_options().get("sqlite_begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {mode}")
