"""A match as it stands: opened from its log, folded once, and asked by everything that shows it."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from companion import library
from companion.record.history_events import HistoryEvent
from companion.record.log import CHANGES, Event, LoggedEntry
from companion.record.log_state import LogState, read_log
from companion.record.portable_remarks import make_portable
from companion.record.record import (
    FORMAT,
    VERSION,
    Record,
    TriedEntry,
    list_states,
    problems_of,
    read_stored,
    rewrite_record,
)
from companion.record.remarks import Remarks, read_remarks
from companion.rules.game import GameEntry, GameRow, GameState
from companion.rules.message import Names, join_names
from companion.rules.ruling import Problem
from companion.rules.series import Series
from companion.store import StoredMatch

from .errors import NoSuchEntry


@dataclass(frozen=True)
class Match:
    """One match: its record, the game it is played by, the state it has come to, and its whole log.

    `written_head` is the head as it was first written, `record.head` the one that holds now. `rulebook` is
    the version of the rules it was begun by. `log` is what its events have come to, `remarks` who agrees to
    which entry, who objects, and how that ended. `states` are the game before the first entry that counts,
    after it, after the second and so on. `described` caches, by number, what events did then, which never
    changes.
    """

    id: str
    owner: str
    created_at: str
    written_head: Mapping[str, Any]
    rulebook: str
    events: tuple[Event, ...]
    record: Record
    game: library.Game
    states: Series[GameState]
    log: LogState
    remarks: Remarks
    described: dict[int, HistoryEvent] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def state(self) -> GameState:
        """What the entries come to, problems included."""
        return self.states[-1]

    @cached_property
    def seq(self) -> int:
        """The length of the log; forms carry it."""
        return len(self.events)

    @property
    def head(self) -> Mapping[str, Any]:
        """The record's head, corrections of it included."""
        return self.record.head

    @property
    def draft(self) -> Any:
        """The deal in progress, or None."""
        return self.log.draft

    @property
    def draft_at(self) -> str:
        """When the deal in progress was last saved; empty where it never was."""
        return self.log.draft_at

    @property
    def can_undo(self) -> bool:
        """Whether there is a change of an entry to take back."""
        return bool(self.log.holding)

    @property
    def last_undo(self) -> Event | None:
        """The undo that can be put back: the last one, while nothing was written about an entry since."""
        return self.log.undone[-1][0] if self.log.undone else None

    @property
    def undone_event(self) -> Event | None:
        """The change that the last undo took back."""
        return self.log.undone[-1][1] if self.log.undone else None

    def side_of_objection(self, seq: int) -> str | None:
        """The side that made the objection with this number; None where there is none."""
        objection = self.remarks.objection(seq)
        return objection.side if objection is not None else None

    @cached_property
    def names(self) -> dict[str, str]:
        """Every seat's player, by letter."""
        return dict(zip(self.state.ring.seats, self.head["players"], strict=True))

    def side_name(self, side: str) -> Names:
        """The name of a side: its player's, or its players' names together."""
        ring = self.state.ring
        return join_names([self.names[seat] for seat in ring.seats if ring.side(seat) == side])

    @cached_property
    def playing(self) -> bool:
        """Whether more can be written."""
        return bool(self.state.status == "playing")

    @cached_property
    def logged_entries(self) -> tuple[LoggedEntry, ...]:
        """All entries ever written, withdrawn ones too."""
        return self.log.entries

    @cached_property
    def standing_entries(self) -> tuple[LoggedEntry, ...]:
        """The entries that count, in table order: the nth is the state's entry number n."""
        return self.log.standing

    @cached_property
    def _counted_ids(self) -> tuple[int, ...]:
        return self.log.ids.get(self.game.family.counted_entry, ())

    @property
    def counted(self) -> int:
        """How many deals, or hands, count."""
        return len(self._counted_ids)

    def counted_number(self, id: int | None) -> int | None:
        """The number of an entry among the deals, or the hands, that count; None where it is none of them."""
        return None if id is None else _find_number(self._counted_ids, id)

    def entry(self, id: int) -> LoggedEntry | None:
        """An entry by its id (the number of the event that added it), withdrawn or not."""
        return self.log.entry(id)

    def number(self, id: int) -> int | None:
        """The place of an entry among those that count, from 1; None when it is withdrawn."""
        place, standing = self.log.place(id), self.log.standing
        return place + 1 if place < len(standing) and standing[place].id == id else None

    def row(self, n: int) -> GameRow | None:
        """The state's row of the nth entry that counts, or None."""
        rows = self.state.rows
        return rows[n - 1] if 0 < n <= len(rows) else None

    def problems(self, n: int) -> tuple[Problem, ...]:
        """What cannot be right about the nth entry that counts (0: about the head)."""
        return problems_of(self.state, n)

    def place(self, id: int | None = None) -> "EntryPlace":
        """The place of a new entry, or of the one with this id; a withdrawn one stands where it stood.

        :raises NoSuchEntry: when there is none.
        """
        if id is None:
            return EntryPlace(self, len(self.standing_entries) + 1, self.state)
        logged = self.entry(id)
        if logged is None:
            raise NoSuchEntry(id)
        place = self.log.place(id)
        return EntryPlace(self, place + 1, self.states[place], id, logged.payload)

    def to_record(self) -> Record:
        """The record to hand out: with what the sides say of the entries that count."""
        return replace(self.record, remarks=make_portable(self.remarks, self.number))

    def to_stored(self) -> StoredMatch:
        """The match as it is stored."""
        return StoredMatch(
            self.id, self.owner, self.written_head, self.events, self.created_at, self.rulebook
        )


