"""What can be done to a match: each change checks itself against it, and becomes an event of its log."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from companion import library
from companion.record import log
from companion.record.log import Event
from companion.record.record import add_entry, amend_entry, read_record
from companion.rules.text import check_visible

from .errors import NoSuchEntry
from .match import Match, make_document


class Change(Protocol):
    """One change of a match."""

    def check(self, match: Match) -> None:
        """Refuse what cannot be.

        :raises NoSuchEntry: when the match has not what is to be changed.
        :raises Unreadable: when an entry or a head is none.
        :raises RuleViolation: when an entry breaks a rule.
        """

    def event(self, match: Match) -> Event | None:
        """The event that says it, without number, author and time; None where nothing is left to be done."""


@dataclass(frozen=True)
class AddEntry:
    """A new entry, after all others."""

    entry: Mapping[str, Any]

    def check(self, match: Match) -> None:
        add_entry(match.record, match.game.family, self.entry, match.state)

    def event(self, match: Match) -> Event | None:
        return Event(0, "add", payload=dict(self.entry))


@dataclass(frozen=True)
class AmendEntry:
    """Another content for an entry that counts; what later entries now contradict stays as problems."""

    id: int
    entry: Mapping[str, Any]

    def check(self, match: Match) -> None:
        amend_entry(match.record, match.game.family, _number(match, self.id), self.entry)

    def event(self, match: Match) -> Event | None:
        return Event(0, "amend", self.id, dict(self.entry))


@dataclass(frozen=True)
class WithdrawEntry:
    """An entry that no longer counts; the history keeps it."""

    id: int

    def check(self, match: Match) -> None:
        _number(match, self.id)

    def event(self, match: Match) -> Event | None:
        return Event(0, "withdraw", self.id)


@dataclass(frozen=True)
class RestoreEntry:
    """A withdrawn entry that counts again, in its old place."""

    id: int

    def check(self, match: Match) -> None:
        entry = match.entry(self.id)
        if entry is None or not entry.withdrawn:
            raise NoSuchEntry(self.id)

    def event(self, match: Match) -> Event | None:
        return Event(0, "restore", self.id)


@dataclass(frozen=True)
class Undo:
    """The last change of an entry taken back, if there is one."""

    def check(self, match: Match) -> None:
        pass

    def event(self, match: Match) -> Event | None:
        return log.undo_event(match.events)


@dataclass(frozen=True)
class PutBack:
    """What was undone last brought back, if nothing was written since."""

    def check(self, match: Match) -> None:
        pass

    def event(self, match: Match) -> Event | None:
        return log.put_back_event(match.events)


@dataclass(frozen=True)
class KeepDraft:
    """The deal or hand in progress, as far as it was entered; None discards it."""

    draft: Any

    def check(self, match: Match) -> None:
        pass

    def event(self, match: Match) -> Event | None:
        return Event(0, "draft", payload=self.draft)


@dataclass(frozen=True)
class AttachRuling:
    """A ruling put at an entry, or at none: what the log holds of it, enough to be read by itself."""

    ruling: Mapping[str, Any]
    entry: int | None

    def check(self, match: Match) -> None:
        if self.entry is not None and match.entry(self.entry) is None:
            raise NoSuchEntry(self.entry)

    def event(self, match: Match) -> Event | None:
        return Event(0, "ruling", self.entry, dict(self.ruling))


@dataclass(frozen=True)
class DetachRuling:
    """A ruling taken off the match; `seq` is the number of the event that attached it."""

    seq: int

    def check(self, match: Match) -> None:
        if all(event.seq != self.seq for event in log.attached_rulings(match.events)):
            raise NoSuchEntry(self.seq)

    def event(self, match: Match) -> Event | None:
        return Event(0, "ruling", undoes=self.seq)


@dataclass(frozen=True)
class CorrectHead:
    """Other names, place or stake in the head of the match; None takes one out."""

    values: Mapping[str, Any]

    def check(self, match: Match) -> None:
        head = {key: value for key, value in {**match.head, **self.values}.items() if value is not None}
        check_visible(self.values)
        read_record(make_document(head, []), library.reopen_game, is_stored=True)

    def event(self, match: Match) -> Event | None:
        return Event(0, "head", payload=dict(self.values))


def _number(match: Match, id: int) -> int:
    n = match.number(id)
    if n is None:
        raise NoSuchEntry(id)
    return n
