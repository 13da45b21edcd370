"""Tokens: by one a program is its owner, in one match or all, in no stronger role than the token says."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256

from companion.matches.match import Match, TooMany
from companion.store import ServerStore, Token

from .access import Access, Role

MAX_TOKENS = 50
"""Tokens of one owner that hold."""
DAYS = 365
"""How long a token holds, unless its maker says otherwise."""
_TO_THE_HOUR = 13
"""Characters of a time up to its hour: when a token was last used is known no better."""


class TokenEnded(Exception):
    """The form that was sent made a token before, which was revoked or has ended."""


class Tokens:
    """Makes tokens, finds whose they are, and revokes them.

    `make_ids(owner, key)` makes what nobody guesses, the same for the same form; `now` is the clock.
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
        """Create a token that holds for some days; return its secret (only the digest is stored).

        The same form makes one token, and returns its secret while that holds.

        :param match: the one it is for, with what its maker may do there; without, it is for all.
        :param generation: that of the browser that asks; see `Identities`.
        :raises NotTheWriter: for all but the owner of the match.
        :raises ValueError: for a side that is not at the table, an opponent of none, and a side of others.
        :raises TooMany: when there are too many that hold.
        :raises TokenEnded: when the form was sent before, and its token was revoked or has ended.
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
        made = self._store.find_token(token.digest)
        if made is None:
            if len(self.list_valid(owner)) >= MAX_TOKENS:
                raise TooMany("tokens", MAX_TOKENS)
            self._store.add_token(token)
        elif not self._holds(made):
            raise TokenEnded
        return secret

    def find(self, secret: str) -> Token | None:
        """The token with this secret, if it holds; that it was used is noted, to the hour."""
        token = self._store.find_token(digest(secret))
        if token is None or not self._holds(token):
            return None
        now = self._timestamp()
        if (token.used_at or "")[:_TO_THE_HOUR] != now[:_TO_THE_HOUR]:
            self._store.change_token(replace(token, used_at=now))
        return token

    def list_valid(self, owner: str | None) -> list[Token]:
        """The tokens of an owner that hold, the newest first; each says when it ends."""
        found = self._store.list_tokens(owner) if owner is not None else []
        return [replace(token, ends_at=end_of(token)) for token in found if self._holds(token)]

    def revoke(self, owner: str | None, id: str) -> None:
        """End a token of this owner; nothing where there is none."""
        for token in self.list_valid(owner):
            if token.id == id:
                self._store.change_token(replace(token, revoked_at=self._timestamp()))

    def _holds(self, token: Token) -> bool:
        return token.revoked_at is None and self._timestamp() < end_of(token)

    def _timestamp(self, later: timedelta = timedelta()) -> str:
        return (self._now() + later).isoformat(timespec="milliseconds")


def end_of(token: Token) -> str:
    """When a token ends; one made before tokens had an end holds for a year."""
    if token.ends_at is not None:
        return token.ends_at
    return (datetime.fromisoformat(token.made_at) + timedelta(days=DAYS)).isoformat(timespec="milliseconds")


def digest(secret: str) -> str:
    """What is stored of a token."""
    return sha256(f"token:{secret}".encode("utf-8", "replace")).hexdigest()
