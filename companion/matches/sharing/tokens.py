"""Tokens: each lets a program act as its owner, in one match or all, at most in the token's role."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256

from companion.matches.match import Match, TooMany
from companion.store import ServerStore, Token

from .access import Access, Role

MAX_TOKENS = 50
"""The most valid tokens of one owner."""
DAYS = 365
"""Days for which a token is valid by default."""
_TO_THE_HOUR = 13
"""Characters of a time up to its hour, to which the last use of a token is recorded."""


class TokenEnded(Exception):
    """The form was sent before, and the token it made was revoked or has ended."""


class Tokens:
    """Makes tokens, finds their owners, and revokes them.

    `make_ids(owner, key)` makes an unguessable secret, the same for the same form; `now` is the clock.
    """

    def __init__(
        self, store: ServerStore, make_ids: Callable[[str, str], list[str]], now: Callable[[], datetime]
    ) -> None:
        self._store, self._make_ids, self._now = store, make_ids, now

    def make(
        self,
        owner: str,
        role: Role,
        form_key: str,
        side: str | None = None,
        match: Match | None = None,
        access: Access | None = None,
        days: int = DAYS,
        generation: int = 0,
    ) -> str:
        """Create a token that is valid for some days; return its secret (only the digest is stored).

        It is idempotent per form key, as long as the token is valid.

        :param match: its match, with its maker's rights there; without one, it is for all.
        :param generation: the browser's; see `Identities`.
        :raises NotTheWriter: for all but the owner of the match.
        :raises ValueError: for a side that is not at the table, an opponent without a side, and another role
            with one.
        :raises TooMany: if there are too many valid ones.
        :raises TokenEnded: if the form was sent before, and its token was revoked or has ended.
        """
        if match is not None and access is not None:
            access.let_owner(match)
        sides = match.state.ring.sides if match is not None else tuple("ABCDEF")
        if (role is Role.OPPONENT) != (side is not None) or side not in (None, *sides):
            raise ValueError(f"no token for {role} {side}")
        secret = "ct_" + self._make_ids(owner, f"token {form_key}" + f" {generation}" * bool(generation))[0]
        token = Token(
            digest(secret),
            digest(secret)[:12],
            owner,
            match.id if match is not None else None,
            role,
            side,
            self._timestamp(),
            ends_at=self._timestamp(timedelta(days=days)),
            generation=generation,
        )
        existing = self._store.find_token(token.digest)
        if existing is None:
            if len(self.list_valid(owner)) >= MAX_TOKENS:
                raise TooMany("tokens", MAX_TOKENS)
            self._store.add_token(token)
        elif not self._holds(existing):
            raise TokenEnded
        return secret

    def find(self, secret: str) -> Token | None:
        """The valid token with this secret; its use is recorded, to the hour."""
        token = self._store.find_token(digest(secret))
        if token is None or not self._holds(token):
            return None
        now = self._timestamp()
        if (token.used_at or "")[:_TO_THE_HOUR] != now[:_TO_THE_HOUR]:
            self._store.change_token(replace(token, used_at=now))
        return token

    def list_valid(self, owner: str | None) -> list[Token]:
        """The valid tokens of an owner, the newest first; each has its end."""
        found = self._store.list_tokens(owner) if owner is not None else []
        return [replace(token, ends_at=end_of(token)) for token in found if self._holds(token)]

    def revoke(self, owner: str | None, id: str) -> None:
        """End a token of this owner, if it exists."""
        for token in self.list_valid(owner):
            if token.id == id:
                self._store.change_token(replace(token, revoked_at=self._timestamp()))

    def _holds(self, token: Token) -> bool:
        return token.revoked_at is None and self._timestamp() < end_of(token)

    def _timestamp(self, later: timedelta = timedelta()) -> str:
        return (self._now() + later).isoformat(timespec="milliseconds")


def end_of(token: Token) -> str:
    """The end of a token; one made before tokens had an end is valid for a year."""
    if token.ends_at is not None:
        return token.ends_at
    return (datetime.fromisoformat(token.made_at) + timedelta(days=DAYS)).isoformat(timespec="milliseconds")


def digest(secret: str) -> str:
    """The stored digest of a token."""
    return sha256(f"token:{secret}".encode("utf-8", "replace")).hexdigest()
