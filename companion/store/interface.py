"""The interface through which the application uses a store of matches, of any kind."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, Literal, Protocol

from companion.record.log import Event
from companion.rules.errors import Explained

from .grants import Grant, Link, Move, Renewal, Token

Visibility = Literal["listed", "archived", "deleted"]
"""The visibility of a match for its owner: in the list, in that of archived matches, or in the trash."""


class CannotStart(Explained):
    """Something that the program needs is missing or unusable; the sentence says what to do."""


class StoreUnavailable(Exception):
    """The store cannot be read or written for now; nothing was written.

    `reason` is ``away`` if it does not answer, ``busy`` if others locked it for too long, ``full`` if the
    disk has no room left. The message, for a log, is the store's own.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason, self.detail = reason, message


class StaleWrite(Exception):
    """Somebody else wrote in the match meanwhile: `events` are those added since."""

    def __init__(self, match_id: str, events: Sequence[Event]) -> None:
        super().__init__(f"{len(events)} events were added meanwhile")
        self.match_id = match_id
        self.events = tuple(events)


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A stored match: its head as first written, and its log, or the end of it.

    `rulebook` is the version of its game's rules; times are ISO 8601 in UTC. It has been in the trash since
    `deleted_at`. `arrived` is the present time for a new match that a phone began without a network; it is
    not loaded again.
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
    """A saved ruling: `content` holds request, facts, names, answer and rulebook version.

    Or a note of the owner's journal (`companion.people`), which is stored and transferred in the same way.
    """

    id: str
    owner: str
    at: str
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ListPlace:
    """A position in a list: after the match with this `id`, last written in `at` this time."""

    at: str
    id: str


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a browser's list: its head, the time of its last event, and the summary if still valid.

    `side` and `has_pencil` are those of the browser's grant, if it did not begin the match itself. From its
    `place` the list is read on. In lists of hidden matches `hidden_at` is the time of archiving or deleting.
    One of a demo (`is_demo`) is there to be looked at, and counts nowhere.
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
    is_demo: bool = False


@dataclass(frozen=True, slots=True)
class MatchVersion:
    """The version of a match: the `length` of its log, and the number of changes of its `access`.

    `side` and `has_pencil` are those of the browser's grant, if it joined the match (`is_joined`). Its owner
    chose its visibility at the time `visibility_at`.
    """

    id: str
    length: int
    access: int
    changed_at: str
    put_away_at: str | None
    deleted_at: str | None
    visibility_at: str | None
    is_joined: bool = False
    side: str | None = None
    has_pencil: bool = False


