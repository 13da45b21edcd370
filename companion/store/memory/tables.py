"""What a memory store holds, and the rows by which it is kept: each has a place, and a value of JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from companion.record.log import Event
from companion.store.grants import Grant, Link
from companion.store.interface import SavedRuling, StoredMatch

Place = tuple[str | int, ...]
"""Where a row stands: ("match", id), ("event", id, seq), ("ruling", id), ("grant", id), ("link", id)."""


@dataclass(slots=True)
class HeldMatch:
    """One match: its head, its log, and what is known of it beside that."""

    owner: str
    head: Mapping[str, Any]
    created_at: str
    rulebook: str
    changed_at: str
    events: list[Event] = field(default_factory=list)
    keys: dict[str, Event] = field(default_factory=dict)
    summary: tuple[int, Mapping[str, Any]] | None = None
    access: int = 0
    put_away_at: str | None = None
    deleted_at: str | None = None


class Tables:
    """The rows of a store, and which of them were changed since somebody kept them last."""

    def __init__(self) -> None:
        self.matches: dict[str, HeldMatch] = {}
        self.rulings: dict[str, SavedRuling] = {}
        self.links: dict[str, Link] = {}
        self.grants: dict[str, Grant] = {}
        self._changes: dict[Place, Any] = {}

    def take_changes(self) -> list[tuple[Place, Any]]:
        """The rows changed since this was asked last, each as it is now; None for one that is gone."""
        changes, self._changes = list(self._changes.items()), {}
        return changes

    def find_open(self, match_id: str) -> HeldMatch:
        """A match that is not in the bin. :raises KeyError: when there is none."""
        row = self.matches[match_id]
        if row.deleted_at is not None:
            raise KeyError(match_id)
        return row

    def add_match(self, match: StoredMatch) -> None:
        """Keep a new match with its first events."""
        row = HeldMatch(match.owner, dict(match.head), match.created_at, match.rulebook, match.created_at)
        self.matches[match.id] = row
        self.note_match(match.id)
        for event in match.events:
            self.add_event(match.id, event, f"{match.id}-{event.seq}")

    def add_event(self, match_id: str, event: Event, form_key: str) -> None:
        """Put an event at the end of a log."""
        row = self.matches[match_id]
        row.events.append(event)
        if form_key:
            row.keys[form_key] = event
        row.changed_at = max(row.changed_at, event.at)
        self._changes["event", match_id, event.seq] = {**asdict(event), "key": form_key}
        self.note_match(match_id)

    def note_match(self, match_id: str) -> None:
        """Remember that a match has changed."""
        row = self.matches[match_id]
        self._changes["match", match_id] = {
            "owner": row.owner,
            "head": dict(row.head),
            "created_at": row.created_at,
            "rulebook": row.rulebook,
            "changed_at": row.changed_at,
            "access": row.access,
            "put_away_at": row.put_away_at,
            "deleted_at": row.deleted_at,
        }

    def put_ruling(self, ruling: SavedRuling) -> None:
        """Keep a ruling."""
        self.rulings[ruling.id] = ruling
        self._changes["ruling", ruling.id] = asdict(ruling)
