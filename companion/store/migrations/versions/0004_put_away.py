"""The times at which a match was archived, and deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add both, empty; servers of the previous version, which do not know them, keep working."""
    op.add_column("match", sa.Column("put_away_at", sa.String(32)))
    op.add_column("match", sa.Column("deleted_at", sa.String(32)))
