"""When a match was put away, and when it was deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Both are empty; a server of the previous version, which does not know them, goes on."""
    op.add_column("match", sa.Column("put_away_at", sa.String(32)))
    op.add_column("match", sa.Column("deleted_at", sa.String(32)))
