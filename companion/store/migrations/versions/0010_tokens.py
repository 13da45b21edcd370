"""Tokens, by which programs act as their owners."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create their table, empty."""
    op.create_table(
        "token",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("match_id", sa.String(64)),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("side", sa.String(1)),
        sa.Column("made_at", sa.String(32), nullable=False),
        sa.Column("used_at", sa.String(32)),
        sa.Column("revoked_at", sa.String(32)),
        sa.PrimaryKeyConstraint("digest", name="pk_token"),
    )
    op.create_index("ix_token_owner", "token", ["owner"])