class Store(Protocol):
    """A store of matches, rulings and rights.

    Events are added to a log and never changed; they are only removed with their whole match. Each change of
    a browser's rights counts as one change of the match's access; so does hiding a match, or bringing it
    back.
    """

    def create_match(self, match: StoredMatch) -> None:
        """Store a new match with the first events of its log, numbered from 1.

        The same id again, by the same owner, changes nothing: a form sent twice is one match.

        :raises StaleWrite: if the id belongs to another owner's match, on a server also to an erased one.
        """

    def append_event(self, match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
        """Add one event to the log; return it with its number.

        `expected_seq` is the log's length the writer had seen. The same form sent again (same key, same
        content) returns the existing event.

        :raises StaleWrite: if others were added since; nothing is written.
        :raises KeyError: if there is no such match, or it is in the trash.
        """

    def append_events(self, match_id: str, expected_seq: int, events: Sequence[Event]) -> None:
        """Add many events to the log, all or none: numbered on, with their own authors and times.

        :raises StaleWrite: if others were added since the log was `expected_seq` long; nothing is written.
        :raises KeyError: if there is no such match, or it is in the trash.
        """

    def find_event(self, match_id: str, form_key: str) -> Event | None:
        """The event that this form has already written, if any."""

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

        Archived matches are missing in the owner's list, deleted ones in all lists. `search` applies to
        former and present names, place and game; a day or a month (`2026-11-20`, `2026-11`), in the `zone` or
        else this machine's, is one in which a match was begun or last written in. One page of a long list is
        read: the first `limit` matches, those `after` a position, or the last ones `before` it.
        """

    def count_matches(self, owner: str | None) -> int:
        """The number of matches in the whole list."""

    def find_successor(self, match_id: str, owner: str) -> str | None:
        """The id of the owner's match that follows this one (`follows` in its head), the first of several.

        Matches in the trash are skipped.
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

    def set_visibility(
        self, match_id: str, visibility: Visibility, at: str, chosen_at: str | None = None
    ) -> bool:
        """Put a match into its owner's list, the archive or the trash; return whether it is there.

        Nobody can see a match in the trash, but nothing is lost yet; if deleted again it keeps its date. It
        was `chosen_at` an earlier time on a phone without network; a choice made after that stands.
        """

    def list_put_away(self, owner: str) -> list[ListedMatch]:
        """The matches that this owner put away, the one last written in first."""

    def list_deleted(self, owner: str) -> list[ListedMatch]:
        """The owner's matches in the trash, the one last deleted first."""

    def erase_match(self, match_id: str) -> None:
        """Erase a match that is in the trash; others stay."""

    def list_ids(self, owner: str | None = None) -> Sequence[str]:
        """The ids of an owner's matches, or of all matches, oldest first, including archived ones.

        Those in the trash and those of a demo are left out.
        """

    def erase_deleted(self, before: str, owner: str | None = None) -> int:
        """Erase matches that were deleted before that time, of one owner or of all; return their number.

        Their logs, links and grants are erased too; saved rulings stay. On a server only their owner can use
        one of their ids again, as ids are on sheets and in codes.
        """

    def add_grants(self, grants: Sequence[Grant]) -> None:
        """Add grants without a link; browsers that have one already keep it."""

    def find_grant(self, match_id: str, browser: str) -> Grant | None:
        """The valid grant of a browser in a match, if any."""

    def list_grants(self, match_id: str) -> list[Grant]:
        """All grants of a match that were ever given, the newest first."""

    def load_version(self, match_id: str) -> tuple[int, int] | None:
        """The length of a match's log, and the number of changes of its access; None if it does not exist.

        Also None if it is in the trash.
        """

    def count_change(self, match_id: str) -> None:
        """Count a change of pages about the match that its log does not show."""


class ServerStore(Store, Protocol):
    """The store of a server: it also has links, tokens and moves, and reports news to phones."""

    def add_link(self, link: Link) -> None:
        """Store a new link; the same id again changes nothing."""

    def find_link(self, digest: str) -> Link | None:
        """The link whose secret has this digest, revoked or not."""

    def list_links(self, match_id: str) -> list[Link]:
        """All links of a match, the newest first."""

    def list_users(self, match_id: str) -> dict[str, list[Grant]]:
        """The grants given by each link of a match, by the links' ids, revoked or not."""

    def revoke_link(self, match_id: str, link_id: str, at: str) -> None:
        """End a link, and the grants of all who joined by it, even if another link added to them."""

    def join(self, link: Link, grant: Grant) -> Grant | None:
        """Add the link's grant to the browser's earlier rights; return the resulting grant.

        A link that it has joined by before restores no right, such as a pencil that was taken back. None if
        the link is not, or no longer, open to this browser (`is_open_to`).
        """

    def give_pencil(self, match_id: str, grant_id: str, has_pencil: bool) -> Grant | None:
        """Let a grant write in the match, or no longer; None without a valid grant."""

    def revoke_grant(self, match_id: str, grant_id: str, at: str, may_return: bool = False) -> None:
        """End one grant. With `may_return` the phone can join again by a reusable link it has used."""

    def add_token(self, token: Token) -> None:
        """Store a new token; the same digest again changes nothing."""

    def find_token(self, digest: str) -> Token | None:
        """The token with this digest, of its owner's newest generation, revoked or not."""

    def list_tokens(self, owner: str) -> list[Token]:
        """All tokens of an owner's newest generation, the newest first."""

    def change_token(self, token: Token) -> None:
        """Store the time of a token's last use, or its end; omitted values stay."""

    def list_token_owners(self) -> list[str]:
        """Everybody who ever had a token."""

    def find_renewals(self, owners: Collection[str]) -> list[Renewal]:
        """The renewals of those of these owners who were renewed."""

    def renew(self, renewal: Renewal) -> Renewal:
        """Sign an owner out everywhere: moves and tokens of other generations become invalid.

        Returns the valid renewal: the earlier one, unchanged, if this generation was reached before, or this
        form has renewed already.
        """

    def add_move(self, move: Move) -> None:
        """Store a new move; new "words" replace those the owner had."""

    def find_move(self, digest: str, at: str) -> str | None:
        """The owner of the unused move with this digest; None if it is unknown."""

    def use_move(self, digest: str, at: str, again: Move | None = None) -> str | None:
        """Use up the unused move with this digest; return its owner, None if it is unknown.

        In the same transaction `again` is stored for that owner.
        """

    def find_words(self, owner: str) -> Move | None:
        """The unused recovery words of this owner."""

    def owns_anything(self, owner: str) -> bool:
        """True if a browser has a match, a ruling or a grant."""

    def list_versions(self, browser: str) -> list[MatchVersion]:
        """The matches that a browser began or joined, last written in first.

        Its own are included if archived or in the trash; others' matches in the trash are left out.
        """

    def list_keys(self, match_id: str, author: str, after: int) -> Mapping[int, str]:
        """The keys of an author's forms, by the numbers of the events that they wrote.

        Only events `after` a number.
        """

    def list_ruling_places(self, owner: str) -> Sequence[tuple[str, str]]:
        """The time and id of each ruling that a browser saved, oldest first."""
