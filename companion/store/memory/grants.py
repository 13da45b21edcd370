"""Links and grants in memory."""

from companion.store.grants import Grant, Link

from .tables import Tables


class MemoryGrants:
    """Who may do what."""

    _tables: Tables

    def find_grant(self, match_id: str, browser: str) -> Grant | None:
        return None

    def list_grants(self, match_id: str) -> list[Grant]:
        return []

    def list_links(self, match_id: str) -> list[Link]:
        return []

    def load_version(self, match_id: str) -> tuple[int, int] | None:
        row = self._tables.matches.get(match_id)
        return None if row is None or row.deleted_at is not None else (len(row.events), row.access)

    def count_change(self, match_id: str) -> None:
        row = self._tables.matches.get(match_id)
        if row is not None:
            row.access += 1
            self._tables.note_match(match_id)

    def list_users(self, match_id: str) -> dict[str, list[Grant]]:
        return {}
