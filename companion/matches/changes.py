"""The changes of a match: each one checks itself against it, and becomes an event of its log."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion import library
from companion.record.head import check_visible
from companion.record.log import MAX_BESIDE, MAX_ENTRIES, MAX_EVENTS, MAX_RULINGS, Event
from companion.record.record import TriedEntry, read_stored, try_entry
from companion.record.remarks import REMARKS, ObjectionFacts
from companion.rules.game import GameEntry, GameState
from companion.rules.schema import SideOf, Table, parse

from .match import Match, NoSuchEntry, TooMany

MAX_REMARKS = 50
"""The most remarks of one side on one entry."""

Tried = TriedEntry[GameState, GameEntry]
"""An entry that was read and applied once already."""


class Change(Protocol):
    """One change of a match."""

    def check(self, match: Match) -> Tried | None:
        """Refuse an impossible change; return the entry as it was tried, if it is about one.

        :raises NoSuchEntry: if the match lacks the entry or ruling.
        :raises TooMany: if the side has reached the limit of remarks on the entry.
        :raises Unreadable: if an entry or a head cannot be read.
        :raises RuleViolation: if an entry breaks a rule.
        """

    def event(self, match: Match) -> Event | None:
        """The event to append, without number, author and time; None if there is nothing to do."""

    def is_made_stale_by(self, event: Event) -> bool:
        """True if an event written meanwhile changes the meaning of this change."""


class EntryWriting:
    """A change to the score: made stale by any other one written meanwhile, and never refused otherwise."""

    def check(self, match: Match) -> Tried | None:
        return None

    def is_made_stale_by(self, event: Event) -> bool:
        return event.kind not in REMARKS and event.kind != "ruling"


class SayingOfEntry:
    """A remark on one entry with its content: made stale by a correction of that entry."""

    entry: int

    def is_made_stale_by(self, event: Event) -> bool:
        return event.entry == self.entry and event.kind in ("amend", "withdraw", "restore")


@dataclass(frozen=True)
class AddEntry(EntryWriting):
    """A new entry, after all others or, if it was forgotten, `before` the one with this id.

    `tried` is its result if a page has shown that; contradictions with later entries stay as problems.
    """

    entry: Mapping[str, Any]
    tried: Tried | None = field(default=None, compare=False, repr=False)
    before: int | None = None

    def number(self, match: Match) -> int:
        """The number that the entry has among those that count."""
        return len(match.standing_entries) + 1 if self.before is None else _number(match, self.before)

    def check(self, match: Match) -> Tried:
        return _check_entry(match, self.number(match), self.entry, self.tried)

    def event(self, match: Match) -> Event | None:
        return Event(0, "add", self.before, dict(self.entry))


@dataclass(frozen=True)
class AmendEntry(EntryWriting):
    """New content for an entry that counts; contradictions with later entries stay as problems."""

    id: int
    entry: Mapping[str, Any]
    tried: Tried | None = field(default=None, compare=False, repr=False)

    def check(self, match: Match) -> Tried:
        return _check_entry(match, _number(match, self.id), self.entry, self.tried)

    def event(self, match: Match) -> Event | None:
        return Event(0, "amend", self.id, dict(self.entry))


@dataclass(frozen=True)
class WithdrawEntry(EntryWriting):
    """An entry that no longer counts; the history keeps it."""

    id: int

    def check(self, match: Match) -> None:
        _number(match, self.id)

    def event(self, match: Match) -> Event | None:
        return Event(0, "withdraw", self.id)


@dataclass(frozen=True)
class RestoreEntry(EntryWriting):
    """A withdrawn entry that counts again, at its old position."""

    id: int

    def check(self, match: Match) -> None:
        entry = match.entry(self.id)
        if entry is None or not entry.withdrawn:
            raise NoSuchEntry(self.id)

    def event(self, match: Match) -> Event | None:
        return Event(0, "restore", self.id)


@dataclass(frozen=True)
class Undo(EntryWriting):
    """The last change of an entry taken back, if there is one."""

    def event(self, match: Match) -> Event | None:
        return match.log.undo_event(match.game.family.later_facts)


@dataclass(frozen=True)
class PutBack(EntryWriting):
    """The last undone change brought back, if nothing was written since."""

    def event(self, match: Match) -> Event | None:
        return match.log.put_back_event()


@dataclass(frozen=True)
class KeepDraft(EntryWriting):
    """The deal or hand in progress, as far as it was entered; None discards it."""

    draft: Any

    def event(self, match: Match) -> Event | None:
        return Event(0, "draft", payload=self.draft)


@dataclass(frozen=True)
class AttachRuling(EntryWriting):
    """A ruling attached to an entry or to the match; the log holds enough of it to be read by itself.

    It settles the open `objection`, named by its number, to its entry.
    """

    ruling: Mapping[str, Any]
    entry: int | None
    objection: int | None = None

    def check(self, match: Match) -> None:
        if self.entry is not None and match.entry(self.entry) is None:
            raise NoSuchEntry(self.entry)
        if self.objection is None:
            return
        doubt = match.remarks.objection(self.objection)
        if doubt is None or doubt.settled is not None or doubt.entry != self.entry:
            raise NoSuchEntry(self.objection)

    def is_made_stale_by(self, event: Event) -> bool:
        if self.objection is None:
            return super().is_made_stale_by(event)
        if event.kind in ("ruling", "settle"):
            return bool(event.payload) and event.payload.get("objection") == self.objection
        return event.entry == self.entry and event.kind in ("amend", "withdraw", "restore")

    def event(self, match: Match) -> Event | None:
        settles = {} if self.objection is None else {"objection": self.objection}
        return Event(0, "ruling", self.entry, {**self.ruling, **settles})


@dataclass(frozen=True)
class DetachRuling:
    """A ruling detached from the match; `seq` is the number of the event that attached it."""

    seq: int

    def check(self, match: Match) -> None:
        if all(event.seq != self.seq for event in match.log.rulings):
            raise NoSuchEntry(self.seq)

    def is_made_stale_by(self, event: Event) -> bool:
        return event.kind == "ruling"

    def event(self, match: Match) -> Event | None:
        return Event(0, "ruling", undoes=self.seq)


@dataclass(frozen=True)
class CorrectHead(EntryWriting):
    """Other names, place or stake in the head of the match; None removes one."""

    values: Mapping[str, Any]

    def check(self, match: Match) -> None:
        head = {key: value for key, value in {**match.head, **self.values}.items() if value is not None}
        check_visible(self.values)
        read_stored(head, [], library.reopen_game)

    def event(self, match: Match) -> Event | None:
        return Event(0, "head", payload=dict(self.values))


@dataclass(frozen=True)
class Agree(SayingOfEntry):
    """A side's agreement to an entry's content; saying it twice changes nothing."""

    entry: int
    side: str

    def check(self, match: Match) -> None:
        _check_remark(match, self.entry, self.side)

    def event(self, match: Match) -> Event | None:
        if self.side in match.remarks.agreed(self.entry):
            return None
        return Event(0, "agree", self.entry, {"side": self.side})


@dataclass(frozen=True)
class Object(SayingOfEntry):
    """A side's objection to an entry: for what `reason`, in its words, and what would be right.

    `totals` is the right score of each side, if stated.
    """

    entry: int
    side: str
    reason: str
    text: str = ""
    totals: Mapping[str, int] | None = None

    def check(self, match: Match) -> None:
        _check_remark(match, self.entry, self.side)
        check_visible({"text": self.text})
        parse(ObjectionFacts, self._facts(), "", Table(match.state.ring, frozenset()))

    def event(self, match: Match) -> Event | None:
        return Event(0, "object", self.entry, self._facts())

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"side": self.side, "reason": self.reason}
        if self.text:
            facts["text"] = self.text
        if self.totals is not None:
            facts["totals"] = dict(self.totals)
        return facts


@dataclass(frozen=True)
class WithdrawObjection:
    """An objection taken back; `objection` is the number of the event that made it."""

    objection: int

    def check(self, match: Match) -> None:
        doubt = match.remarks.objection(self.objection)
        if doubt is None or doubt.settled is not None:
            raise NoSuchEntry(self.objection)

    def is_made_stale_by(self, event: Event) -> bool:
        return False  # it ends one objection, whatever else was said

    def event(self, match: Match) -> Event | None:
        doubt = match.remarks.objection(self.objection)
        entry = doubt.entry if doubt is not None else None
        return Event(0, "settle", entry, {"objection": self.objection})


_BESIDE = (KeepDraft, AttachRuling, DetachRuling, Agree, Object, WithdrawObjection)
"""Changes that are no part of the score."""


def check_room(match: Match, change: Change) -> None:
    """Refuse a change for which the match is full.

    :raises TooMany: "entries", "rulings", "changes", or "sidelines" for everything that is no entry.
    """
    if isinstance(change, AddEntry) and len(match.log.entries) >= MAX_ENTRIES:
        raise TooMany("entries", MAX_ENTRIES)
    if match.seq >= MAX_EVENTS:
        raise TooMany("changes", MAX_EVENTS)
    if match.seq >= MAX_BESIDE and isinstance(change, _BESIDE):
        raise TooMany("sidelines", MAX_BESIDE)
    if isinstance(change, AttachRuling):
        attached = {event.payload["id"] for event in match.events if event.kind == "ruling" and event.payload}
        if len(attached | {change.ruling.get("id")}) > MAX_RULINGS:
            raise TooMany("rulings", MAX_RULINGS)


def changes_nothing(match: Match, event: Event) -> bool:
    """True if the event leaves the content of an entry, or of the head, unchanged."""
    if event.kind == "head":
        return all(match.head.get(key) == value for key, value in event.payload.items())
    entry = match.entry(event.entry) if event.kind == "amend" and event.entry is not None else None
    return entry is not None and entry.payload == event.payload


def _check_entry(match: Match, n: int, entry: Mapping[str, Any], tried: Tried | None) -> Tried:
    """Check an entry at its position; it is read and applied again only if the match has changed since."""
    before = match.states[n - 1]
    if tried is None or tried.before is not before or tried.entry != entry:
        tried = try_entry(match.game.family, n, entry, before)
    tried.check()
    return tried


def _check_remark(match: Match, entry: int, side: str) -> None:
    """Refuse a remark on an entry that does not count, or by a side that is not at this table."""
    _number(match, entry)
    SideOf().read(side, "side", Table(match.state.ring, frozenset()))
    said = [event for event in match.remarks.said.get(entry, ()) if event.kind in ("agree", "object")]
    if sum(event.payload["side"] == side for event in said) >= MAX_REMARKS:
        raise TooMany("remarks", MAX_REMARKS)


def _number(match: Match, id: int) -> int:
    n = match.number(id)
    if n is None:
        raise NoSuchEntry(id)
    return n
