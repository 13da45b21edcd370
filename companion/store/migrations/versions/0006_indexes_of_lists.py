"""The indexes by which pages of lists are read."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_OPEN = sa.text("put_away_at IS NULL AND deleted_at IS NULL")
_HOLDS = sa.text("revoked_at IS NULL")
_INDEXES = (
    (
        "ix_match_listed",
        "match",
        ["owner", "changed_at", "id", "searched", "put_away_at", "deleted_at"],
        _OPEN,
    ),
    ("ix_match_unfilled", "match", ["owner"], sa.text("searched IS NULL")),
    ("ix_match_follows", "match", ["follows"], sa.text("follows IS NOT NULL")),
    ("ix_match_grant_listed", "match_grant", ["browser", "listed_at", "match_id"], _HOLDS),
    ("ix_match_grant_unlisted", "match_grant", ["browser"], sa.text("listed_at IS NULL")),
    ("ix_link_use_match_id", "link_use", ["match_id"], None),
)


def upgrade() -> None:
    """Build them; on PostgreSQL concurrently, one after the other, for as long as that takes."""
    if op.get_bind().dialect.name != "postgresql":
        for name, table, columns, where in _INDEXES:
            op.create_index(name, table, columns, sqlite_where=where)
        return
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")  # nobody waits for this, so it may wait for locks without a limit
        for name, table, columns, where in _INDEXES:
            # An index left unfinished because the server was stopped exists but is invalid.
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
            op.create_index(name, table, columns, postgresql_where=where, postgresql_concurrently=True)
