"""Matches out of sight: archived by their owner, or deleted, and in the trash until they are erased."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Literal

from companion.rules.errors import Unreadable
from companion.store import ListedMatch, Store, StoredMatch, Visibility

from .match import DeletedMatch, Match, NoSuchMatch, open_stored, summarize_match
from .sharing.access import Access

VisibilityChoice = Visibility | Literal["erased"]
"""The choice of an owner: the visibility of a match, or its end."""
DAYS = 30
"""Days that a deleted match stays in the trash."""


class Trash:
    """Archives matches, deletes them, and brings them back; `now` is the clock, in UTC."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store, self._now = store, now

    def put_away(self, match: Match, access: Access) -> None:
        """Take a match out of its owner's list; it can still be opened, written in and counted.

        :raises NotTheWriter: for all but the owner.
        """
        access.let_owner(match)
        self._store.set_visibility(match.id, "archived", self._timestamp())

    def take_out(self, match: Match, access: Access) -> None:
        """Take a match back into its owner's list. :raises NotTheWriter: for all but the owner."""
        access.let_owner(match)
        self._store.set_visibility(match.id, "listed", self._timestamp())

    def delete(self, match: Match, access: Access) -> None:
        """Put a match into the trash, where nobody can open it.

        :raises NotTheWriter: for all but the owner.
        """
        access.let_owner(match)
        self._remember_summary(match)
        self._store.set_visibility(match.id, "deleted", self._timestamp())

    def bring_back(self, id: str, who: str | None) -> None:
        """Take a match out of the trash; any other stays unchanged.

        :raises NoSuchMatch: if this browser owns none with this id.
        """
        if self._load_own(id, who).deleted_at is not None:
            self._store.set_visibility(id, "listed", self._timestamp())

    def take_choice(self, id: str, who: str, choice: VisibilityChoice, at: str, seen: int) -> None:
        """Do what the owner chose at that time on a phone without network; a later choice stands.

        The owner had `seen` so many events: a match with more is not erased, but in the trash. There it stays
        for as long as any, whatever the phone's clock says.

        :raises NoSuchMatch: if this browser owns none with this id.
        """
        stored = self._load_own(id, who)
        if choice in ("deleted", "erased") and stored.deleted_at is None:
            with suppress(Unreadable):
                self._remember_summary(open_stored(stored))
        visibility: Visibility = "deleted" if choice == "erased" else choice
        is_done = self._store.set_visibility(id, visibility, self._timestamp(), at)
        if is_done and choice == "erased" and len(self._load_own(id, who).events) <= seen:
            self._store.erase_match(id)

    def _load_own(self, id: str, who: str | None) -> StoredMatch:
        stored = self._store.load_match(id)
        if stored is None or stored.owner != who:
            raise NoSuchMatch(id)
        return stored

    def _remember_summary(self, match: Match) -> None:
        """Store what the list of the trash shows of a match."""
        self._store.remember_summary(match.id, match.seq, summarize_match(match))

    def list_put_away(self, owner: str | None) -> list[ListedMatch]:
        """The matches that this owner put away, the one last written in first."""
        return [] if owner is None else self._store.list_put_away(owner)

    def list_deleted(self, owner: str | None) -> list[ListedMatch]:
        """The owner's matches in the trash, the one last deleted first; those there too long are erased."""
        if owner is None:
            return []
        self.erase_old(owner)
        return self._store.list_deleted(owner)

    def erase_old(self, owner: str | None = None) -> int:
        """Erase matches that were in the trash for too long, of one owner or of all; return their number."""
        return self._store.erase_deleted(self._timestamp(timedelta(days=-DAYS)), owner)

    def erase(self, id: str, who: str | None) -> None:
        """Erase a match in the trash at once. :raises NoSuchMatch: if it is not in this browser's trash."""
        if self._load_own(id, who).deleted_at is None:
            raise NoSuchMatch(id)
        self._store.erase_match(id)

    def erased_at(self, listed: ListedMatch) -> str:
        """The time at which a match in the trash will be erased unless brought back (ISO 8601, in UTC)."""
        deleted = datetime.fromisoformat(listed.hidden_at or self._timestamp())
        return (deleted + timedelta(days=DAYS)).isoformat(timespec="milliseconds")

    def took_part(self, error: DeletedMatch, who: str | None) -> bool:
        """True if a browser may know that there was such a match: for its owner, and those that joined it."""
        return who is not None and (who == error.owner or self._store.find_grant(error.id, who) is not None)

    def _timestamp(self, later: timedelta = timedelta()) -> str:
        return (self._now() + later).isoformat(timespec="milliseconds")
