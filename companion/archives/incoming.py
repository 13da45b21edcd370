"""An uploaded record, read as the match it would become: head, log, rulings."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from hashlib import blake2b
from typing import Any

from companion import library
from companion.people import is_note
from companion.record.log import Event
from companion.record.portable_remarks import Remark
from companion.record.record import (
    PortableRuling,
    Record,
    fold_record,
    parse_ruling,
    parse_rulings,
    read_log,
    read_record,
    with_first_dealer,
)
from companion.rules.errors import Unreadable
from companion.rules.game import GameState
from companion.rules.message import Message

_OURS = re.compile(r"[A-Za-z0-9_-]{22}")
"""An unguessable id like ours: to know it is enough to view the match."""
_UNSAID = ("id", "follows", "first_dealer")
"""The keys that may differ in the heads of one match: its id, others' ids, and what depends on these."""


@dataclass(frozen=True)
class Incoming:
    """A match in a file. `id` and `follows` are the file's, empty if missing.

    `log` is its future log: authors are letters, and a record without a history is written in one go.
    """

    id: str
    follows: str
    head: Mapping[str, Any]
    begun_at: str
    rulebook: str
    log: tuple[Event, ...]
    has_log: bool
    rulings: tuple[PortableRuling, ...]
    record: Record
    game: library.Game

    @cached_property
    def state(self) -> GameState:
        """Its final state."""
        return fold_record(self.record, self.game.family)

    @property
    def name(self) -> str:
        """Its key among others: its id, or else a digest of its content."""
        return self.id or blake2b(_pack([self.head, fingerprint(self.log)]), digest_size=16).hexdigest()

    @property
    def deals(self) -> int:
        """The number of deals or hands that count."""
        kind = self.game.family.counted_entry
        return sum(entry["type"] == kind for entry in self.record.entries)


def read_incoming(document: Any, now: str, find_next_dealer: Callable[[str], str | None]) -> Incoming:
    """Read the match in a document. `find_next_dealer` gives the dealer after the match that it follows.

    :raises Unreadable: if it is invalid, with the path.
    """
    record, game = read_record(document, library.reopen_game)
    log, rulings = read_log(document), parse_rulings(document.get("rulings", []))
    id, follows = str(record.head.get("id", "")), str(record.head.get("follows", ""))
    if log is not None:
        events = tuple(
            replace(event, at=_in_utc(event.at, now), arrived=event.arrived and _in_utc(event.arrived, now))
            for event in log.events
        )
        head, begun_at, rulebook = dict(log.head), _in_utc(log.begun_at, now), log.rulebook
    else:
        record = with_first_dealer(record, find_next_dealer(follows) if follows else None)
        head, begun_at, rulebook = dict(record.head), _in_utc(record.head.get("started", ""), now), ""
        events = _write_at_once(record, now)
    head |= game.pinned  # by the host's file of today, if the record has no copy
    head.pop("id", None)
    return Incoming(
        id,
        follows,
        head,
        begun_at,
        rulebook or game.book.version,
        events,
        log is not None,
        rulings,
        record,
        game,
    )


def is_ours(id: str) -> bool:
    """True if an id is unguessable."""
    return _OURS.fullmatch(id) is not None


def fingerprint(events: Iterable[Event]) -> tuple[bytes, ...]:
    """A short digest of each event's effect: logs with the same effects have equal fingerprints.

    Authors and times are left out, as an import changes them.
    """
    facts = ((event.kind, event.entry, event.undoes, event.payload) for event in events)
    return tuple(blake2b(_pack(fact), digest_size=12).digest() for fact in facts)


def _pack(value: Any) -> bytes:
    def simplify(item: Any) -> Any:
        return item.hex() if isinstance(item, bytes) else dict(item)

    return json.dumps(value, sort_keys=True, default=simplify).encode()


def strip_head(head: Mapping[str, Any]) -> dict[str, Any]:
    """Remove the keys that may differ in the head of the same match."""
    return {key: value for key, value in head.items() if key not in _UNSAID}


def _in_utc(at: str, now: str) -> str:
    """Convert a time to the form of logs; without a valid offset from UTC, now."""
    try:
        moment = datetime.fromisoformat(at)
        return moment.astimezone(UTC).isoformat(timespec="milliseconds") if moment.tzinfo else now
    except (ValueError, OverflowError):
        return now


def _write_at_once(record: Record, now: str) -> tuple[Event, ...]:
    """Make the log of a record without history: each entry added, then the remarks on them."""
    events = [Event(n, "add", payload=dict(entry), at=now) for n, entry in enumerate(record.entries, 1)]
    objections: list[tuple[Remark, int]] = []
    for remark in record.remarks:
        seq, at = len(events) + 1, _in_utc(remark.at, now)
        payload: dict[str, Any] = {"side": remark.by}
        match remark.kind:
            case "agree":
                events.append(Event(seq, "agree", remark.entry, payload, at=at))
                objections = [objection for objection in objections if not _is_of(objection[0], remark)]
            case "object":
                payload["reason"] = remark.reason
                payload |= {"text": remark.text} if remark.text else {}
                payload |= {"totals": dict(remark.totals)} if remark.totals is not None else {}
                events.append(Event(seq, "object", remark.entry, payload, at=at))
                objections.append((remark, seq))
            case _:
                meant = [objection for objection in objections if _is_of(objection[0], remark)]
                meant = [pair for pair in meant if remark.reason in (None, pair[0].reason)]
                objections.remove(meant[-1])
                # How it ended is unknown, as entries have only their last content.
                ended = {"objection": meant[-1][1]}
                events.append(Event(seq, "settle", remark.entry, ended, at=at))
    return tuple(events)


def _is_of(objection: Remark, remark: Remark) -> bool:
    return (objection.entry, objection.by) == (remark.entry, remark.by)


def _check_version(document: Mapping[str, Any]) -> None:
    if document.get("version") != 1:
        raise Unreadable("version", Message("{wanted}", wanted=1), document.get("version"))


def read_journal(document: Mapping[str, Any]) -> list[PortableRuling]:
    """Read the notes of a journal. :raises Unreadable: if one is invalid."""
    _check_version(document)
    notes = document.get("notes")
    if not isinstance(notes, list):
        raise Unreadable("notes", Message("a list of notes"), notes)
    read = [parse_ruling(note, f"notes[{n}]") for n, note in enumerate(notes)]
    for n, note in enumerate(read):
        if not is_note(note.content) or not isinstance(note.content.get("said"), dict):
            raise Unreadable(f"notes[{n}].content", Message("a note with what it says"), note.content)
    return read


def read_loose_ruling(document: Mapping[str, Any]) -> PortableRuling:
    """Read a saved ruling that is a document of its own. :raises Unreadable: if it is invalid."""
    _check_version(document)
    return parse_ruling(
        {key: value for key, value in document.items() if key not in ("format", "version")}, ""
    )
