"""The index by which matches out of sight are found: those put away, and those in the bin."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_NAME, _COLUMNS = "ix_match_hidden", ["owner"]
_WHERE = sa.text("put_away_at IS NOT NULL OR deleted_at IS NOT NULL")


def upgrade() -> None:
    """Build it; on PostgreSQL beside those who write, for as long as that takes."""
    if op.get_bind().dialect.name != "postgresql":
        op.create_index(_NAME, "match", _COLUMNS, sqlite_where=_WHERE)
        return
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        # One that was not finished, for the server was stopped, is there and of no use.
        op.drop_index(_NAME, "match", if_exists=True, postgresql_concurrently=True)
        op.create_index(_NAME, "match", _COLUMNS, postgresql_where=_WHERE, postgresql_concurrently=True)
