"""Matches out of sight in memory."""

from collections.abc import Sequence

from companion.store.interface import ListedMatch

from .tables import HeldMatch, Tables


class MemoryTrash:
    """Matches that were put away, or deleted."""

    _tables: Tables

    def put_away(self, match_id: str, at: str | None) -> None:
        row = self._tables.matches.get(match_id)
        if row is not None and row.deleted_at is None:
            row.put_away_at = at
            self._tables.count_change(match_id)

    def delete_match(self, match_id: str, at: str) -> None:
        row = self._tables.matches.get(match_id)
        if row is not None and row.deleted_at is None:
            row.deleted_at = at
            self._tables.count_change(match_id)

    def bring_back(self, match_id: str) -> None:
        row = self._tables.matches.get(match_id)
        if row is not None and row.deleted_at is not None:
            row.deleted_at = row.put_away_at = None
            self._tables.count_change(match_id)

    def list_put_away(self, owner: str) -> list[ListedMatch]:
        hidden = [(id, row) for id, row in self._list_own(owner) if row.deleted_at is None]
        listed = [_show(id, row, row.put_away_at) for id, row in hidden if row.put_away_at is not None]
        return sorted(listed, key=lambda match: match.changed_at, reverse=True)

    def list_deleted(self, owner: str) -> list[ListedMatch]:
        hidden = sorted(
            ((row.deleted_at, id, row) for id, row in self._list_own(owner) if row.deleted_at is not None),
            key=lambda row: row[0],
            reverse=True,
        )
        return [_show(id, row, at) for at, id, row in hidden]

    def erase_deleted(self, before: str, owner: str | None = None) -> int:
        old = [
            id
            for id, row in self._tables.matches.items()
            if row.deleted_at is not None and row.deleted_at < before and owner in (None, row.owner)
        ]
        for id in old:
            self._tables.erase_match(id)
        return len(old)

    def erase_match(self, match_id: str) -> None:
        row = self._tables.matches.get(match_id)
        if row is not None and row.deleted_at is not None:
            self._tables.erase_match(match_id)

    def list_ids(self, owner: str | None = None) -> Sequence[str]:
        found = [
            (row.created_at, id)
            for id, row in self._tables.matches.items()
            if row.deleted_at is None and owner in (None, row.owner)
        ]
        return [id for _at, id in sorted(found)]

    def _list_own(self, owner: str) -> list[tuple[str, HeldMatch]]:
        """An owner's matches by their ids: sorted by a time those of one time stay in this order."""
        return sorted((id, row) for id, row in self._tables.matches.items() if row.owner == owner)


def _show(id: str, row: HeldMatch, hidden_at: str | None) -> ListedMatch:
    summary = row.current_summary()
    return ListedMatch(id, row.head, row.created_at, row.changed_at, summary, row.owner, hidden_at=hidden_at)
