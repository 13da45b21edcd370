"""The interface through which the application uses a store of matches, of any kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.record.log import Event

from .grants import GrantStore
from .trash import ListedMatch, ListPlace, TrashStore


class StaleWrite(Exception):
    """Somebody else wrote in the match meanwhile: `events` are what was added since."""

    def __init__(self, match_id: str, events: Sequence[Event]) -> None:
        super().__init__(f"{len(events)} events were added meanwhile")
        self.match_id = match_id
        self.events = tuple(events)


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as it is stored: its head as first written, and its log, or the end of it.

    `rulebook` is the version of the game's rules that it is played by; times are ISO 8601 in UTC. It is in
    the trash since it was `deleted_at`. A new one that a phone began without a network has `arrived` only
    now; this is not loaded again.
    """

    id: str
    owner: str
    head: Mapping[str, Any]
    events: tuple[Event, ...]
    created_at: str
    rulebook: str = ""
    deleted_at: str | None = None
    arrived: str = ""


@dataclass(frozen=True, slots=True)
class SavedRuling:
    """A ruling as it was saved: `content` holds request, facts, names, answer and rulebook version."""

    id: str
    owner: str
    at: str
    content: Mapping[str, Any]


class Store(GrantStore, TrashStore, Protocol):
    """A place that stores matches, rulings and who may do what.

    Events are added to a log and never changed; they are only removed with their whole match.
    """

    def create_match(self, match: StoredMatch) -> None:
        """Store a new match with the first events of its log, numbered from 1.

        The same id again, by the same owner, changes nothing: a form sent twice is one match.

        :raises StaleWrite: when the id is taken by another owner.
        """

    def append_event(self, match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
        """Add one event to the log; the event with its number.

        `expected_seq` is the log's length the writer had seen. The same form sent again (same key, same
        content) gives the event that is already there.

        :raises StaleWrite: when others were added since; nothing is written.
        :raises KeyError: when there is no such match, or it is in the trash.
        """

    def append_events(self, match_id: str, expected_seq: int, events: Sequence[Event]) -> None:
        """Add many events to the log, all or none, as they are: numbered on, with their authors and times.

        :raises StaleWrite: when others were added since the log was `expected_seq` long; nothing is written.
        :raises KeyError: when there is no such match, or it is in the trash.
        """

    def find_event(self, match_id: str, form_key: str) -> Event | None:
        """The event that this form has written already, if it has."""

    def load_match(self, match_id: str, after: int = 0) -> StoredMatch | None:
        """A match with the events of its log that come `after` that number, or None."""

    def list_matches(
        self,
        owner: str | None,
        search: str = "",
        limit: int | None = None,
        after: ListPlace | None = None,
        before: ListPlace | None = None,
    ) -> list[ListedMatch]:
        """The matches that a browser began or joined, the one last written in first.

        What its owner put away is not among the owner's, what was deleted among nobody's. `search` looks into
        names, as they were and as they are, place and day. Of a long list one page is read: the first `limit`
        matches, those that come `after` a place, or the last ones `before` it.
        """

    def count_matches(self, owner: str | None) -> int:
        """How many matches the whole list has."""

    def find_successor(self, match_id: str, owner: str) -> str | None:
        """The id of the owner's match that follows this one (`follows` in its head), the first of several.

        What is in the trash follows nothing.
        """

    def remember_summary(self, match_id: str, seq: int, summary: Mapping[str, Any]) -> None:
        """Store the summary of a match for lists, made from the first `seq` events; it may be dropped any
        time.
        """

    def recall_summary(self, match_id: str, seq: int) -> Mapping[str, Any] | None:
        """The stored summary of a match, if it was made from exactly this many events."""

    def save_ruling(self, ruling: SavedRuling) -> None:
        """Store a ruling; the same id again changes nothing."""

    def find_ruling(self, id: str) -> SavedRuling | None:
        """The ruling saved under this id, or None."""

    def list_rulings(self, owner: str) -> list[SavedRuling]:
        """The rulings that a browser saved, oldest first."""
