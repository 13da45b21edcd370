"""The lists of a browser in memory, and what is out of its sight."""

from collections.abc import Sequence
from datetime import tzinfo

from companion.rules.schema import is_storable, is_storable_text
from companion.store.interface import ListedMatch, ListPlace
from companion.store.search_text import read_search

from .tables import HeldMatch, Tables


class MemoryLists:
    """Lists of the matches that a browser began or joined."""

    _tables: Tables

    def list_matches(
        self,
        owner: str | None,
        search: str = "",
        limit: int | None = None,
        after: ListPlace | None = None,
        before: ListPlace | None = None,
        zone: tzinfo | None = None,
    ) -> list[ListedMatch]:
        places = [part for place in (after, before) if place for part in (place.at, place.id)]
        if owner is None or not (is_storable(owner, *places) and is_storable_text(search)):
            return []
        sought = read_search(search, zone)
        found = [
            (row.changed_at, id, row)
            for id, row in self._tables.matches.items()
            if _is_listed(row, owner) and sought.finds(row.searched, row.created_at, row.changed_at)
        ]
        if after is not None:
            found = [row for row in found if row[:2] < (after.at, after.id)]
        if before is not None:
            found = [row for row in found if row[:2] > (before.at, before.id)]
        # The nearest to the place come first, until there are enough of them.
        found.sort(key=lambda row: row[:2], reverse=before is None)
        shown = [_show(id, row, owner) for _at, id, row in found[:limit]]
        return shown if before is None else shown[::-1]

    def count_matches(self, owner: str | None) -> int:
        return 0 if owner is None else sum(_is_listed(row, owner) for row in self._tables.matches.values())

    def find_successor(self, match_id: str, owner: str) -> str | None:
        followers = [
            (row.created_at, id)
            for id, row in self._tables.matches.items()
            if row.owner == owner and row.deleted_at is None and row.head.get("follows") == match_id
        ]
        return min(followers)[1] if followers else None

    def owns_anything(self, owner: str) -> bool:
        return any(ruling.owner == owner for ruling in self._tables.rulings.values()) or any(
            row.owner == owner or owner in row.grants for row in self._tables.matches.values()
        )


def _is_listed(row: HeldMatch, browser: str) -> bool:
    if row.deleted_at is not None:
        return False
    if row.owner == browser:
        return row.put_away_at is None
    return browser in row.grants and row.grants[browser].revoked_at is None


def _show(id: str, row: HeldMatch, browser: str) -> ListedMatch:
    grant = None if row.owner == browser else row.grants[browser]
    return ListedMatch(
        id,
        row.head,
        row.created_at,
        row.changed_at,
        row.current_summary(),
        row.owner,
        None if grant is None else grant.side,
        grant is not None and grant.has_pencil,
        ListPlace(row.changed_at, id),
    )


class MemoryTrash:
    """Matches that were put away, or deleted."""

    _tables: Tables

    def put_away(self, match_id: str, at: str | None) -> None:
        row = self._find(match_id, is_deleted=False)
        if row is not None:
            row.put_away_at = at
            self._tables.count_change(match_id)

    def delete_match(self, match_id: str, at: str) -> None:
        row = self._find(match_id, is_deleted=False)
        if row is not None:
            row.deleted_at = at
            self._tables.count_change(match_id)

    def bring_back(self, match_id: str) -> None:
        row = self._find(match_id, is_deleted=True)
        if row is not None:
            row.deleted_at = row.put_away_at = None
            self._tables.count_change(match_id)

    def _find(self, match_id: str, is_deleted: bool) -> HeldMatch | None:
        row = self._tables.matches.get(match_id)
        return row if row is not None and (row.deleted_at is not None) is is_deleted else None

    def list_put_away(self, owner: str) -> list[ListedMatch]:
        left = [(id, row) for id, row in self._list_own(owner) if row.deleted_at is None]
        listed = [_show_hidden(id, row, row.put_away_at) for id, row in left if row.put_away_at is not None]
        return sorted(listed, key=lambda match: match.changed_at, reverse=True)

    def list_deleted(self, owner: str) -> list[ListedMatch]:
        own = self._list_own(owner)
        listed = [_show_hidden(id, row, row.deleted_at) for id, row in own if row.deleted_at is not None]
        return sorted(listed, key=lambda match: match.hidden_at or "", reverse=True)

    def erase_deleted(self, before: str, owner: str | None = None) -> int:
        old = [
            id
            for id, row in self._tables.matches.items()
            if row.deleted_at is not None and row.deleted_at < before and owner in (None, row.owner)
        ]
        for id in old:
            self._erase(id)
        return len(old)

    def erase_match(self, match_id: str) -> None:
        if self._find(match_id, is_deleted=True) is not None:
            self._erase(match_id)

    def _erase(self, match_id: str) -> None:
        self._tables.erased[match_id] = self._tables.matches[match_id].owner
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


def _show_hidden(id: str, row: HeldMatch, hidden_at: str | None) -> ListedMatch:
    summary = row.current_summary()
    return ListedMatch(id, row.head, row.created_at, row.changed_at, summary, row.owner, hidden_at=hidden_at)
