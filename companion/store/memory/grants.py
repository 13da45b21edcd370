"""Links, grants and moves to another phone, in memory."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from zlib import crc32

from companion.store.grants import Grant, Link, Move, add_to, is_open_to

from .tables import HeldMove, Tables


class MemoryGrants:
    """Who may do what."""

    _tables: Tables

    def add_link(self, link: Link) -> None:
        row = self._tables.matches.get(link.match_id)
        others = [link for other in self._tables.matches.values() for link in other.links.values()]
        if row is None or any(link.id == other.id or link.digest == other.digest for other in others):
            return
        row.links[link.id] = link
        self._tables.note("link", link.match_id, link.id)
        self._tables.count_change(link.match_id)

    def find_link(self, digest: str) -> Link | None:
        links = (link for row in self._tables.matches.values() for link in row.links.values())
        return next((link for link in links if link.digest == digest), None)

    def list_links(self, match_id: str) -> list[Link]:
        row = self._tables.matches.get(match_id)
        links = [] if row is None else sorted(row.links.values(), key=lambda link: link.id)
        return sorted(links, key=lambda link: link.made_at, reverse=True)

    def list_users(self, match_id: str) -> dict[str, list[Grant]]:
        users: dict[str, list[Grant]] = {}
        for grant in self.list_grants(match_id):
            for link_id, used in sorted(self._tables.matches[match_id].uses):
                if used == grant.id:
                    users.setdefault(link_id, []).append(grant)
        return users

    def revoke_link(self, match_id: str, link_id: str, at: str) -> None:
        row = self._tables.matches.get(match_id)
        if row is None:
            return
        link = row.links.get(link_id)
        ended = link is not None and link.revoked_at is None
        if link is not None and ended:
            row.links[link_id] = replace(link, revoked_at=at)
            self._tables.note("link", match_id, link_id)
        given = self._change(match_id, lambda grant: (link_id, grant.id) in row.uses, revoked_at=at)
        if ended or given:
            self._tables.count_change(match_id)

    def join(self, link: Link, grant: Grant) -> Grant | None:
        row = self._tables.matches.get(link.match_id)
        now = None if row is None else row.links.get(link.id)
        if row is None or now is None:
            return None
        users = [grant for grant in row.grants.values() if (link.id, grant.id) in row.uses]
        if not is_open_to(now, users, grant.browser):
            return None
        present = row.grants.get(grant.browser)
        if present is not None and present in users:  # what was revoked stays revoked
            return present
        joined = grant if present is None else add_to(present, grant)
        self._give(joined)
        row.uses.add((link.id, joined.id))
        self._tables.note("use", link.match_id, link.id, joined.id)
        self._tables.count_change(link.match_id)
        return joined

    def add_grants(self, grants: Sequence[Grant]) -> None:
        """As every store does; :raises KeyError: when there is no such match."""
        new = [grant for grant in grants if grant.browser not in self._tables.matches[grant.match_id].grants]
        for grant in new:
            self._give(grant)
        for match_id in {grant.match_id for grant in new}:
            self._tables.count_change(match_id)

    def _give(self, grant: Grant) -> None:
        self._tables.matches[grant.match_id].grants[grant.browser] = grant
        self._tables.note("grant", grant.match_id, grant.browser)

    def find_grant(self, match_id: str, browser: str) -> Grant | None:
        row = self._tables.matches.get(match_id)
        grant = None if row is None else row.grants.get(browser)
        return grant if grant is not None and grant.revoked_at is None else None

    def list_grants(self, match_id: str) -> list[Grant]:
        row = self._tables.matches.get(match_id)
        grants = [] if row is None else sorted(row.grants.values(), key=lambda grant: grant.id)
        return sorted(grants, key=lambda grant: grant.at, reverse=True)

    def give_pencil(self, match_id: str, grant_id: str, has_pencil: bool) -> Grant | None:
        given = self._change(match_id, lambda grant: grant.id == grant_id, has_pencil=has_pencil)
        if not given:
            return None
        self._tables.count_change(match_id)
        return given[0]

    def revoke_grant(self, match_id: str, grant_id: str, at: str, may_return: bool = False) -> None:
        if not self._change(match_id, lambda grant: grant.id == grant_id, revoked_at=at):
            return
        row = self._tables.matches[match_id]
        uses = {use for use in row.uses if use[1] == grant_id and not row.links[use[0]].once}
        if may_return:
            row.uses -= uses
            for use in uses:
                self._tables.note("use", match_id, *use)
        self._tables.count_change(match_id)

    def _change(self, match_id: str, which: Callable[[Grant], bool], **values: Any) -> list[Grant]:
        """Change those grants of a match that hold and are meant, and give them back as they are now."""
        row = self._tables.matches.get(match_id)
        holding = [] if row is None else [grant for grant in row.grants.values() if grant.revoked_at is None]
        changed = [replace(grant, **values) for grant in holding if which(grant)]
        for grant in changed:
            self._give(grant)
        return changed

    def load_version(self, match_id: str) -> tuple[int, int] | None:
        row = self._tables.matches.get(match_id)
        if row is None or row.deleted_at is not None:
            return None
        if row.is_known and len(row.events) > row.confirmed:
            # Even with the server's length it would not be the same: what is unsent distinguishes them.
            return len(row.events), -crc32(row.form_keys[-1].encode())
        return len(row.events), row.access

    def count_change(self, match_id: str) -> None:
        if match_id in self._tables.matches:
            self._tables.count_change(match_id)


class MemoryMoves:
    """Codes and words by which another phone becomes the same person."""

    _tables: Tables

    def add_move(self, move: Move) -> None:
        if move.digest in self._tables.moves:
            return
        earlier = self.find_words(move.owner) if move.kind == "words" else None
        if earlier is not None:
            del self._tables.moves[earlier.digest]
            self._tables.note("move", earlier.digest)
        self._keep(HeldMove(move))

    def find_move(self, digest: str, at: str) -> str | None:
        held = self._tables.moves.get(digest)
        if held is None or held.used_at is not None:
            return None
        return held.move.owner if held.move.ends_at is None or held.move.ends_at >= at else None

    def use_move(self, digest: str, at: str, again: Move | None = None) -> str | None:
        owner = self.find_move(digest, at)
        if owner is not None:
            self._keep(HeldMove(self._tables.moves[digest].move, at))
            if again is not None:
                self._keep(HeldMove(replace(again, owner=owner)))
        return owner

    def find_words(self, owner: str) -> Move | None:
        left = (held.move for held in self._tables.moves.values() if held.used_at is None)
        return next((move for move in left if (move.owner, move.kind) == (owner, "words")), None)

    def _keep(self, held: HeldMove) -> None:
        self._tables.moves[held.move.digest] = held
        self._tables.note("move", held.move.digest)
