"""The ids of matches that were erased, so that they are never given to anybody else's."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make their table; what a server of the previous version erases beside is not in it."""
    op.create_table(
        "erased",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_erased"),
    )
