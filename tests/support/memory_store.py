"""A store in memory: the same interface as the one in a database, in the plainest way."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.record.log import Event
from companion.store import ListedMatch, SavedRuling, StaleWrite, StoredMatch


class MemoryStore:
    """Matches and rulings as long as this object lives. `loads` counts the events that were read."""

    def __init__(self) -> None:
        self.matches: dict[str, StoredMatch] = {}
        self.keys: dict[tuple[str, str], Event] = {}
        self.summaries: dict[str, tuple[int, dict[str, Any]]] = {}
        self.rulings: dict[str, SavedRuling] = {}
        self.loads = 0

    def create_match(self, match: StoredMatch) -> None:
        if self.matches.setdefault(match.id, match).owner != match.owner:
            raise StaleWrite(match.id, ())

    def append_event(self, match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
        match = self.matches[match_id]
        present = self.keys.get((match_id, form_key))
        if present is not None:
            if (present.kind, present.entry, present.payload) == (event.kind, event.entry, event.payload):
                return present
            raise StaleWrite(match_id, match.events[present.seq - 1 :])
        if len(match.events) != expected_seq:
            raise StaleWrite(match_id, match.events[expected_seq:])
        numbered = replace(event, seq=expected_seq + 1)
        self.matches[match_id] = replace(match, events=(*match.events, numbered))
        self.keys[match_id, form_key] = numbered
        return numbered

    def find_event(self, match_id: str, form_key: str) -> Event | None:
        return self.keys.get((match_id, form_key))

    def load_match(self, match_id: str, after: int = 0) -> StoredMatch | None:
        match = self.matches.get(match_id)
        if match is None:
            return None
        self.loads += len(match.events[after:])
        return replace(match, events=match.events[after:])

    def list_matches(self, owner: str | None, search: str = "") -> list[ListedMatch]:
        listed = []
        for match in self.matches.values():
            seq, summary = self.summaries.get(match.id, (0, None))
            current = summary if seq == len(match.events) else None
            changed = match.events[-1].at if match.events else match.created_at
            if match.owner == owner and search in " ".join(match.head["players"]):
                listed.append(ListedMatch(match.id, match.head, match.created_at, changed, current))
        return sorted(listed, key=lambda match: match.changed_at, reverse=True)

    def find_successor(self, match_id: str, owner: str) -> str | None:
        followers = (one for one in self.matches.values() if one.owner == owner)
        found = [one for one in followers if one.head.get("follows") == match_id]
        return min(found, key=lambda one: (one.created_at, one.id)).id if found else None

    def remember_summary(self, match_id: str, seq: int, summary: Mapping[str, Any]) -> None:
        self.summaries[match_id] = (seq, dict(summary))

    def save_ruling(self, ruling: SavedRuling) -> None:
        self.rulings.setdefault(ruling.id, ruling)

    def find_ruling(self, id: str) -> SavedRuling | None:
        return self.rulings.get(id)
