"""A match as it stands: opened from its log, folded once, and asked by everything that shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from companion import library
from companion.record import log
from companion.record.log import Event, LoggedEntry
from companion.record.portable_remarks import make_portable
from companion.record.record import FORMAT, VERSION, Record, extend_record, fold_record, read_record
from companion.record.remarks import REMARKS, Remarks, read_remarks
from companion.rules.game import GameRow, GameState
from companion.rules.message import Names, join_names
from companion.rules.ruling import Problem
from companion.store import StoredMatch

from .errors import NoSuchEntry


@dataclass(frozen=True)
class Match:
    """One match: its record, the game it is played by, the state it has come to, and its whole log.

    `written_head` is the head as it was first written, `record.head` the one that holds now. `state` is what
    the entries come to, problems included; `logged_entries` are all entries ever written, withdrawn ones too.
    `rulebook` is the version of the rules it was begun by.
    """

    id: str
    owner: str
    created_at: str
    written_head: Mapping[str, Any]
    rulebook: str
    events: tuple[Event, ...]
    record: Record
    game: library.Game
    state: GameState
    logged_entries: tuple[LoggedEntry, ...]

    @property
    def seq(self) -> int:
        """The length of the log; forms carry it."""
        return len(self.events)

    @property
    def head(self) -> Mapping[str, Any]:
        """The record's head, corrections of it included."""
        return self.record.head

    @cached_property
    def draft(self) -> Any:
        """The deal in progress, or None."""
        return log.last_draft(self.events)

    @property
    def draft_at(self) -> str:
        """When the deal in progress was last kept; empty where it never was."""
        return next((event.at for event in reversed(self.events) if event.kind == "draft"), "")

    @cached_property
    def can_undo(self) -> bool:
        """Whether there is a change of an entry to take back."""
        return log.undo_event(self.events) is not None

    @cached_property
    def last_undo(self) -> Event | None:
        """The undo that can be put back: the last one, while nothing was written about an entry since."""
        back = log.put_back_event(self.events)
        return self.events[back.undoes - 1] if back is not None and back.undoes else None

    @cached_property
    def remarks(self) -> Remarks:
        """Who agrees to which entry, who objects, and how that ended."""
        return read_remarks(self.events, self.game.family.later_facts)

    def side_of_objection(self, seq: int) -> str | None:
        """The side that made the objection with this number; None where there is none."""
        return next((one.side for one in self.remarks.objections if one.seq == seq), None)

    @cached_property
    def names(self) -> dict[str, str]:
        """Every seat's player, by letter."""
        return dict(zip(self.state.ring.seats, self.head["players"], strict=True))

    def side_name(self, side: str) -> Names:
        """The name of a side: its player's, or its players' names together."""
        ring = self.state.ring
        return join_names([self.names[seat] for seat in ring.seats if ring.side(seat) == side])

    @property
    def playing(self) -> bool:
        """Whether more can be written."""
        return bool(self.state.status == "playing")

    @cached_property
    def standing_entries(self) -> tuple[LoggedEntry, ...]:
        """The entries that count, in table order: the nth is the state's entry number n."""
        return tuple(entry for entry in self.logged_entries if not entry.withdrawn)

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {entry.id: n for n, entry in enumerate(self.standing_entries, 1)}

    @cached_property
    def counted_numbers(self) -> dict[int, int]:
        """The numbers of the deals, or of the hands, that count, by the ids of their entries."""
        kind = self.game.family.counted_entry
        counted = (entry.id for entry in self.standing_entries if entry.payload.get("type") == kind)
        return {id: number for number, id in enumerate(counted, 1)}

    def entry(self, id: int) -> LoggedEntry | None:
        """An entry by its id (the number of the event that added it), withdrawn or not."""
        return next((entry for entry in self.logged_entries if entry.id == id), None)

    def number(self, id: int) -> int | None:
        """The place of an entry among those that count, from 1; None when it is withdrawn."""
        return self._numbers.get(id)

    def row(self, n: int) -> GameRow | None:
        """The state's row of the nth entry that counts, or None."""
        rows = self.state.rows
        if n <= len(rows) and rows[n - 1].n == n:
            return rows[n - 1]
        return next((row for row in rows if row.n == n), None)

    def problems(self, n: int) -> tuple[Problem, ...]:
        """What cannot be right about the nth entry that counts (0: about the head)."""
        return tuple(problem for problem in self.state.problems if problem.entry == n)

    def place(self, id: int | None = None) -> "EntryPlace":
        """The place of a new entry, or of the one with this id; a withdrawn one stands where it stood.

        :raises NoSuchEntry: when there is none.
        """
        if id is None:
            return EntryPlace(self, len(self.standing_entries) + 1, self.state)
        logged = self.entry(id)
        if logged is None:
            raise NoSuchEntry(id)
        n = 1 + sum(1 for entry in self.standing_entries if entry.id < id)
        earlier = replace(self.record, entries=self.record.entries[: n - 1])
        return EntryPlace(self, n, fold_record(earlier, self.game.family), id, logged.payload)

    def to_record(self) -> Record:
        """The record to hand out: with what the sides say of the entries that count."""
        return replace(self.record, remarks=make_portable(self.remarks, self._numbers))

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
    head = {
        key: value for key, value in log.current_head(stored.events, stored.head).items() if value is not None
    }
    logged = log.logged_entries(stored.events)
    entries = [entry.payload for entry in logged if not entry.withdrawn]
    record, game = read_record(make_document(head, entries), library.reopen_game, is_stored=True)
    return Match(
        id=stored.id,
        owner=stored.owner,
        created_at=stored.created_at,
        written_head=stored.head,
        rulebook=stored.rulebook,
        events=stored.events,
        record=record,
        game=game,
        state=fold_record(record, game.family),
        logged_entries=logged,
    )


def continue_match(match: Match, events: tuple[Event, ...]) -> Match:
    """The match after further events of its log, which follow those it has.

    Drafts, rulings and remarks change no entry, and new entries are applied to the state there is; after
    any other change everything is read and folded anew. :raises Unreadable: like `open_stored`.
    """
    all_events = (*match.events, *events)
    if not all(event.kind in ("add", "draft", "ruling", *REMARKS) for event in events):
        return open_stored(replace(match.to_stored(), events=all_events))
    record, state, logged = match.record, match.state, match.logged_entries
    for event in events:
        if event.kind == "add":
            record, state = extend_record(record, match.game.family, state, event.payload)
            logged = (*logged, LoggedEntry(event.seq, event.payload, (event,)))
    return replace(match, events=all_events, record=record, state=state, logged_entries=logged)


def make_document(head: Mapping[str, Any], entries: list[Mapping[str, Any]]) -> dict[str, Any]:
    """A match record as JSON, of a head and entries."""
    return {"format": FORMAT, "version": VERSION, **head, "entries": entries}
