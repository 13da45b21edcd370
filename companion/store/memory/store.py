"""The store of a phone: everything in memory, and each change listed as rows to be saved."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.record.log import Event, are_appended, is_same_form
from companion.store.interface import SavedRuling, StaleWrite, StoredMatch

from .grants import MemoryGrants, MemoryMoves
from .lists import MemoryLists, MemoryTrash
from .tables import Tables


class MemoryStore(MemoryLists, MemoryTrash, MemoryGrants, MemoryMoves):
    """Matches, rulings, links, grants and moves in memory. For one thread."""

    def __init__(self) -> None:
        self._tables = Tables()

    @property
    def tables(self) -> Tables:
        """All that is stored, and the changes to be saved."""
        return self._tables

    def restore(self, rows: Iterable[tuple[Sequence[str | int], Any]]) -> None:
        """Load what was saved of a store, and nothing else.

        :raises ValueError: when that is incomplete.
        """
        self._tables.restore(rows)

    def create_match(self, match: StoredMatch) -> None:
        present = self._tables.matches.get(match.id)
        owner = self._tables.erased.get(match.id, match.owner) if present is None else present.owner
        if owner != match.owner:
            raise StaleWrite(match.id, ())
        if present is None:
            self._tables.erased.pop(match.id, None)
            self._tables.add_match(match)

    def append_event(self, match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
        row = self._tables.find_open(match_id)
        present = row.keys.get(form_key)
        if present is not None:
            if is_same_form(present, event):
                return present
            raise StaleWrite(match_id, row.later_events(min(expected_seq, present.seq - 1)))
        if len(row.events) != expected_seq:
            raise StaleWrite(match_id, row.later_events(expected_seq))
        return self._tables.add_event(match_id, event, form_key)

    def append_events(self, match_id: str, expected_seq: int, events: Sequence[Event]) -> None:
        row = self._tables.find_open(match_id)
        later = row.later_events(expected_seq)
        if are_appended(later, events):
            return
        if len(row.events) != expected_seq:
            raise StaleWrite(match_id, later)
        last = max([row.changed_at, *(event.written_at for event in events)])
        for event in events:
            self._tables.add_event(match_id, event)
        row.changed_at = last

    def find_event(self, match_id: str, form_key: str) -> Event | None:
        row = self._tables.matches.get(match_id)
        return None if row is None else row.keys.get(form_key)

    def load_match(self, match_id: str, after: int = 0) -> StoredMatch | None:
        row = self._tables.matches.get(match_id)
        return None if row is None else row.to_stored(match_id, row.later_events(after))

    def recall_summary(self, match_id: str, seq: int) -> Mapping[str, Any] | None:
        row = self._tables.matches.get(match_id)
        return None if row is None or row.summary is None or row.summary[0] != seq else row.summary[1]

    def remember_summary(self, match_id: str, seq: int, summary: Mapping[str, Any]) -> None:
        row = self._tables.matches.get(match_id)
        if row is not None and (row.summary is None or row.summary[0] <= seq):
            self._tables.remember_summary(match_id, seq, summary)

    def save_ruling(self, ruling: SavedRuling) -> None:
        self._tables.add_ruling(ruling)

    def find_ruling(self, id: str) -> SavedRuling | None:
        return self._tables.rulings.get(id)

    def list_rulings(self, owner: str) -> list[SavedRuling]:
        mine = (ruling for ruling in self._tables.rulings.values() if ruling.owner == owner)
        return sorted(mine, key=lambda ruling: (ruling.at, ruling.id))
