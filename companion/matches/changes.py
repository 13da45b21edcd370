"""What can be done to a match: each change checks itself against it, and becomes an event of its log."""

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
"""What one side can say of one entry, yes and no."""

Tried = TriedEntry[GameState, GameEntry]
"""An entry that was read and applied once already."""


class Change(Protocol):
    """One change of a match."""

    def check(self, match: Match) -> Tried | None:
        """Refuse what cannot be; the entry as it was tried, where it is about one.

        :raises NoSuchEntry: when the match does not have what is to be changed.
        :raises TooMany: when a side has said as much of an entry as it may.
        :raises Unreadable: when an entry or a head cannot be read.
        :raises RuleViolation: when an entry breaks a rule.
        """

    def event(self, match: Match) -> Event | None:
        """The event to append, without number, author and time; None where there is nothing to do."""

    def is_made_stale_by(self, event: Event) -> bool:
        """Whether an event written meanwhile changes what it was meant to do."""


class EntryWriting:
    """A change to the score: made stale by any other one written meanwhile, and refused by nothing else."""

    def check(self, match: Match) -> Tried | None:
        return None

    def is_made_stale_by(self, event: Event) -> bool:
        return event.kind not in REMARKS and event.kind != "ruling"


class SayingOfEntry:
    """A remark on one entry as it stood: made stale by a correction of that entry."""

    entry: int

    def is_made_stale_by(self, event: Event) -> bool:
        return event.entry == self.entry and event.kind in ("amend", "withdraw", "restore")


@dataclass(frozen=True)
class AddEntry(EntryWriting):
    """A new entry, after all others; `tried` is what it came to when a page showed that."""

    entry: Mapping[str, Any]
    tried: Tried | None = field(default=None, compare=False, repr=False)

    def check(self, match: Match) -> Tried:
        return _check_entry(match, len(match.standing_entries) + 1, self.entry, self.tried)

    def event(self, match: Match) -> Event | None:
        return Event(0, "add", payload=dict(self.entry))


@dataclass(frozen=True)
class AmendEntry(EntryWriting):
    """Another content for an entry that counts; what later entries now contradict stays as problems."""

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
    """A withdrawn entry that counts again, in its old place."""

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
    """What was undone last brought back, if nothing was written since."""

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
    """A ruling put at an entry, or at none: what the log holds of it, enough to be read by itself.

    It settles the open `objection` to the entry that it was asked for, named by its number.
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
    """A ruling taken off the match; `seq` is the number of the event that attached it."""

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
    """Other names, place or stake in the head of the match; None takes one out."""

    values: Mapping[str, Any]

    def check(self, match: Match) -> None:
        head = {key: value for key, value in {**match.head, **self.values}.items() if value is not None}
        check_visible(self.values)
        read_stored(head, [], library.reopen_game)

    def event(self, match: Match) -> Event | None:
        return Event(0, "head", payload=dict(self.values))


@dataclass(frozen=True)
class Agree(SayingOfEntry):
    """A side says that an entry is right as it stands; said already it need not be said again."""

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
    """A side says that an entry is wrong: for what `reason`, in its words, and what would be right.

    `totals` are what each side should have, where it says.
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
    """Refuse what the match has no room for.

    :raises TooMany: "entries", "rulings", "changes", or of what is no entry "sidelines".
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
    """Whether the event corrects an entry, or the head, to what it is."""
    if event.kind == "head":
        return all(match.head.get(key) == value for key, value in event.payload.items())
    entry = match.entry(event.entry) if event.kind == "amend" and event.entry is not None else None
    return entry is not None and entry.payload == event.payload


def _check_entry(match: Match, n: int, entry: Mapping[str, Any], tried: Tried | None) -> Tried:
    """Check an entry in its place, read and applied again only where the match has changed since."""
    before = match.states[n - 1]
    if tried is None or tried.before is not before or tried.entry != entry:
        tried = try_entry(match.game.family, n, entry, before)
    tried.check()
    return tried


def _check_remark(match: Match, entry: int, side: str) -> None:
    """Refuse what is said about an entry that does not count, or by nobody at this table."""
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
