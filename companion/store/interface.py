"""The interface through which the application uses a store of matches, of any kind."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, Protocol

from companion.record.log import Event
from companion.rules.errors import Explained

from .grants import Grant, Link, Move, Renewal, Token


class CannotStart(Explained):
    """Something that the program needs is missing or unusable; the sentence says what to do."""


class StoreUnavailable(Exception):
    """The store cannot be read or written for now; nothing was written.

    `reason` is ``away`` when it does not answer, ``busy`` when others kept it for too long, ``full`` when the
    disk has no room left. The message, for a log, is what the store itself says of it.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason, self.detail = reason, message


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
    """A ruling as it was saved: `content` holds request, facts, names, answer and rulebook version.

    Or a note of the owner's journal (`companion.people`), which is stored and travels in the same way.
    """

    id: str
    owner: str
    at: str
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ListPlace:
    """A place in a list: that of the match with this `id`, as it stood when it was last written in `at`."""

    at: str
    id: str


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a browser's list: its head, when it was last written in, the summary if that still holds.

    `side` and `has_pencil` are those of the browser's grant, where it did not begin the match itself. By its
    `place` the list is read on. In a list of what is out of sight `hidden_at` is when it was put away or
    deleted.
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
    hidden_at: str | None = None


@dataclass(frozen=True, slots=True)
class MatchVersion:
    """How far a match has come: the `length` of its log, and how often its `access` was changed.

    `side` and `has_pencil` are those of the browser's grant, where it joined the match (`is_joined`).
    """

    id: str
    length: int
    access: int
    changed_at: str
    put_away_at: str | None
    is_joined: bool = False
    side: str | None = None
    has_pencil: bool = False


class Store(Protocol):
    """A place that stores matches, rulings and who may do what.

    Events are added to a log and never changed; they are only removed with their whole match. Whatever
    changes what a browser may do counts as one change of the match's access.
    """

    def create_match(self, match: StoredMatch) -> None:
        """Store a new match with the first events of its log, numbered from 1.

        The same id again, by the same owner, changes nothing: a form sent twice is one match.

        :raises StaleWrite: when the id is another owner's match's, on a server also of one that this erased.
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
        zone: tzinfo | None = None,
    ) -> list[ListedMatch]:
        """The matches that a browser began or joined, the one last written in first.

        What its owner put away is not among the owner's, what was deleted among nobody's. `search` looks into
        names, as they were and as they are, place and game; a day or a month (`2026-11-20`, `2026-11`) is one
        of the `zone`, or else of this machine's, in which a match was begun or last written in. Of a long
        list one page is read: the first `limit` matches, those that come `after` a place, or the last ones
        `before` it.
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

    def erase_deleted(self, before: str, owner: str | None = None) -> int:
        """Erase what was deleted before that time, of one owner or of all; how many matches these were.

        Their logs, links and grants go with them; saved rulings stay. On a server nobody but their owner can
        have a match with one of their ids again: it is on sheets and in codes.
        """

    def add_grants(self, grants: Sequence[Grant]) -> None:
        """Give grants without a link; those that their browsers have already stay as they are."""

    def find_grant(self, match_id: str, browser: str) -> Grant | None:
        """The grant of a browser in a match, if it has one that holds."""

    def list_grants(self, match_id: str) -> list[Grant]:
        """All grants of a match that were ever given, the newest first."""

    def load_version(self, match_id: str) -> tuple[int, int] | None:
        """The length of a match's log, and how often its access was changed; None when there is none.

        None also of one that is in the trash.
        """

    def count_change(self, match_id: str) -> None:
        """Count that pages about the match look different, though its log is the same."""


