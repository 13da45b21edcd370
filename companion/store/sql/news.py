"""What phones with a store of their own ask, in the database."""

from collections.abc import Mapping, Sequence

from sqlalchemy import func, literal, null, select

from companion.rules.schema import is_storable
from companion.store.engine import raises_unavailable
from companion.store.interface import MatchVersion
from companion.store.tables import EventRow, GrantRow, MatchRow, RulingRow, db

_LAST = select(func.max(EventRow.seq)).where(EventRow.match_id == MatchRow.id)
_LENGTH = func.coalesce(_LAST.correlate(MatchRow).scalar_subquery(), 0)
_VERSION = (MatchRow.id, _LENGTH, MatchRow.access, MatchRow.changed_at, MatchRow.put_away_at)


@raises_unavailable
class SqlNews:
    """News for phones, in the database that `engine.open_database` opened; needs its app's context."""

    def list_versions(self, browser: str) -> list[MatchVersion]:
        is_left, holds = MatchRow.deleted_at.is_(None), GrantRow.revoked_at.is_(None)
        own = select(*_VERSION, literal(False), null(), literal(False))
        joined = select(*_VERSION, literal(True), GrantRow.side, GrantRow.has_pencil)
        joined = joined.join_from(GrantRow, MatchRow, MatchRow.id == GrantRow.match_id)
        connection = db.session.connection()
        rows = [
            *connection.execute(own.where(MatchRow.owner == browser, is_left)),
            *connection.execute(
                joined.where(GrantRow.browser == browser, holds, MatchRow.owner != browser, is_left)
            ),
        ]
        found = [MatchVersion(*row) for row in rows]
        return sorted(found, key=lambda version: (version.changed_at, version.id), reverse=True)

    def list_keys(self, match_id: str, author: str, after: int) -> Mapping[int, str]:
        if not is_storable(match_id, author):
            return {}
        query = select(EventRow.seq, EventRow.form_key).where(
            EventRow.match_id == match_id, EventRow.seq > after, EventRow.author == author
        )
        return {row.seq: row.form_key for row in db.session.connection().execute(query)}

    def list_ruling_places(self, owner: str) -> Sequence[tuple[str, str]]:
        query = select(RulingRow.at, RulingRow.id).where(RulingRow.owner == owner)
        rows = db.session.connection().execute(query.order_by(RulingRow.at, RulingRow.id))
        return [(row.at, row.id) for row in rows]
