"""The ids of erased matches, so that they are never given to another owner's."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create their table; it lacks those erased meanwhile by a server of the previous version."""
    op.create_table(
        "erased",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_erased"),
    )
