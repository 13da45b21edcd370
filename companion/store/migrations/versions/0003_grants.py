"""Links that invite to a match, the rights of browsers in it, and moves to another phone."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create their tables, empty."""
    op.add_column("match", sa.Column("access", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "link",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("match_id", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("side", sa.String(1)),
        sa.Column("once", sa.Boolean, nullable=False),
        sa.Column("made_at", sa.String(32), nullable=False),
        sa.Column("revoked_at", sa.String(32)),
        sa.PrimaryKeyConstraint("id", name="pk_link"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_link_match_id"),
        sa.UniqueConstraint("digest", name="uq_link_digest"),
    )
    op.create_index("ix_link_match_id", "link", ["match_id"])
    op.create_table(
        "match_grant",
        sa.Column("match_id", sa.String(64), nullable=False),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("side", sa.String(1)),
        sa.Column("has_pencil", sa.Boolean, nullable=False),
        sa.Column("phone", sa.String(80), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("revoked_at", sa.String(32)),
        sa.PrimaryKeyConstraint("match_id", "browser", name="pk_match_grant"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_match_grant_match_id"),
        sa.UniqueConstraint("id", name="uq_match_grant_id"),
    )
    op.create_index("ix_match_grant_browser", "match_grant", ["browser"])
    op.create_table(
        "link_use",
        sa.Column("link_id", sa.String(64), nullable=False),
        sa.Column("grant_id", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("link_id", "grant_id", name="pk_link_use"),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name="fk_link_use_link_id"),
        sa.ForeignKeyConstraint(["grant_id"], ["match_grant.id"], name="fk_link_use_grant_id"),
    )
    op.create_index("ix_link_use_grant_id", "link_use", ["grant_id"])
    op.create_table(
        "move",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("made_at", sa.String(32), nullable=False),
        sa.Column("ends_at", sa.String(32)),
        sa.Column("used_at", sa.String(32)),
        sa.PrimaryKeyConstraint("digest", name="pk_move"),
    )
    op.create_index("ix_move_owner", "move", ["owner"])
    unused = sa.text("kind = 'words' AND used_at IS NULL")  # an owner has one set of words
    op.create_index(
        "uq_move_words", "move", ["owner"], unique=True, sqlite_where=unused, postgresql_where=unused
    )
