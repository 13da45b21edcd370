"""A store for tests: in memory, in the plainest way."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.record.log import Event
from companion.store import (
    Grant,
    Link,
    ListedMatch,
    ListPlace,
    Move,
    SavedRuling,
    StaleWrite,
    StoredMatch,
    is_open_to,
)


def _is_between(place: ListPlace, after: ListPlace | None, before: ListPlace | None) -> bool:
    own = (place.at, place.id)
    is_later = before is None or own > (before.at, before.id)
    return is_later and (after is None or own < (after.at, after.id))


class MemoryStore:
    """Matches and rulings as long as this object lives. `loads` counts the events that were read."""

    def __init__(self) -> None:
        self.matches: dict[str, StoredMatch] = {}
        self.keys: dict[tuple[str, str], Event] = {}
        self.summaries: dict[str, tuple[int, dict[str, Any]]] = {}
        self.rulings: dict[str, SavedRuling] = {}
        self.links: dict[str, Link] = {}
        self.uses: dict[str, list[str]] = {}
        self.grants: dict[tuple[str, str], Grant] = {}
        self.moves: dict[str, Move] = {}
        self.used: dict[str, str] = {}
        self.away: dict[str, str] = {}
        self.access: dict[str, int] = {}
        self.loads = 0

    def create_match(self, match: StoredMatch) -> None:
        if self.matches.setdefault(match.id, match).owner != match.owner:
            raise StaleWrite(match.id, ())

    def append_events(self, match_id: str, expected_seq: int, events: Sequence[Event]) -> None:
        match = self._find_writable(match_id)
        if len(match.events) != expected_seq:
            raise StaleWrite(match_id, match.events[expected_seq:])
        numbered = (replace(event, seq=n) for n, event in enumerate(events, expected_seq + 1))
        self.matches[match_id] = replace(match, events=(*match.events, *numbered))

    def _find_writable(self, match_id: str) -> StoredMatch:
        if self.matches[match_id].deleted_at is not None:
            raise KeyError(match_id)
        return self.matches[match_id]

    def append_event(self, match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
        match = self._find_writable(match_id)
        present = self.keys.get((match_id, form_key))
        if present is not None:
            if (present.kind, present.entry, present.payload) == (event.kind, event.entry, event.payload):
                return present
            raise StaleWrite(match_id, match.events[present.seq - 1 :])
        if len(match.events) != expected_seq:
            raise StaleWrite(match_id, match.events[expected_seq:])
        numbered = replace(event, seq=expected_seq + 1)
        self.matches[match_id] = replace(match, events=(*match.events, numbered))
        self.keys[match_id, form_key] = numbered
        return numbered

    def find_event(self, match_id: str, form_key: str) -> Event | None:
        return self.keys.get((match_id, form_key))

    def load_match(self, match_id: str, after: int = 0) -> StoredMatch | None:
        match = self.matches.get(match_id)
        if match is None:
            return None
        self.loads += len(match.events[after:])
        return replace(match, events=match.events[after:])

    def list_matches(
        self,
        owner: str | None,
        search: str = "",
        limit: int | None = None,
        after: ListPlace | None = None,
        before: ListPlace | None = None,
    ) -> list[ListedMatch]:
        listed = []
        for match in self.matches.values():
            seq, summary = self.summaries.get(match.id, (0, None))
            current = summary if seq == len(match.events) else None
            changed = match.events[-1].written_at if match.events else match.arrived or match.created_at
            grant = self.find_grant(match.id, owner or "")
            is_hidden = match.deleted_at or (match.owner == owner and match.id in self.away)
            if (
                not is_hidden
                and (match.owner == owner or grant)
                and search in " ".join(match.head["players"])
            ):
                side, has_pencil = (grant.side, grant.has_pencil) if grant else (None, False)
                listed.append(
                    ListedMatch(
                        match.id,
                        match.head,
                        match.created_at,
                        changed,
                        current,
                        match.owner,
                        side,
                        has_pencil,
                        ListPlace(changed, match.id),
                    )
                )
        listed.sort(key=lambda one: (one.place.at, one.place.id), reverse=True)
        listed = [one for one in listed if _is_between(one.place, after, before)]
        if limit is None:
            return listed
        return listed[-limit:] if before else listed[:limit]

    def count_matches(self, owner: str | None) -> int:
        return len(self.list_matches(owner))

    def find_successor(self, match_id: str, owner: str) -> str | None:
        mine = (one for one in self.matches.values() if one.owner == owner)
        followers = (one for one in mine if one.deleted_at is None)
        found = [one for one in followers if one.head.get("follows") == match_id]
        return min(found, key=lambda one: (one.created_at, one.id)).id if found else None

    def remember_summary(self, match_id: str, seq: int, summary: Mapping[str, Any]) -> None:
        self.summaries[match_id] = (seq, dict(summary))

    def recall_summary(self, match_id: str, seq: int) -> Mapping[str, Any] | None:
        made_from, summary = self.summaries.get(match_id, (0, None))
        return summary if made_from == seq else None

    def save_ruling(self, ruling: SavedRuling) -> None:
        self.rulings.setdefault(ruling.id, ruling)

    def find_ruling(self, id: str) -> SavedRuling | None:
        return self.rulings.get(id)

    def list_rulings(self, owner: str) -> list[SavedRuling]:
        mine = (one for one in self.rulings.values() if one.owner == owner)
        return sorted(mine, key=lambda one: (one.at, one.id))

    # --- out of sight ---

    def put_away(self, match_id: str, at: str | None) -> None:
        if match_id in self.list_ids():
            self.away.pop(match_id, None)
            self.away |= {match_id: at} if at else {}
            self.count_change(match_id)

    def delete_match(self, match_id: str, at: str) -> None:
        if match_id in self.list_ids():
            self.matches[match_id] = replace(self.matches[match_id], deleted_at=at)
            self.count_change(match_id)

    def bring_back(self, match_id: str) -> None:
        if match_id in self.matches and self.matches[match_id].deleted_at:
            self.matches[match_id] = replace(self.matches[match_id], deleted_at=None)
            self.away.pop(match_id, None)
            self.count_change(match_id)

    def list_put_away(self, owner: str) -> list[ListedMatch]:
        away = [one for one in self.matches.values() if one.id in self.away and one.deleted_at is None]
        listed = [self._list_hidden(one, self.away[one.id]) for one in away if one.owner == owner]
        return sorted(listed, key=lambda one: one.changed_at, reverse=True)

    def list_deleted(self, owner: str) -> list[ListedMatch]:
        deleted = [(one, one.deleted_at) for one in self.matches.values() if one.owner == owner]
        listed = [self._list_hidden(one, at) for one, at in deleted if at is not None]
        return sorted(listed, key=lambda one: one.hidden_at or "", reverse=True)

    def _list_hidden(self, match: StoredMatch, at: str) -> ListedMatch:
        seq, summary = self.summaries.get(match.id, (0, None))
        changed = match.events[-1].written_at if match.events else match.arrived or match.created_at
        current = summary if seq == len(match.events) else None
        return ListedMatch(
            match.id, match.head, match.created_at, changed, current, match.owner, hidden_at=at
        )

    def erase_deleted(self, before: str, owner: str | None = None) -> int:
        old = [one for one in self.matches.values() if one.deleted_at and one.deleted_at < before]
        old = [one for one in old if owner in (None, one.owner)]
        for match in old:
            self.erase_match(match.id)
        return len(old)

    def erase_match(self, match_id: str) -> None:
        if match_id in self.matches and self.matches[match_id].deleted_at:
            del self.matches[match_id]
            self.summaries.pop(match_id, None)
            self.away.pop(match_id, None)
            self.keys = {key: one for key, one in self.keys.items() if key[0] != match_id}
            self.grants = {key: one for key, one in self.grants.items() if key[0] != match_id}
            self.links = {id: one for id, one in self.links.items() if one.match_id != match_id}

    def list_ids(self, owner: str | None = None) -> Sequence[str]:
        found = [one for one in self.matches.values() if one.deleted_at is None]
        found = [one for one in found if owner in (None, one.owner)]
        return [one.id for one in sorted(found, key=lambda one: (one.created_at, one.id))]

    # --- who may do what ---

    def add_link(self, link: Link) -> None:
        if link.id not in self.links:
            self.links[link.id] = link
            self.count_change(link.match_id)

    def find_link(self, digest: str) -> Link | None:
        return next((link for link in self.links.values() if link.digest == digest), None)

    def list_links(self, match_id: str) -> list[Link]:
        found = [link for link in self.links.values() if link.match_id == match_id]
        return sorted(sorted(found, key=lambda link: link.id), key=lambda link: link.made_at, reverse=True)

    def list_users(self, match_id: str) -> dict[str, list[Grant]]:
        grants = self.list_grants(match_id)
        used = {id: [one for one in grants if one.id in users] for id, users in self.uses.items()}
        return {id: users for id, users in used.items() if users}

    def revoke_link(self, match_id: str, link_id: str, at: str) -> None:
        link = self.links.get(link_id)
        if link is None or (link.match_id, link.revoked_at) != (match_id, None):
            return
        self.links[link_id] = replace(link, revoked_at=at)
        for id in self.uses.get(link_id, ()):
            self._change(match_id, id, revoked_at=at)
        self.count_change(match_id)

    def join(self, link: Link, grant: Grant) -> Grant | None:
        link = self.links.get(link.id, replace(link, revoked_at="never made"))
        if not is_open_to(link, self.list_users(link.match_id).get(link.id, []), grant.browser):
            return None
        present = self.grants.get((grant.match_id, grant.browser))
        users = self.uses.setdefault(link.id, [])
        if present is not None and present.id in users:
            return present
        if present is not None:
            grant = replace(grant, id=present.id)
            if present.revoked_at is None:
                side, has_pencil = grant.side or present.side, grant.has_pencil or present.has_pencil
                grant = replace(grant, side=side, has_pencil=has_pencil)
        self.grants[grant.match_id, grant.browser] = grant
        users.append(grant.id)
        self.count_change(grant.match_id)
        return grant

    def add_grants(self, grants: Sequence[Grant]) -> None:
        new = [one for one in grants if (one.match_id, one.browser) not in self.grants]
        self.grants |= {(one.match_id, one.browser): one for one in new}
        for match_id in {one.match_id for one in new}:
            self.count_change(match_id)

    def find_grant(self, match_id: str, browser: str) -> Grant | None:
        grant = self.grants.get((match_id, browser))
        return grant if grant is not None and grant.revoked_at is None else None

    def list_grants(self, match_id: str) -> list[Grant]:
        found = [grant for grant in self.grants.values() if grant.match_id == match_id]
        return sorted(sorted(found, key=lambda grant: grant.id), key=lambda grant: grant.at, reverse=True)

    def give_pencil(self, match_id: str, grant_id: str, has_pencil: bool) -> Grant | None:
        return self._change(match_id, grant_id, has_pencil=has_pencil)

    def revoke_grant(self, match_id: str, grant_id: str, at: str, may_return: bool = False) -> None:
        if self._change(match_id, grant_id, revoked_at=at) and may_return:
            for id, users in self.uses.items():
                if grant_id in users and not self.links[id].once:
                    users.remove(grant_id)

    def _change(self, match_id: str, grant_id: str, **values: Any) -> Grant | None:
        for key, grant in self.grants.items():
            if (grant.match_id, grant.id, grant.revoked_at) == (match_id, grant_id, None):
                self.grants[key] = replace(grant, **values)
                self.count_change(match_id)
                return self.grants[key]
        return None

    def count_change(self, match_id: str) -> None:
        self.access[match_id] = self.access.get(match_id, 0) + 1

    def load_version(self, match_id: str) -> tuple[int, int] | None:
        match = self.matches.get(match_id)
        return (
            None if match is None or match.deleted_at else (len(match.events), self.access.get(match_id, 0))
        )

    def add_move(self, move: Move) -> None:
        words = self.find_words(move.owner)
        if move.kind == "words" and words is not None:
            del self.moves[words.digest]
        self.moves[move.digest] = move

    def find_move(self, digest: str, at: str) -> str | None:
        move = self.moves.get(digest)
        if move is None or digest in self.used or (move.ends_at is not None and move.ends_at < at):
            return None
        return move.owner

    def use_move(self, digest: str, at: str, again: Move | None = None) -> str | None:
        owner = self.find_move(digest, at)
        if owner is not None:
            self.used[digest] = at
            if again is not None:
                self.add_move(replace(again, owner=owner))
        return owner

    def find_words(self, owner: str) -> Move | None:
        words = (move for move in self.moves.values() if (move.owner, move.kind) == (owner, "words"))
        return next((move for move in words if move.digest not in self.used), None)

    def owns_anything(self, owner: str) -> bool:
        owners = {one.owner for one in self.matches.values()} | {one.owner for one in self.rulings.values()}
        return owner in owners or any(browser == owner for _match, browser in self.grants)
