"""The store of a phone: everything in memory, and each change told as rows that somebody keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.record.log import Event
from companion.store.interface import SavedRuling, StaleWrite, StoredMatch

from .grants import MemoryGrants
from .lists import MemoryLists
from .tables import Tables


class MemoryStore(MemoryLists, MemoryGrants):
    """Matches, rulings, links and grants in memory. For one thread."""

    def __init__(self) -> None:
        self._tables = Tables()

    @property
    def tables(self) -> Tables:
        """All that is stored; what was changed since can be taken from them, to be kept."""
        return self._tables

    def create_match(self, match: StoredMatch) -> None:
        present = self._tables.matches.get(match.id)
        if present is not None:
            if present.owner != match.owner:
                raise StaleWrite(match.id, ())
            return
        self._tables.add_match(match)

    def append_event(self, match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
        row = self._tables.find_open(match_id)
        present = self.find_event(match_id, form_key)
        if present is not None:
            if (present.kind, present.entry, present.payload) == (event.kind, event.entry, event.payload):
                return present
            raise StaleWrite(match_id, row.events[min(expected_seq, present.seq - 1) :])
        if len(row.events) != expected_seq:
            raise StaleWrite(match_id, row.events[expected_seq:])
        written = replace(event, seq=expected_seq + 1)
        self._tables.add_event(match_id, written, form_key)
        return written

    def append_events(self, match_id: str, expected_seq: int, events: Sequence[Event]) -> None:
        row = self._tables.find_open(match_id)
        there = row.events[expected_seq:]
        if there and [replace(one, seq=0) for one in there[: len(events)]] == [
            replace(one, seq=0) for one in events
        ]:
            return
        if there or len(row.events) != expected_seq:
            raise StaleWrite(match_id, there)
        for seq, event in enumerate(events, expected_seq + 1):
            self._tables.add_event(match_id, replace(event, seq=seq), "")

    def find_event(self, match_id: str, form_key: str) -> Event | None:
        row = self._tables.matches.get(match_id)
        return None if row is None else row.keys.get(form_key)

    def load_match(self, match_id: str, after: int = 0) -> StoredMatch | None:
        row = self._tables.matches.get(match_id)
        if row is None:
            return None
        events = tuple(row.events[after:])
        return StoredMatch(
            match_id, row.owner, row.head, events, row.created_at, row.rulebook, row.deleted_at
        )

    def recall_summary(self, match_id: str, seq: int) -> Mapping[str, Any] | None:
        row = self._tables.matches.get(match_id)
        return (
            row.summary[1] if row is not None and row.summary is not None and row.summary[0] == seq else None
        )

    def remember_summary(self, match_id: str, seq: int, summary: Mapping[str, Any]) -> None:
        row = self._tables.matches.get(match_id)
        if row is not None:
            row.summary = (seq, dict(summary))

    def save_ruling(self, ruling: SavedRuling) -> None:
        if ruling.id not in self._tables.rulings:
            self._tables.put_ruling(ruling)

    def find_ruling(self, id: str) -> SavedRuling | None:
        return self._tables.rulings.get(id)

    def list_rulings(self, owner: str) -> list[SavedRuling]:
        return [one for one in self._tables.rulings.values() if one.owner == owner]
