"""The index by which hidden matches are found: archived ones, and those in the bin."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_NAME, _COLUMNS = "ix_match_hidden", ["owner"]
_WHERE = sa.text("put_away_at IS NOT NULL OR deleted_at IS NOT NULL")


def upgrade() -> None:
    """Build it; on PostgreSQL concurrently, for as long as that takes."""
    if op.get_bind().dialect.name != "postgresql":
        op.create_index(_NAME, "match", _COLUMNS, sqlite_where=_WHERE)
        return
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        # An index left unfinished because the server was stopped exists but is invalid.
        op.drop_index(_NAME, "match", if_exists=True, postgresql_concurrently=True)
        op.create_index(_NAME, "match", _COLUMNS, postgresql_where=_WHERE, postgresql_concurrently=True)
