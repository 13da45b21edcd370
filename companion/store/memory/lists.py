"""The lists of a browser in memory."""

from companion.store.bins import ListedMatch, ListPlace

from .tables import Tables


class MemoryLists:
    """Lists of matches, put away or deleted ones among them."""

    _tables: Tables

    def list_matches(
        self,
        owner: str | None,
        search: str = "",
        limit: int | None = None,
        after: ListPlace | None = None,
        before: ListPlace | None = None,
    ) -> list[ListedMatch]:
        rows = [
            (id, row)
            for id, row in self._tables.matches.items()
            if row.owner == owner and row.deleted_at is None
        ]
        rows.sort(key=lambda one: (one[1].changed_at, one[0]), reverse=True)
        return [
            ListedMatch(
                id,
                row.head,
                row.created_at,
                row.changed_at,
                row.summary[1] if row.summary is not None and row.summary[0] == len(row.events) else None,
                row.owner,
                place=ListPlace(row.changed_at, id),
            )
            for id, row in rows[:limit]
        ]

    def count_matches(self, owner: str | None) -> int:
        return len(self.list_matches(owner))

    def find_successor(self, match_id: str, owner: str) -> str | None:
        return next(
            (
                id
                for id, row in self._tables.matches.items()
                if row.head.get("follows") == match_id and row.owner == owner
            ),
            None,
        )

    def erase_deleted(self, before: str, owner: str | None = None) -> int:
        return 0
