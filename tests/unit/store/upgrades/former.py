"""A server of the version before the lists had pages: the statements that it sent, as they were."""

import json
from typing import Any

from sqlalchemy import Engine, create_engine, event, text

REVISION = "0004"
"""The newest migration it knew."""
_LOCK = "SELECT match.id FROM match WHERE match.id = :id"


class FormerServer:
    """Matches as that server made them, wrote in them, listed them, and let others join."""

    def __init__(self, address: str) -> None:
        self.engine = _connect(address)
        self._for_update = " FOR UPDATE" if self.engine.dialect.name == "postgresql" else ""

    def create(self, id: str, owner: str, head: dict[str, Any], at: str) -> None:
        with self.engine.begin() as connection:
            connection.execute(
                text(
                    "INSERT INTO match (id, owner, head, rulebook, created_at, changed_at, cached, access)"
                    " VALUES (:id, :owner, :head, '3', :at, :at, 0, 0)"
                ),
                {"id": id, "owner": owner, "head": json.dumps(head), "at": at},
            )

    def append(self, id: str, payload: dict[str, Any], key: str, author: str, at: str) -> int:
        """Add an entry at the end of the log, however long that has become."""
        with self.engine.begin() as connection:
            assert connection.execute(text(_LOCK + self._for_update), {"id": id}).scalar() == id
            last = text("SELECT max(event.seq) FROM event WHERE event.match_id = :id")
            seq = (connection.execute(last, {"id": id}).scalar() or 0) + 1
            connection.execute(
                text(
                    "INSERT INTO event (match_id, seq, kind, entry, payload, author, at, undoes, form_key)"
                    " VALUES (:id, :seq, 'add', NULL, :payload, :author, :at, NULL, :key)"
                ),
                {
                    "id": id,
                    "seq": seq,
                    "payload": json.dumps(payload),
                    "author": author,
                    "at": at,
                    "key": key,
                },
            )
            changed = text("UPDATE match SET changed_at = :at WHERE match.id = :id")
            connection.execute(changed, {"at": at, "id": id})
            return int(seq)

    def join(self, id: str, link: str, browser: str, grant: str, at: str) -> bool:
        """Join by a link for one; whether that was still open."""
        with self.engine.begin() as connection:
            connection.execute(text(_LOCK + self._for_update), {"id": id})
            used = (
                "SELECT link_use.link_id FROM link_use JOIN match_grant"
                " ON match_grant.id = link_use.grant_id WHERE link_use.link_id = :link"
            )
            if connection.execute(text(used), {"link": link}).first():
                return False
            connection.execute(
                text(
                    "INSERT INTO match_grant (match_id, browser, id, side, has_pencil, phone, at, revoked_at)"
                    " VALUES (:id, :browser, :grant, 'B', TRUE, 'a phone', :at, NULL)"
                ),
                {"id": id, "browser": browser, "grant": grant, "at": at},
            )
            use = text("INSERT INTO link_use (link_id, grant_id) VALUES (:link, :grant)")
            connection.execute(use, {"link": link, "grant": grant})
            counted = text("UPDATE match SET access = (match.access + 1) WHERE match.id = :id")
            connection.execute(counted, {"id": id})
            return True

    def list(self, owner: str) -> list[str]:
        query = (
            "SELECT match.id, match.head, match.cache, match.cached, (SELECT count(*) FROM event"
            " WHERE event.match_id = match.id) AS length, match_grant.side, match_grant.has_pencil"
            " FROM match LEFT OUTER JOIN match_grant ON match_grant.match_id = match.id"
            " AND match_grant.browser = :owner AND match_grant.revoked_at IS NULL"
            " WHERE match.owner = :owner OR match.id IN (SELECT match_grant.match_id FROM match_grant"
            " WHERE match_grant.browser = :owner AND match_grant.revoked_at IS NULL)"
            " ORDER BY match.changed_at DESC, match.created_at DESC, match.id"
        )
        with self.engine.begin() as connection:
            return [row.id for row in connection.execute(text(query), {"owner": owner})]


def _connect(address: str) -> Engine:
    engine = create_engine(address)
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def prepare(dbapi: Any, _record: Any) -> None:
            dbapi.isolation_level = None
            for pragma in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
                dbapi.execute(f"PRAGMA {pragma}")

        @event.listens_for(engine, "begin")
        def begin(connection: Any) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    else:

        @event.listens_for(engine, "connect")
        def limit_waiting(dbapi: Any, _record: Any) -> None:
            dbapi.execute("SET lock_timeout = 10000")
            dbapi.commit()

    return engine
