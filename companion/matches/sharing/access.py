"""The rights in a match: decided only here, from the match and the grant of the browser.

| role | sees | may |
|---|---|---|
| owner | everything | all; makes and revokes links, hands over the pencil |
| pencil | everything | record, correct, undo, ask, attach rulings |
| opponent of a side | everything | agree or object for that side, ask, attach rulings to its objections |
| spectator | everything | ask; writes nothing in the match |

Everybody with the address of a match is at least a spectator.
"""

import hmac
from dataclasses import dataclass
from enum import StrEnum

from companion.matches.changes import Agree, AttachRuling, Change, Object, WithdrawObjection
from companion.matches.match import Match, NotTheWriter
from companion.record.remarks import Agreement, EntryRemarks
from companion.store import Grant, Link, Token


class Role(StrEnum):
    """The roles of a browser in a match, the most powerful first."""

    OWNER = "owner"
    PENCIL = "pencil"
    OPPONENT = "opponent"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Access:
    """The rights of one browser in one match; `side` is the only one it speaks for, if any."""

    role: Role
    side: str | None = None
    grant: Grant | None = None

    @property
    def takes_part(self) -> bool:
        """True if the match is in this browser's own list."""
        return self.role is Role.OWNER or self.grant is not None

    @property
    def may_record(self) -> bool:
        """True if it may write in the match."""
        return self.role in (Role.OWNER, Role.PENCIL)

    @property
    def may_share(self) -> bool:
        """True if it may make and revoke links, and hand over the pencil."""
        return self.role is Role.OWNER

    def let_owner(self, match: Match) -> None:
        """Refuse everybody but the owner. :raises NotTheWriter: for all others."""
        if not self.may_share:
            raise NotTheWriter(match.id)

    def may_remark(self, side: str) -> bool:
        """True for its own side; the scorekeeper may for any: that phone is handed across the table."""
        return self.may_record or side == self.side

    def has_all_of(self, link: Link) -> bool:
        """True if a link would give this browser no new rights."""
        if self.may_share:
            return True
        has_pencil = self.may_record or link.role != Role.PENCIL
        return self.grant is not None and has_pencil and link.side in (None, self.side)

    def may_make(self, change: Change, match: Match) -> bool:
        """True if it may make this change to the match."""
        match change:
            case Agree() | Object():
                return self.may_remark(change.side)
            case WithdrawObjection() | AttachRuling(objection=int()):
                side = match.side_of_objection(change.objection or 0)
                return self.may_record or (side is not None and self.may_remark(side))
            case _:
                return self.may_record


def decide_access(match: Match, who: str | None, grant: Grant | None, token: Token | None = None) -> Access:
    """The rights of a browser with this grant in a match; or of a program with its token."""
    access = _decide_browser(match, who, grant)
    return access if token is None else _limit_access(access, match, token)


def speaks_for_owner(token: Token | None, match_id: str | None = None) -> bool:
    """True if a program has its owner's exclusive rights: without a match, or with one in the bin."""
    return token is not None and token.role == Role.OWNER and token.match_id in (None, match_id)


def _limit_access(access: Access, match: Match, token: Token) -> Access:
    """The rights of a token's owner, as far as the token reaches."""
    if token.match_id not in (None, match.id):
        return Access(Role.SPECTATOR)
    match token.role:
        case Role.OWNER:
            return access
        case Role.PENCIL if access.may_record:
            return Access(Role.PENCIL)
        case Role.OPPONENT if token.side and access.may_remark(token.side):
            return Access(Role.OPPONENT, token.side)
    return Access(Role.SPECTATOR)


def _decide_browser(match: Match, who: str | None, grant: Grant | None) -> Access:
    if who is not None and hmac.compare_digest(who.encode(), match.owner.encode()):
        return Access(Role.OWNER)
    if grant is None:
        return Access(Role.SPECTATOR)
    return Access(role_of(grant), grant.side, grant)


def role_of(grant: Grant) -> Role:
    """The role that a grant gives."""
    if grant.has_pencil:
        return Role.PENCIL
    return Role.SPECTATOR if grant.side is None else Role.OPPONENT


def find_agreeable_entry(match: Match, side: str) -> int | None:
    """The newest entry without a remark by a side; one that changed since its agreement does not count."""
    newest_first = reversed(match.standing_entries)
    unspoken = (entry.id for entry in newest_first if not _has_spoken(match.remarks.of_entry(entry.id), side))
    return next(unspoken, None)


def _has_spoken(remarks: EntryRemarks, side: str) -> bool:
    """True if a side has an open objection to an entry, or has agreed to any version of it."""
    doubts = any(objection.side == side and objection.settled is None for objection in remarks.objections)
    return doubts or any(
        agreement.side == side and (agreement.holds or agreement.is_stale) for agreement in remarks.agreements
    )


def list_changed_agreements(match: Match, side: str) -> list[Agreement]:
    """A side's agreements to entries that changed since, until its next remark on each.

    A withdrawn entry is listed until something else is written.
    """
    doubted = {objection.entry for objection in match.remarks.open if objection.side == side}
    newest = match.log.entries[-1].id if match.log.entries else 0
    return [
        agreement
        for agreement in match.remarks.changed
        if agreement.side == side
        and agreement.entry not in doubted
        and (
            match.number(agreement.entry) is not None
            or (agreement.ended is not None and agreement.ended.seq > newest)
        )
    ]
