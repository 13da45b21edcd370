"""What a store keeps about access to a match: invitation links, grants, and moves to another phone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Link:
    """An invitation to a match: whoever opens it and joins may do what its `role` may, for a `side` or none.

    `digest` is that of the secret in its address, which is stored nowhere. With `once` only one browser can
    join by it. Times are ISO 8601 in UTC.
    """

    id: str
    match_id: str
    digest: str
    role: str
    side: str | None
    once: bool
    made_at: str
    revoked_at: str | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """What one browser, which joined a match at a time by a link, may do in it.

    `phone` says which kind it is ("Android, Chrome"). It speaks for a `side`, or for none, and may write
    while it `has_pencil`. `id` names it on pages, which show nobody's token. `at` is when it last joined.
    """

    id: str
    match_id: str
    browser: str
    side: str | None
    has_pencil: bool
    phone: str
    at: str
    revoked_at: str | None = None


def is_open_to(link: Link, users: Sequence[Grant], browser: str | None) -> bool:
    """Whether a browser can join by a link; `users` are the grants that were given by it.

    A phone that was removed cannot come back by a link it has joined by.
    """
    own = [grant for grant in users if grant.browser == browser]
    if link.revoked_at is not None or any(grant.revoked_at is not None for grant in own):
        return False
    return bool(own) or not (link.once and users)


def add_to(present: Grant, grant: Grant) -> Grant:
    """The rights of a browser that joins again: all that it had, unless they were revoked."""
    if present.revoked_at is not None:
        return replace(grant, id=present.id)
    return replace(
        grant,
        id=present.id,
        side=grant.side or present.side,
        has_pencil=grant.has_pencil or present.has_pencil,
    )


@dataclass(frozen=True, slots=True)
class Move:
    """A way for another phone to become the same person as the browser `owner`: a "code" or "words".

    It can be used once, until `ends_at` where that is said. The third kind, "again", belongs to a phone that
    has used one but may not have received the answer.
    """

    digest: str
    owner: str
    kind: str
    made_at: str
    ends_at: str | None = None


class GrantStore(Protocol):
    """A place that stores grants. Whatever changes what a browser may do counts as one change of the match's
    access."""

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


class SharingStore(GrantStore, Protocol):
    """The store of a server, which also has the links that grants are given by, and moves."""

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
