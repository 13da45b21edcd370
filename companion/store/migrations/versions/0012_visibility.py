"""The time at which a match was listed, archived or deleted, as a phone may bring an earlier choice later."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add it, empty; servers of the previous version, which do not know it, keep working."""
    op.add_column("match", sa.Column("visibility_at", sa.String(32)))