class ServerStore(Store, Protocol):
    """The store of a server: it has the links that grants are given by, and moves, puts matches out of sight,
    and reports to phones what is new.

    Putting a match out of sight, or back, counts as a change of its access.
    """

    def put_away(self, match_id: str, at: str | None) -> None:
        """Archive a match, out of its owner's list, or with None put it back."""

    def delete_match(self, match_id: str, at: str) -> None:
        """Put a match into the trash: nobody can see it any more, but nothing of it is lost yet.

        One that is there already keeps its date.
        """

    def bring_back(self, match_id: str) -> None:
        """Take a match out of the trash again, and back into its owner's list."""

    def list_put_away(self, owner: str) -> list[ListedMatch]:
        """The matches that this owner put away, the one last written in first."""

    def list_deleted(self, owner: str) -> list[ListedMatch]:
        """The owner's matches in the trash, the one last deleted first."""

    def erase_match(self, match_id: str) -> None:
        """Erase a match that is in the trash; of any other, nothing."""

    def list_ids(self, owner: str | None = None) -> Sequence[str]:
        """The ids of an owner's matches, or of all there are, oldest first, also of those put away.

        None of those in the trash.
        """

    def add_link(self, link: Link) -> None:
        """Store a new link; the same id again changes nothing."""

    def find_link(self, digest: str) -> Link | None:
        """The link whose secret has this digest, revoked or not."""

    def list_links(self, match_id: str) -> list[Link]:
        """All links of a match, the newest first."""

    def list_users(self, match_id: str) -> dict[str, list[Grant]]:
        """The grants given by each link of a match, by the links' ids, revoked or not."""

    def revoke_link(self, match_id: str, link_id: str, at: str) -> None:
        """End a link, and the grants of all who joined by it, also where another link added to them."""

    def join(self, link: Link, grant: Grant) -> Grant | None:
        """Give the grant by the link, added to what this browser may do already; the grant it has then.

        A link that it has joined by before gives it nothing again, such as a pencil that was taken back. None
        when the link is not, or no longer, open to this browser (`is_open_to`).
        """

    def give_pencil(self, match_id: str, grant_id: str, has_pencil: bool) -> Grant | None:
        """Let a grant write in the match, or no longer; None when there is no valid grant."""

    def revoke_grant(self, match_id: str, grant_id: str, at: str, may_return: bool = False) -> None:
        """End one grant. With `may_return` the phone can join again by a reusable link it has used."""

    def add_token(self, token: Token) -> None:
        """Store a new token; the same digest again changes nothing."""

    def find_token(self, digest: str) -> Token | None:
        """The token with this digest, of its owner's newest generation, revoked or not."""

    def list_tokens(self, owner: str) -> list[Token]:
        """All tokens of an owner's newest generation, the newest first."""

    def change_token(self, token: Token) -> None:
        """Store when a token was last used, or revoked; what is left out stays as it is."""

    def list_token_owners(self) -> list[str]:
        """Everybody who ever had a token."""

    def find_renewals(self, owners: Collection[str]) -> list[Renewal]:
        """The renewals of those of these owners who were renewed."""

    def renew(self, renewal: Renewal) -> Renewal:
        """Sign an owner out everywhere: moves and tokens of other generations are found no more.

        Returns the renewal that holds then: where this generation was reached before, or this form has
        renewed already, the earlier one, and nothing is changed.
        """

    def add_move(self, move: Move) -> None:
        """Store a new move; new "words" replace those the owner had."""

    def find_move(self, digest: str, at: str) -> str | None:
        """The owner of the unused move with this digest; None when there is none."""

    def use_move(self, digest: str, at: str, again: Move | None = None) -> str | None:
        """Use up the unused move with this digest: its owner; None when there is none.

        In the same transaction `again` is stored for that owner.
        """

    def find_words(self, owner: str) -> Move | None:
        """The unused recovery words of this owner."""

    def owns_anything(self, owner: str) -> bool:
        """Whether a browser has a match, a ruling or a grant."""

    def list_versions(self, browser: str) -> list[MatchVersion]:
        """Every match that a browser began or joined, also put away, the one last written in first.

        None of those in the trash.
        """

    def list_keys(self, match_id: str, author: str, after: int) -> Mapping[int, str]:
        """The keys of the forms that an author sent, by the numbers of the events that they wrote.

        Of those that come `after` a number.
        """

    def list_ruling_places(self, owner: str) -> Sequence[tuple[str, str]]:
        """When each ruling that a browser saved was given, and its id, oldest first."""
