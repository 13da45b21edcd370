"""When an event arrived that a phone had recorded without a network."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """All are empty; a server of the previous version, which does not know it, goes on."""
    op.add_column("event", sa.Column("arrived_at", sa.String(32)))
