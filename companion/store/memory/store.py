"""The store of a phone: everything in memory, and each change listed as rows to be saved."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from operator import itemgetter
from typing import Any
from zlib import crc32

from companion.record.log import Event, are_appended, is_same_form
from companion.rules.schema import is_storable, is_storable_text
from companion.store.grants import Grant
from companion.store.interface import (
    ListedMatch,
    ListPlace,
    SavedRuling,
    StaleWrite,
    StoredMatch,
    Visibility,
)
from companion.store.search_text import read_search

from .tables import HeldMatch, Tables


class MemoryStore:
    """Matches, rulings and grants in memory: `tables` is everything stored. For one thread.

    If it `has_server`, the visibility that is chosen here is noted as unsent.
    """

    def __init__(self, has_server: bool = False) -> None:
        self.tables, self._has_server = Tables(), has_server

    def create_match(self, match: StoredMatch) -> None:
        present = self.tables.matches.get(match.id)
        if any(row_key[1] == match.id for row_key, _value in self.tables.unread):
            raise StaleWrite(match.id, ())  # its rows are still saved under this id
        if present is None:
            self.tables.add_match(match)
        elif present.owner != match.owner:
            raise StaleWrite(match.id, ())

    def append_event(self, match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
        row = self.tables.find_open(match_id)
        present = row.keys.get(form_key)
        if present is not None:
            if is_same_form(present, event):
                return present
            raise StaleWrite(match_id, row.later_events(min(expected_seq, present.seq - 1)))
        if len(row.events) != expected_seq:
            raise StaleWrite(match_id, row.later_events(expected_seq))
        return self.tables.add_event(match_id, event, form_key)

    def append_events(self, match_id: str, expected_seq: int, events: Sequence[Event]) -> None:
        row = self.tables.find_open(match_id)
        later = row.later_events(expected_seq)
        if are_appended(later, events):
            return
        if len(row.events) != expected_seq:
            raise StaleWrite(match_id, later)
        last = max([row.changed_at, *(event.written_at for event in events)])
        for event in events:
            self.tables.add_event(match_id, event)
        row.changed_at = last

    def find_event(self, match_id: str, form_key: str) -> Event | None:
        row = self.tables.matches.get(match_id)
        return None if row is None else row.keys.get(form_key)

    def load_match(self, match_id: str, after: int = 0) -> StoredMatch | None:
        row = self.tables.matches.get(match_id)
        return None if row is None else row.to_stored(match_id, row.later_events(after))

    def recall_summary(self, match_id: str, seq: int) -> Mapping[str, Any] | None:
        row = self.tables.matches.get(match_id)
        return None if row is None or row.summary is None or row.summary[0] != seq else row.summary[1]

    def remember_summary(self, match_id: str, seq: int, summary: Mapping[str, Any]) -> None:
        row = self.tables.matches.get(match_id)
        if row is not None and (row.summary is None or row.summary[0] <= seq):
            self.tables.remember_summary(match_id, seq, summary)

    def list_matches(
        self,
        owner: str | None,
        search: str = "",
        limit: int | None = None,
        after: ListPlace | None = None,
        before: ListPlace | None = None,
        zone: tzinfo | None = None,
    ) -> list[ListedMatch]:
        places = [part for place in (after, before) if place for part in (place.at, place.id)]
        if owner is None or not (is_storable(owner, *places) and is_storable_text(search)):
            return []
        sought = read_search(search, zone)
        found = [
            (row.changed_at, id, row)
            for id, row in self.tables.matches.items()
            if _is_listed(row, owner) and sought.finds(row.searched, row.created_at, row.changed_at)
        ]
        if after is not None:
            found = [row for row in found if row[:2] < (after.at, after.id)]
        if before is not None:
            found = [row for row in found if row[:2] > (before.at, before.id)]
        # The nearest to the position come first, until there are enough of them.
        found.sort(key=lambda row: row[:2], reverse=before is None)
        shown = [_show(id, row, owner) for _at, id, row in found[:limit]]
        return shown if before is None else shown[::-1]

    def count_matches(self, owner: str | None) -> int:
        return 0 if owner is None else sum(_is_listed(row, owner) for row in self.tables.matches.values())

    def find_successor(self, match_id: str, owner: str) -> str | None:
        followers = [
            (row.created_at, id)
            for id, row in self.tables.matches.items()
            if row.owner == owner and row.deleted_at is None and row.head.get("follows") == match_id
        ]
        return min(followers)[1] if followers else None

    # --- out of sight ------------------------------------------------------------------------------

    def set_visibility(
        self, match_id: str, visibility: Visibility, at: str, chosen_at: str | None = None
    ) -> bool:
        row = self.tables.matches.get(match_id)
        if row is None or (chosen_at is not None and row.visibility_at > chosen_at):
            return False
        row.put_away_at = at if visibility == "archived" else None
        row.deleted_at = (row.deleted_at or at) if visibility == "deleted" else None
        self._note_visibility(match_id, row, visibility, chosen_at or at)
        return True

    def _note_visibility(self, match_id: str, row: HeldMatch, visibility: str, at: str) -> None:
        """Note a choice; on this phone it is later than what is known of the server, whatever the clock."""
        if self._has_server:
            at, row.unsent_visibility = max(at, row.visibility_at), visibility
        row.visibility_at = at
        self.tables.count_change(match_id)

    def list_put_away(self, owner: str) -> list[ListedMatch]:
        own = [(id, row) for id, row in self._list_own(owner) if row.deleted_at is None]
        own.sort(key=lambda found: found[1].changed_at, reverse=True)
        return [_show_hidden(id, row, row.put_away_at) for id, row in own if row.put_away_at is not None]

    def list_deleted(self, owner: str) -> list[ListedMatch]:
        own = [(id, row) for id, row in self._list_own(owner) if row.is_in_trash]
        own.sort(key=lambda found: found[1].deleted_at or "", reverse=True)
        return [_show_hidden(id, row, row.deleted_at) for id, row in own]

    def _list_own(self, owner: str) -> list[tuple[str, HeldMatch]]:
        """An owner's matches in the order of their ids, hidden ones too."""
        own = [(id, row) for id, row in self.tables.matches.items() if row.owner == owner]
        return sorted(own, key=itemgetter(0))

    def list_ids(self, owner: str | None = None) -> Sequence[str]:
        left = [
            (row.created_at, id)
            for id, row in self.tables.matches.items()
            if row.deleted_at is None and not row.is_demo and owner in (None, row.owner)
        ]
        return [id for _at, id in sorted(left)]

    def erase_match(self, match_id: str) -> None:
        row = self.tables.matches.get(match_id)
        if row is None or not row.is_in_trash:
            return
        if self._has_server:  # which may erase it only if it was not brought back there
            # A server of an earlier version noted only when it was deleted.
            self._note_visibility(match_id, row, "erased", row.visibility_at or row.deleted_at or "")
        else:
            self.tables.erase_match(match_id)

    def erase_deleted(self, before: str, owner: str | None = None) -> int:
        old = [
            id
            for id, row in self.tables.matches.items()
            if row.is_in_trash
            and not row.unsent_visibility  # else the server has to hear of it first
            and not row.conflicts  # else a person has to decide first
            and (row.deleted_at or "") < before
            and owner in (None, row.owner)
        ]
        for id in old:
            self.tables.erase_match(id)
        return len(old)

    # --- rulings -----------------------------------------------------------------------------------

    def save_ruling(self, ruling: SavedRuling) -> None:
        self.tables.add_ruling(ruling)

    def find_ruling(self, id: str) -> SavedRuling | None:
        return self.tables.rulings.get(id)

    def list_rulings(self, owner: str) -> list[SavedRuling]:
        mine = (ruling for ruling in self.tables.rulings.values() if ruling.owner == owner)
        return sorted(mine, key=lambda ruling: (ruling.at, ruling.id))

    # --- grants ------------------------------------------------------------------------------------

    def add_grants(self, grants: Sequence[Grant]) -> None:
        """As in every store; :raises KeyError: if there is no such match."""
        new = [grant for grant in grants if grant.browser not in self.tables.matches[grant.match_id].grants]
        for grant in new:
            self.tables.matches[grant.match_id].grants[grant.browser] = grant
            self.tables.note("grant", grant.match_id, grant.browser)
        for match_id in {grant.match_id for grant in new}:
            self.tables.count_change(match_id)

    def find_grant(self, match_id: str, browser: str) -> Grant | None:
        row = self.tables.matches.get(match_id)
        grant = None if row is None else row.grants.get(browser)
        return grant if grant is not None and grant.revoked_at is None else None

    def list_grants(self, match_id: str) -> list[Grant]:
        row = self.tables.matches.get(match_id)
        grants = [] if row is None else sorted(row.grants.values(), key=lambda grant: grant.id)
        return sorted(grants, key=lambda grant: grant.at, reverse=True)

    def load_version(self, match_id: str) -> tuple[int, int] | None:
        row = self.tables.matches.get(match_id)
        if row is None or row.deleted_at is not None:
            return None
        if row.is_known and len(row.events) > row.confirmed:
            # Even with the server's length the version would differ: unsent events distinguish them.
            return len(row.events), -crc32(row.form_keys[-1].encode())
        return len(row.events), row.access

    def count_change(self, match_id: str) -> None:
        if match_id in self.tables.matches:
            self.tables.count_change(match_id)


def _is_listed(row: HeldMatch, browser: str) -> bool:
    if row.deleted_at is not None:
        return False
    if row.owner == browser:
        return row.put_away_at is None
    return browser in row.grants and row.grants[browser].revoked_at is None


def _show(id: str, row: HeldMatch, browser: str) -> ListedMatch:
    grant = None if row.owner == browser else row.grants[browser]
    return ListedMatch(
        id,
        row.head,
        row.created_at,
        row.changed_at,
        row.current_summary(),
        row.owner,
        None if grant is None else grant.side,
        grant is not None and grant.has_pencil,
        ListPlace(row.changed_at, id),
        is_demo=row.is_demo,
    )


def _show_hidden(id: str, row: HeldMatch, hidden_at: str | None) -> ListedMatch:
    shown = id, row.head, row.created_at, row.changed_at, row.current_summary(), row.owner
    return ListedMatch(*shown, hidden_at=hidden_at, is_demo=row.is_demo)
