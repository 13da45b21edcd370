"""Matches and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the two tables."""
    op.create_table(
        "match",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("head", sa.JSON, nullable=False),
        sa.Column("rulebook", sa.String(16), nullable=False, server_default=""),
        sa.Column("created_at", sa.String(32), nullable=False),
        sa.Column("changed_at", sa.String(32), nullable=False),
        sa.Column("cache", sa.JSON),
        sa.Column("cached", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_match"),
    )
    op.create_index("ix_match_owner", "match", ["owner"])
    op.create_table(
        "event",
        sa.Column("match_id", sa.String(64), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("entry", sa.Integer),
        sa.Column("payload", sa.JSON),
        sa.Column("author", sa.String(64), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("undoes", sa.Integer),
        sa.Column("form_key", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seq", name="pk_event"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_event_match_id"),
        sa.UniqueConstraint("match_id", "form_key", name="uq_event_match_id_form_key"),
    )
