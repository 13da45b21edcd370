"""What every statement in the database begins with."""

from sqlalchemy import Connection

from .engine import WRITING
from .tables import db


def begin_writing() -> Connection:
    """A connection in a new transaction that is going to write: SQLite must take its lock before it reads."""
    db.session.rollback()
    return db.session.connection(execution_options=WRITING)


def is_text(id: str) -> bool:
    """Whether every database can compare it: nothing is stored under what no database takes."""
    return "\0" not in id and not any("\ud800" <= char <= "\udfff" for char in id)
