"""What every statement in the database begins with."""

from sqlalchemy import Connection

from .tables import WRITING, db


def begin_writing() -> Connection:
    """A connection in a new transaction that is going to write: SQLite must take its lock before it reads."""
    db.session.rollback()
    return db.session.connection(execution_options=WRITING)
