"""Watches what requests do to matches: nobody writes without the right to, and nothing written is lost."""

import re
from dataclasses import dataclass, field

from flask import Flask

from companion.record.log import Event
from companion.store import Grant, Link, StoredMatch
from companion.store.sql import SqlStore
from companion.store.tables import db

_MATCH = re.compile(r"^/(?:\w\w/m|(?:api/v1|offline)/matches)/([^/]+)")
_JOIN = re.compile(r"^/\w\w/join/")


@dataclass(frozen=True)
class Snapshot:
    """A match as it lies in the store, with its links and grants."""

    match: StoredMatch
    links: dict[str, Link]
    grants: dict[str, Grant]

    def may_write(self, who: str | None, event: Event) -> bool:
        """Whether this browser may write this event: found out without asking the app."""
        if who == self.match.owner:
            return True
        grant = next((grant for grant in self.grants.values() if grant.browser == who), None)
        if grant is None or grant.revoked_at is not None:
            return False
        if grant.has_pencil:
            return True
        match event.kind:
            case "agree" | "object":
                side = event.payload["side"]
            case "settle" | "ruling" if (event.payload or {}).get("objection"):
                side = self.match.events[event.payload["objection"] - 1].payload["side"]
            case _:
                return False
        return grant.side is not None and side == grant.side


@dataclass
class Witness:
    """Looks at the matches `ids` before and after each request that could write."""

    app: Flask
    ids: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    written: dict[str, tuple[Event, ...]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def look(self, path: str) -> dict[str, Snapshot]:
        """The match that a request is about; all of them where that does not follow from its address."""
        found = _MATCH.match(path)
        ids = [found[1]] if found and found[1] in self.ids else self.ids
        taken = {id: self._take(id) for id in ids} if found or _JOIN.match(path) else {}
        return {id: value for id, value in taken.items() if value is not None}

    def compare(self, before: dict[str, Snapshot], who: str | None, request: str, joins: bool) -> None:
        """Complain of whatever this browser was not to do."""
        for id, old in before.items():
            new = self._take(id)
            if new is None:
                self._note_erased(id, old, who, request)
                continue
            self._compare_logs(old, new, who, request)
            self._compare_access(old, new, who, request, joins)
            self.written[id] = new.match.events

    def check_all(self) -> None:
        """Whatever was written in any match is there."""
        for id, events in self.written.items():
            taken = self._take(id)
            now = taken.match.events if taken is not None else ()
            if now[: len(events)] != events:
                self.complaints.append(f"lost in {id}: {set(map(repr, events)) - set(map(repr, now))}")

    def _note_erased(self, id: str, old: Snapshot, who: str | None, request: str) -> None:
        """Only its owner erases a match, and only one that was deleted before."""
        self.written.pop(id, None)
        if who != old.match.owner or old.match.deleted_at is None:
            self.complaints.append(f"{who} erased a match: {request}")

    def _take(self, id: str) -> Snapshot | None:
        store = SqlStore()
        with self.app.app_context():
            match = store.load_match(id)
            links = {link.id: link for link in store.list_links(id)}
            grants = {grant.id: grant for grant in store.list_grants(id)}
            db.session.remove()
        return None if match is None else Snapshot(match, links, grants)

    def _compare_logs(self, old: Snapshot, new: Snapshot, who: str | None, request: str) -> None:
        length = len(old.match.events)
        if new.match.events[:length] != old.match.events or old.match.head != new.match.head:
            self.complaints.append(f"the log was changed: {request}")
        for event in new.match.events[length:]:
            self.counts[event.kind] = self.counts.get(event.kind, 0) + 1
            if event.author != who or not old.may_write(who, event):
                self.complaints.append(f"{who} wrote {event}: {request}")

    def _compare_access(
        self, old: Snapshot, new: Snapshot, who: str | None, request: str, joins: bool
    ) -> None:
        if who == old.match.owner:
            return
        if new.links != old.links:
            self.complaints.append(f"{who} changed links: {request}")
        for id, grant in new.grants.items():
            before = old.grants.get(id)
            own = grant.browser == who
            if grant != before and not (own and (joins or _gives_away(before, grant))):
                self.complaints.append(f"{who} changed {before} into {grant}: {request}")
        if {*old.grants} - {*new.grants}:
            self.complaints.append(f"{who} took grants away: {request}")


def _gives_away(before: Grant | None, after: Grant) -> bool:
    """Whether somebody can do less than before: it left, or gave the pencil back."""
    if before is None or after.side != before.side:
        return False
    return before.has_pencil or not after.has_pencil
