"""The logs of a phone: each begins with what the server has, and goes on with what is unsent."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from companion.matches.match import open_stored
from companion.record.log import Event
from companion.record.portable_log import AUTHOR
from companion.store.memory import HeldMatch, Tables

from .conflicts import Conflict, ConflictEvent, add_conflict, meet_log, open_groups, read_conflicts, to_stored
from .rebase import ConflictReason, KeyedEvent, rebase


def list_keyed(row: HeldMatch, start: int = 0, end: int | None = None) -> list[KeyedEvent]:
    """The events of a match after the first `start`, with the keys of their forms."""
    pairs = zip(row.events[start:end], row.form_keys[start:end], strict=True)
    return [KeyedEvent(event, key) for event, key in pairs]


def count_common(mine: Iterable[KeyedEvent], theirs: Iterable[KeyedEvent]) -> int:
    """Count the events with which two logs begin in common."""
    count = 0
    for here, there in zip(mine, theirs, strict=False):
        if not here.is_same(there):
            break
        count += 1
    return count


def count_unsent(row: HeldMatch) -> int:
    """Count what the server is not known to have: events, and the visibility that the owner chose."""
    return 0 if row.is_gone else count_unsent_events(row) + bool(row.unsent_visibility)


def count_unsent_events(row: HeldMatch) -> int:
    """Count the events to be sent; a new match without any counts as one, those of an erased one as none."""
    return 0 if row.unsent_visibility == "erased" else max(len(row.events) - row.confirmed, not row.is_known)


def find_imported_end(row: HeldMatch) -> int:
    """The length of a log up to the end of the imported events with which the unsent ones begin.

    Authors of imported events are letters, or nobody.
    """
    unsent = row.events[row.confirmed :]
    own = (event.seq - 1 for event in unsent if event.author and not AUTHOR.fullmatch(event.author))
    return next(own, len(row.events))


class PhoneLogs:
    """The logs in the tables of a phone, merged with those of the server."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._shorter: dict[str, int] = {}

    def merge_server_log(self, id: str, start: int, sent: Sequence[Mapping[str, Any]], me: str) -> None:
        """Make a log equal to the server's: its first `start` events, then those that it `sent`.

        Unsent events follow behind them, or are in conflict. If the server has lost events (it was restored
        from a backup), those recorded as `me` are sent again; but a log that is only shorter may be from
        before the last delivery, so it has to come twice.
        """
        row = self._tables.matches[id]
        news = [read_event(n, event) for n, event in enumerate(sent, start + 1)]
        length = start + len(news)
        seen = start + count_common(list_keyed(row, start, row.confirmed), news)
        if seen == length < row.confirmed and self._shorter.get(id) != length:
            self._shorter[id] = length
            return
        self._shorter.pop(id, None)
        if seen == row.confirmed == length:
            return
        own = [
            keyed
            for keyed in list_keyed(row, seen)
            if keyed.event.seq > row.confirmed or keyed.event.author == me
        ]
        self._rebase(id, seen, news[seen - start :], own)

    def refuse(self, id: str, key: str, why: ConflictReason, reason_text: str = "") -> None:
        """Make a conflict of an unsent event that the server refused, and of what rests on it."""
        row = self._tables.matches[id]
        self._rebase(id, row.confirmed, [], list_keyed(row, row.confirmed), {key: why}, reason_text)

    def drop(self, id: str, at: str) -> None:
        """Drop a match that the server no longer has, or not for this phone.

        Events that the server never had are a conflict; until a person has resolved that, the match is only
        marked as deleted.
        """
        row = self._tables.matches[id]
        self.conflict_unsent(id)
        if row.unsent_visibility != "erased" and any(open_groups(read_conflicts(row.conflicts))):
            row.deleted_at, row.is_gone, row.unsent_visibility = row.deleted_at or at, True, ""
            self._tables.note("match", id)
        else:
            self._tables.erase_match(id)

    def conflict_unsent(self, id: str) -> None:
        """Set unsent events of a match aside as a conflict, after the server deleted the match."""
        row = self._tables.matches[id]
        unsent = list_keyed(row, row.confirmed)
        if unsent:
            events = [ConflictEvent(keyed.event, keyed.key, "gone") for keyed in unsent]
            numbers = {keyed.key: keyed.event.seq for keyed in unsent}
            new = Conflict(row.confirmed, row.confirmed, numbers, events)
            row.conflicts = to_stored(add_conflict(read_conflicts(row.conflicts), new))
            self._tables.cut_log(id, row.confirmed)

    def rename(self, id: str, new_id: str, at: str) -> None:
        """Give a match the id under which the server imported it, as its own is somebody else's there."""
        if new_id in self._tables.matches:  # news came first
            self.drop(id, at)
        else:
            self._tables.rename_match(id, new_id)

    def _rebase(
        self,
        id: str,
        seen: int,
        news: Sequence[KeyedEvent],
        own: Sequence[KeyedEvent],
        refused: Mapping[str, ConflictReason] | None = None,
        reason_text: str = "",
    ) -> None:
        """Continue a log after its first `seen` events with the news, then with the phone's own events.

        `reason_text` is the server's answer to the events it `refused`.
        """
        row, refused = self._tables.matches[id], refused or {}
        log = [*list_keyed(row, 0, seen), *news]
        own = _rename_keys(own, log)
        keys, numbers = [keyed.key for keyed in log], {keyed.key: keyed.event.seq for keyed in own}
        new, unsent = Conflict(seen, len(log), numbers), list[KeyedEvent]()
        if not {*numbers} <= {*keys}:
            match = open_stored(row.to_stored(id, [keyed.event for keyed in log]))
            result = rebase(match, keys, seen, own, refused)
            unsent = result.events
            new.events = [
                ConflictEvent(keyed.event, keyed.key, why, reason_text if keyed.key in refused else "")
                for keyed, why in result.conflicts
            ]
        self._tables.cut_log(id, seen)
        self._append(id, news)
        row.confirmed = len(row.events)
        self._append(id, unsent)
        row.conflicts = meet_log(row.conflicts, keys, numbers, new)
        self._tables.note("match", id)

    def _append(self, id: str, events: Sequence[KeyedEvent]) -> None:
        for keyed in events:
            self._tables.add_event(id, keyed.event, keyed.key)


_TYPED = ("add", "amend", "head", "object", "draft")
"""Kinds of events that contain something a person typed."""


def _rename_keys(own: Sequence[KeyedEvent], log: Sequence[KeyedEvent]) -> list[KeyedEvent]:
    """Give own events new keys if the server has other events under theirs: nothing that was typed is lost.

    This happens if a form was sent, its answer was lost, and it was changed and written here.
    """
    there = {keyed.key: (keyed.event.kind, keyed.event.payload) for keyed in log}

    def is_other(keyed: KeyedEvent) -> bool:
        content = keyed.event.kind, keyed.event.payload
        return keyed.event.kind in _TYPED and there.get(keyed.key, content) != content

    return [replace(keyed, key=_make_key(keyed)) if is_other(keyed) else keyed for keyed in own]


def _make_key(keyed: KeyedEvent) -> str:
    """Make a key of the content that a form wrote, the same each time."""
    content = json.dumps([keyed.key, keyed.event.payload], sort_keys=True)
    return blake2b(content.encode(), digest_size=16).hexdigest()


def read_event(seq: int, sent: Mapping[str, Any]) -> KeyedEvent:
    """Read an event that the server sends, with its number."""
    facts = {key: sent[key] for key in ("kind", "entry", "payload", "author", "at", "undoes")}
    return KeyedEvent(Event(seq, **facts, arrived=sent["arrived"] or ""), sent["key"])
