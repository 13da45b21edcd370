"""What the application asks of a place that stores matches, whatever it is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.record.log import Event

from .grants import GrantStore


class StaleWrite(Exception):
    """Somebody else wrote in the match meanwhile: `events` are what was added since."""

    def __init__(self, match_id: str, events: Sequence[Event]) -> None:
        super().__init__(f"{len(events)} events were added meanwhile")
        self.match_id = match_id
        self.events = tuple(events)


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as it is stored: its head as first written, and its log, or the end of it.

    `rulebook` is the version of the game's rules that it is played by; times are ISO 8601 in UTC.
    """

    id: str
    owner: str
    head: Mapping[str, Any]
    events: tuple[Event, ...]
    created_at: str
    rulebook: str = ""


@dataclass(frozen=True, slots=True)
class ListPlace:
    """A place in a list: that of the match with this `id`, as it stood when it was last written in `at`."""

    at: str
    id: str


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a browser's list: its head, when it was last written in, the summary if that still holds.

    `side` and `has_pencil` are those of the browser's grant, where it did not begin the match itself. By its
    `place` the list is read on.
    """

    id: str
    head: Mapping[str, Any]
    created_at: str
    changed_at: str
    summary: Mapping[str, Any] | None
    owner: str = ""
    side: str | None = None
    has_pencil: bool = False
    place: ListPlace = ListPlace("", "")


@dataclass(frozen=True, slots=True)
class SavedRuling:
    """A ruling as it was saved: `content` holds request, facts, names, answer and rulebook version."""

    id: str
    owner: str
    at: str
    content: Mapping[str, Any]


class Store(GrantStore, Protocol):
    """A place that stores matches, rulings and who may do what.

    Events are added to a log and never changed or removed.
    """

    def create_match(self, match: StoredMatch) -> None:
        """Keep a new match with the first events of its log, numbered from 1.

        The same id again, by the same owner, changes nothing: a form sent twice is one match.

        :raises StaleWrite: when the id is taken by another owner.
        """

    def append_event(self, match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
        """Add one event to the log and give it back with its number.

        `expected_seq` is the log's length the writer had seen. The same form sent again (same key, same
        content) gives the event that is already there.

        :raises StaleWrite: when others were added since; nothing is written.
        :raises KeyError: when there is no such match.
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

        Those that were put away or deleted are left out. `search` looks into names, as they were and as they
        are, place and day. Of a long list a page is asked for: the first `limit` matches, those that come
        `after` a place, or the last ones `before` it.
        """

    def count_matches(self, owner: str | None) -> int:
        """How many matches the whole list has."""

    def find_successor(self, match_id: str, owner: str) -> str | None:
        """The id of the owner's match that follows this one (`follows` in its head), the first of several."""

    def remember_summary(self, match_id: str, seq: int, summary: Mapping[str, Any]) -> None:
        """Keep what lists show of a match, made from the first `seq` events; it may be dropped any time."""

    def save_ruling(self, ruling: SavedRuling) -> None:
        """Keep a ruling; the same id again changes nothing."""

    def find_ruling(self, id: str) -> SavedRuling | None:
        """The ruling saved under this id, or None."""
