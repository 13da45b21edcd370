"""Stored access to a match: invitation links, grants, and moves to another phone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Link:
    """An invitation to a match: whoever joins by it gets the rights of its `role`, for a `side` or none.

    `digest` is the digest of the secret in its address, which is stored nowhere. With `once` only one browser
    can join by it. Times are ISO 8601 in UTC.
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
    """The rights of one browser in a match that it joined by a link.

    `phone` is its kind ("Android, Chrome"). It speaks for a `side`, or for none, and may write while it
    `has_pencil`. `id` names it on pages, which show nobody's token. `at` is the time it last joined.
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
    """True if a browser can join by a link; `users` are the grants that were given by it.

    A phone that was removed cannot come back by a link it has joined by.
    """
    own = [grant for grant in users if grant.browser == browser]
    if link.revoked_at is not None or any(grant.revoked_at is not None for grant in own):
        return False
    return bool(own) or not (link.once and users)


def add_to(present: Grant, grant: Grant) -> Grant:
    """Add the rights of a browser that joins again to its earlier ones, unless these were revoked."""
    if present.revoked_at is not None:
        return replace(grant, id=present.id)
    return replace(
        grant,
        id=present.id,
        side=grant.side or present.side,
        has_pencil=grant.has_pencil or present.has_pencil,
    )


@dataclass(frozen=True, slots=True)
class Token:
    """A program's right to act as its `owner`, in at most a `role`, for a `side` or none, in a match or all.

    `digest` is the digest of its secret, which is stored nowhere; `id` names it on pages.
    """

    digest: str
    id: str
    owner: str
    match_id: str | None
    role: str
    side: str | None
    made_at: str
    used_at: str | None = None
    revoked_at: str | None = None
    ends_at: str | None = None
    generation: int = 0


@dataclass(frozen=True, slots=True)
class Renewal:
    """The last time an `owner` was signed out everywhere, with the digest of the form's key.

    Cookies, tokens and moves of other generations are invalid: each row has its generation, so that late
    writes of earlier requests are invalid too.
    """

    owner: str
    generation: int
    key: str
    at: str


@dataclass(frozen=True, slots=True)
class Move:
    """A way for another phone to become the same person as the browser `owner`: a "code" or "words".

    Its generation is that of the browser that made it.

    It can be used once, until `ends_at` if given. The third kind, "again", belongs to a phone that has used
    one but may not have received the answer.
    """

    digest: str
    owner: str
    kind: str
    made_at: str
    ends_at: str | None = None
    generation: int = 0
