"""The phones at a table: links that invite them, the rights of each, and the holder of the pencil."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from secrets import token_urlsafe

from companion.matches.match import Match, TooMany
from companion.store import Grant, Link, ServerStore, is_open_to

from .access import Access, Role

MAX_LINKS = 100
"""The most usable links of one match."""
MAX_PHONES = 200
"""The most phones that take part in one match."""


class NoSuchLink(LookupError):
    """No usable link has this secret. Whether it was unknown, used or revoked is not disclosed."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link with those who joined by it; `secret` is the one in its address, if known."""

    link: Link
    secret: str | None
    users: tuple[Grant, ...]

    @property
    def is_usable(self) -> bool:
        """True if somebody can still join by it."""
        return self.link.revoked_at is None and not (self.link.once and self.users)


class Invitations:
    """Invites phones to matches and grants their rights.

    `make_ids(owner, key)` makes an unguessable secret, the same for the same form, followed by those from
    former secrets; `timestamp` is the clock.
    """

    def __init__(
        self, store: ServerStore, make_ids: Callable[[str, str], list[str]], timestamp: Callable[[], str]
    ) -> None:
        self._store, self._make_ids, self._timestamp = store, make_ids, timestamp

    # --- links -----------------------------------------------------------------------------------

    def make_link(
        self, match: Match, access: Access, role: Role, side: str | None, once: bool, form_key: str
    ) -> Invitation:
        """Make a link for a pencil, a side's opponent, or a spectator; one form makes one link.

        :raises NotTheWriter: for all but the owner.
        :raises ValueError: for a role that no link gives, a side that is not at this table, an opponent
            without a side and a spectator with one.
        :raises TooMany: if there are too many usable ones.
        """
        access.let_owner(match)
        sides = {
            Role.OPPONENT: match.state.ring.sides,
            Role.PENCIL: (None, *match.state.ring.sides),
            Role.SPECTATOR: (None,),
        }
        if side not in sides.get(role, ()):
            raise ValueError(f"no link for {role} {side}")
        ids = self._make_ids(match.owner, f"link {match.id} {form_key}")
        present = self.list_links(match, access)
        again = next((invitation for invitation in present if invitation.link.id in ids), None)
        if again is not None:
            return again
        if sum(invitation.is_usable for invitation in present) >= MAX_LINKS:
            raise TooMany("links", MAX_LINKS)
        id, secret = ids[0], self._secrets(match, ids[0])[0]
        link = Link(id, match.id, _digest(secret), role, side, once, self._timestamp())
        self._store.add_link(link)
        return Invitation(link, secret, ())

    def list_links(self, match: Match, access: Access) -> list[Invitation]:
        """All links of a match with those who used them, the newest first.

        :raises NotTheWriter: for all but the owner.
        """
        access.let_owner(match)
        users = self._store.list_users(match.id)
        found = []
        for link in self._store.list_links(match.id):
            secrets = self._secrets(match, link.id)  # the server's key may have changed
            secret = next((candidate for candidate in secrets if _digest(candidate) == link.digest), None)
            found.append(Invitation(link, secret, tuple(users.get(link.id, ()))))
        return found

    def find_link(self, secret: str, who: str | None) -> Link:
        """The link with this secret, if this browser can join by it, or has joined.

        :raises NoSuchLink: if it is unknown, revoked, or used up by another phone, or this phone was removed
            after it had joined by it.
        """
        link = self._store.find_link(_digest(secret))
        if link is None:
            raise NoSuchLink
        users = self._store.list_users(link.match_id).get(link.id, [])
        if not is_open_to(link, users, who):
            raise NoSuchLink
        return link

    def has_joined(self, link: Link, who: str | None) -> bool:
        """True if this browser has already joined by the link."""
        users = self._store.list_users(link.match_id).get(link.id, [])
        return any(grant.browser == who for grant in users)

    def join(self, secret: str, who: str, phone: str) -> Grant:
        """Let a browser take part by a link; it keeps its earlier rights.

        :raises NoSuchLink: if it cannot be used.
        :raises TooMany: if too many phones take part already.
        """
        link = self.find_link(secret, who)
        others = [grant for grant in self._store.list_grants(link.match_id) if grant.revoked_at is None]
        if len(others) >= MAX_PHONES and all(other.browser != who for other in others):
            raise TooMany("phones", MAX_PHONES)
        grant = Grant(
            token_urlsafe(12),
            link.match_id,
            who,
            link.side,
            link.role == Role.PENCIL,
            phone,
            self._timestamp(),
        )
        joined = self._store.join(link, grant)
        if joined is None:
            raise NoSuchLink
        return joined

    def revoke_link(self, match: Match, access: Access, id: str) -> None:
        """End a link, and the grants made by it. :raises NotTheWriter: for all but the owner."""
        access.let_owner(match)
        self._store.revoke_link(match.id, id, self._timestamp())

    # --- phones ----------------------------------------------------------------------------------

    def list_joined(self, match: Match) -> list[Grant]:
        """The grants that are not revoked, the newest first."""
        return [grant for grant in self._store.list_grants(match.id) if grant.revoked_at is None]

    def has_left(self, match: Match, who: str) -> bool:
        """True if this browser's rights in a match were revoked."""
        return any(
            grant.browser == who and grant.revoked_at is not None
            for grant in self._store.list_grants(match.id)
        )

    def speakers(self, match: Match) -> dict[str, str | None]:
        """The side of each browser that ever joined, present or past."""
        return {grant.browser: grant.side for grant in self._store.list_grants(match.id)}

    def give_pencil(self, match: Match, access: Access, id: str, has_pencil: bool = True) -> Grant | None:
        """Hand the pencil to a phone that joined, or take it back; None if that phone has left meanwhile.

        :raises NotTheWriter: for all but the owner, and a phone that gives back its own.
        """
        gives_back = not has_pencil and access.grant is not None and access.grant.id == id
        if not gives_back:
            access.let_owner(match)
        return self._store.give_pencil(match.id, id, has_pencil)

    def revoke(self, match: Match, access: Access, id: str) -> None:
        """Revoke a grant: the owner removes a phone, or a phone leaves, and may then come back.

        :raises NotTheWriter: for all but the owner, and the phone itself.
        """
        leaves = access.grant is not None and access.grant.id == id
        if not leaves:
            access.let_owner(match)
        self._store.revoke_grant(match.id, id, self._timestamp(), may_return=leaves)

    def take_along(self, match: Match, successor: str) -> None:
        """Give the phones of a match the same rights in the game that follows it."""
        at = self._timestamp()
        self._store.add_grants(
            [
                replace(grant, id=token_urlsafe(12), match_id=successor, at=at)
                for grant in self.list_joined(match)
            ]
        )

    def version(self, match_id: str) -> str | None:
        """A version that changes whenever a page of the match may look different: "LOG.ACCESS"."""
        found = self._store.load_version(match_id)
        return None if found is None else f"{found[0]}.{found[1]}"

    def _secrets(self, match: Match, link_id: str) -> list[str]:
        return self._make_ids(match.owner, f"secret of link {link_id}")


def _digest(secret: str) -> str:
    return sha256(f"link:{secret}".encode("utf-8", "replace")).hexdigest()
