"""Whether the database can be asked, and is as this version needs it."""

from functools import lru_cache

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import SQLAlchemyError

from .engine import MIGRATIONS
from .faults import classify
from .tables import db

_REASONS = {
    "away": "the database does not answer",
    "busy": "the database is kept by others",
    "full": "the database has no room left",
}


def find_fault() -> str | None:
    """Why nothing can be stored or found just now, in words that name nothing; None where all is well.

    A database that a newer version has upgraded is well: it lacks nothing that this one needs.
    """
    try:
        with db.engine.connect() as connection:
            found = MigrationContext.configure(connection).get_current_revision()
    except SQLAlchemyError as error:
        return _REASONS[classify(error)]
    known = _list_revisions()
    if found is None or found in known[1:]:
        return "the database lacks what the newest migration adds"
    return None


@lru_cache(maxsize=1)
def _list_revisions() -> list[str]:
    """The revisions that this version knows, the newest first."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