@dataclass(frozen=True)
class EntryPlace:
    """Where an entry stands in its match: a new one at the end, or one that is amended.

    `before` is the state it is folded on, `n` its number from 1, `entry` what it says so far.
    """

    match: Match
    n: int
    before: GameState
    id: int | None = None
    entry: Mapping[str, Any] = field(default_factory=dict)


def open_stored(stored: StoredMatch) -> Match:
    """The match of a stored log.

    :raises Unreadable: when head or entries cannot be read by this version.
    """
    log = read_log(stored.events)
    head = {key: value for key, value in {**stored.head, **log.head}.items() if value is not None}
    entries = [entry.payload for entry in log.standing]
    record, game = read_stored(head, entries, library.reopen_game)
    return Match(
        id=stored.id,
        owner=stored.owner,
        created_at=stored.created_at,
        written_head=stored.head,
        rulebook=stored.rulebook,
        events=stored.events,
        record=record,
        game=game,
        states=list_states(record, game.family),
        log=log,
        remarks=read_remarks(stored.events, game.family.later_facts),
    )


def continue_match(
    match: Match, events: tuple[Event, ...], tried: TriedEntry[GameState, GameEntry] | None = None
) -> Match:
    """The match after further events of its log, which follow those it has.

    Entries before the first one that changed are not folded again, and an entry that was `tried` already is
    not read again; only after a correction of the head everything is. :raises Unreadable: like `open_stored`.
    """
    all_events = (*match.events, *events)
    if any(event.kind == "head" for event in events):
        return open_stored(replace(match.to_stored(), events=all_events))
    family, log = match.game.family, match.log.follow(events)

    def find_changes(id: int) -> tuple[Event, ...]:
        entry = log.entry(id)
        return entry.events if entry is not None else ()

    record, states = match.record, match.states
    changed = {
        event.seq if event.kind == "add" else event.entry or 0 for event in events if event.kind in CHANGES
    }
    if changed:
        place = match.log.place(min(changed))
        known = {entry.id: n for n, entry in enumerate(match.log.standing[place:], place + 1)}
        tail = [entry.payload if entry.id in changed else known[entry.id] for entry in log.standing[place:]]
        record, states = rewrite_record(record, family, states, place, tail, tried)
    remarks = match.remarks.follow(events, find_changes, family.later_facts)
    return replace(match, events=all_events, record=record, states=states, log=log, remarks=remarks)


def _find_number(ids: tuple[int, ...], id: int) -> int | None:
    """The place of an id among ids in order, from 1; None where it is none of them."""
    place = bisect_left(ids, id)
    return place + 1 if ids[place : place + 1] == (id,) else None


def make_document(head: Mapping[str, Any]) -> dict[str, Any]:
    """A match record as JSON, of a head without entries."""
    return {"format": FORMAT, "version": VERSION, **head, "entries": []}
