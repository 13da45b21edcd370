"""The time of arrival of an event that a phone had recorded without a network."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add it, empty; servers of the previous version, which do not know it, keep working."""
    op.add_column("event", sa.Column("arrived_at", sa.String(32)))
