"""Columns for lists of any length: words to search by, the match before, positions in others' lists."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns, empty: earlier servers leave them so, and `engine.fill_in` fills them.

    Only the match of a link's use is filled in here, and by a trigger, as queries depend on it.
    """
    op.add_column("match", sa.Column("searched", sa.Text))
    op.add_column("match", sa.Column("follows", sa.String(80)))
    op.add_column("match_grant", sa.Column("listed_at", sa.String(32)))
    op.add_column("link_use", sa.Column("match_id", sa.String(64)))
    for statement in _TRIGGER[op.get_bind().dialect.name]:
        op.execute(statement)
    op.execute("UPDATE link_use SET match_id = (SELECT match_id FROM link WHERE link.id = link_id)")


_TRIGGER = {
    "sqlite": [
        "CREATE TRIGGER fill_link_use AFTER INSERT ON link_use WHEN NEW.match_id IS NULL BEGIN"
        " UPDATE link_use SET match_id = (SELECT match_id FROM link WHERE link.id = NEW.link_id)"
        " WHERE link_id = NEW.link_id AND grant_id = NEW.grant_id; END"
    ],
    "postgresql": [
        "CREATE FUNCTION fill_link_use() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " NEW.match_id := (SELECT match_id FROM link WHERE link.id = NEW.link_id); RETURN NEW; END $$",
        "CREATE TRIGGER fill_link_use BEFORE INSERT ON link_use FOR EACH ROW"
        " WHEN (NEW.match_id IS NULL) EXECUTE FUNCTION fill_link_use()",
    ],
}
