"""Renewed identities, and the end of tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the table, empty; a token without an end ends a year after it was made."""
    op.create_table(
        "renewal",
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("owner", name="pk_renewal"),
    )
    op.add_column("token", sa.Column("ends_at", sa.String(32)))
    for table in ("token", "move"):
        op.add_column(table, sa.Column("generation", sa.Integer, nullable=False, server_default="0"))
