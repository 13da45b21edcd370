"""A match: opened from its log, folded once, used by everything that shows it, and cached."""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from threading import Lock
from typing import Any

from companion import library
from companion.figures import is_packed, pack, show_match
from companion.record.log import CHANGES, Event, HistoryEvent, LoggedEntry, LogState, read_log
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
from companion.store import ListedMatch, StoredMatch


class NoSuchMatch(LookupError):
    """No match has this id."""


class DeletedMatch(NoSuchMatch):
    """The match with this id is in its owner's trash. Only those who took part may know."""

    def __init__(self, id: str, owner: str) -> None:
        super().__init__(id)
        self.id, self.owner = id, owner


class NoSuchEntry(LookupError):
    """The match has no such entry or ruling, or none that allows this change."""


class TooMany(Exception):
    """A limit is reached: `most`.

    Of "links", "phones", "remarks" of a side, "rulings", "entries", "changes" in a history, or "sidelines"
    in it, which change no entry.
    """

    def __init__(self, what: str, most: int) -> None:
        super().__init__(f"{most} {what} at most")
        self.what, self.most = what, most


class NotTheWriter(PermissionError):
    """The user may look at the match, but not write in it."""


@dataclass(frozen=True)
class Match:
    """One match: its record, its game, its states, and its whole log.

    `written_head` is the head as it was first written, `record.head` the one that holds now. `rulebook` is
    the version of the rules it was begun by. `log` is what its events have come to, `remarks` who agrees to
    which entry, who objects, and how that ended. `states` are the game before the first entry that counts,
    after it, after the second and so on. `described` caches, by number, what events did then, which never
    changes; `drawn` is what pages have drawn of it.
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
    drawn: dict[tuple[str, ...], str] = field(default_factory=dict, init=False, compare=False, repr=False)

    @cached_property
    def state(self) -> GameState:
        """The state after all entries, problems included."""
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
    def agreed(self) -> Mapping[str, Any]:
        """The conventions in its head, and those that its preset set only when it was begun."""
        former = self.game.book.list_former(self.game.preset, self.rulebook)
        return {**former, **self.head.get("conventions", {})}

    @property
    def game_now(self) -> str:
        """The state of its game, compared with the beginning: `same`, `changed` by its host, or `gone`."""
        if not self.game.rules or self.game.rules == library.rules(self.game.name):
            return "same"
        return "changed" if self.game.name in library.names() else "gone"

    @property
    def draft(self) -> Any:
        """The deal in progress, or None."""
        return self.log.draft

    @property
    def draft_at(self) -> str:
        """The time at which the deal in progress was last saved; empty if it never was."""
        return self.log.draft_at

    @property
    def can_undo(self) -> bool:
        """True if there is a change of an entry to take back."""
        return bool(self.log.holding)

    @property
    def last_undo(self) -> Event | None:
        """The undo that can be put back: the last one, unless an entry was written since."""
        return self.log.undone[-1][0] if self.log.undone else None

    @property
    def undone_event(self) -> Event | None:
        """The change that the last undo took back."""
        return self.log.undone[-1][1] if self.log.undone else None

    def side_of_objection(self, seq: int) -> str | None:
        """The side that made the objection with this number; None without such a one."""
        objection = self.remarks.objection(seq)
        return objection.side if objection is not None else None

    @cached_property
    def names(self) -> dict[str, str]:
        """The player at every seat, by letter."""
        return dict(zip(self.state.ring.seats, self.head["players"], strict=True))

    def side_name(self, side: str) -> Names:
        """The name of a side: its player's, or its players' names together."""
        ring = self.state.ring
        return join_names([self.names[seat] for seat in ring.seats if ring.side(seat) == side])

    @cached_property
    def playing(self) -> bool:
        """True if more can be written."""
        return bool(self.state.status == "playing")

    @cached_property
    def standing_entries(self) -> Sequence[LoggedEntry]:
        """The entries that count, in table order: the nth is the state's entry number n."""
        return self.log.standing

    @cached_property
    def _counted_ids(self) -> Sequence[int]:
        return self.log.ids.get(self.game.family.counted_entry, ())

    @property
    def counted(self) -> int:
        """The number of deals, or hands, that count."""
        return len(self._counted_ids)

    def counted_number(self, id: int | None) -> int | None:
        """The number of an entry among the deals, or hands, that count; None for any other entry."""
        if id is None:
            return None
        ids, rank = self._counted_ids, self.log.rank
        index = bisect_left(ids, rank(id), key=rank)
        return index + 1 if index < len(ids) and ids[index] == id else None

    def entry(self, id: int) -> LoggedEntry | None:
        """An entry by its id (the number of the event that added it), withdrawn or not."""
        return self.log.entry(id)

    def number(self, id: int) -> int | None:
        """The number of an entry among those that count, from 1; None if it is withdrawn."""
        index, standing = self.log.place(id), self.log.standing
        return index + 1 if index < len(standing) and standing[index].id == id else None

    def row(self, n: int) -> GameRow | None:
        """The state's row of the nth entry that counts, or None."""
        rows = self.state.rows
        return rows[n - 1] if 0 < n <= len(rows) else None

    def problems(self, n: int) -> tuple[Problem, ...]:
        """The problems of the nth entry that counts (0: of the head)."""
        return problems_of(self.state, n)

    def place(self, id: int | None = None) -> "EntryPlace":
        """The position of a new entry, or of the one with this id; a withdrawn one keeps its position.

        :raises NoSuchEntry: for an unknown id.
        """
        if id is None:
            return EntryPlace(self, len(self.standing_entries) + 1, self.state)
        logged = self.entry(id)
        if logged is None:
            raise NoSuchEntry(id)
        index = self.log.place(id)
        return EntryPlace(self, index + 1, self.states[index], id, logged.payload)

    def place_before(self, later: int) -> "EntryPlace":
        """The position of a new entry before the one with this id.

        :raises NoSuchEntry: if that one does not count.
        """
        if self.number(later) is None:
            raise NoSuchEntry(later)
        index = self.log.place(later)
        return EntryPlace(self, index + 1, self.states[index], later=later)

    def to_record(self) -> Record:
        """The record for export: with the sides' remarks on the entries that count."""
        return replace(self.record, remarks=make_portable(self.remarks, self.number))

    def to_stored(self) -> StoredMatch:
        """The match in the form for a store."""
        return StoredMatch(
            self.id, self.owner, self.written_head, self.events, self.created_at, self.rulebook
        )


@dataclass(frozen=True)
class EntryPlace:
    """The position of an entry in its match: a new one, or one that is amended.

    A new one stands at the end, or before the `later` one. `before` is the state before it, `n` its number
    from 1, `entry` its present content.
    """

    match: Match
    n: int
    before: GameState
    id: int | None = None
    entry: Mapping[str, Any] = field(default_factory=dict)
    later: int | None = None

    @property
    def is_new(self) -> bool:
        """True for the next entry, behind all others."""
        return self.id is None and self.later is None

    @property
    def following(self) -> int:
        """The index of the first entry behind it among those that count now."""
        return self.n - 1 if self.id is None else self.n


def open_stored(stored: StoredMatch) -> Match:
    """Open the match of a stored log.

    :raises Unreadable: if this version cannot read head or entries.
    """
    log = read_log(stored.events)
    head = {key: value for key, value in {**stored.head, **log.head}.items() if value is not None}
    entries = [entry.payload for entry in log.standing]
    record, game = read_stored(head, entries, library.reopen_game, stored.rulebook)
    return Match(
        id=stored.id,
        owner=stored.owner,
        created_at=stored.created_at,
        written_head=stored.head,
        rulebook=stored.rulebook,
        events=stored.events,
        log=log,
        remarks=read_remarks(stored.events, game.family.later_facts),
        record=record,
        game=game,
        states=list_states(record, game.family),
    )


def continue_match(
    match: Match, events: tuple[Event, ...], tried: TriedEntry[GameState, GameEntry] | None = None
) -> Match:
    """Continue a match by further events of its log, which follow those it has.

    Only entries from the first changed one on are folded, and an entry that was `tried` already is not parsed
    again; a correction of the head folds everything. :raises Unreadable: like `open_stored`.
    """
    all_events = (*match.events, *events)
    if any(event.kind == "head" for event in events):
        return open_stored(replace(match.to_stored(), events=all_events))
    family, log = match.game.family, match.log.follow(events)

    def find_changes(id: int) -> tuple[Event, ...]:
        entry = log.entry(id)
        return entry.events if entry is not None else ()

    record, states = match.record, match.states
    changed = {event.about or 0 for event in events if event.kind in CHANGES}
    if changed:
        index = min(map(log.place, changed))
        known = {entry.id: n for n, entry in enumerate(match.log.standing[index:], index + 1)}
        tail = [entry.payload if entry.id in changed else known[entry.id] for entry in log.standing[index:]]
        record, states = rewrite_record(record, family, states, index, tail, tried)
    remarks = match.remarks.follow(events, find_changes, family.later_facts)
    return replace(match, events=all_events, record=record, states=states, log=log, remarks=remarks)


def make_document(head: Mapping[str, Any]) -> dict[str, Any]:
    """Make a match record as JSON from a head, without entries."""
    return {"format": FORMAT, "version": VERSION, **head, "entries": []}


MAX_MATCHES = 200
"""The most matches in the cache, those opened last."""
MAX_EVENTS = 30_000
"""The most events of all cached matches together, some eighty megabytes."""


class MatchMemory:
    """The matches this process opened last.

    A log only grows, so a cached match can be old but never wrong: opening it reads the events added since.
    """

    def __init__(self) -> None:
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._events = 0
        self._lock = Lock()

    def recall(self, id: str) -> Match | None:
        """The cached match, if there is one."""
        with self._lock:
            match = self._matches.get(id)
            if match is not None:
                self._matches.move_to_end(id)
            return match

    def remember(self, match: Match) -> None:
        """Cache a match, unless a later state of it is cached."""
        with self._lock:
            earlier = self._matches.get(match.id)
            if earlier is not None:
                if earlier.seq > match.seq:
                    return
                self._events -= earlier.seq
            self._matches[match.id] = match
            self._matches.move_to_end(match.id)
            self._events += match.seq
            while len(self._matches) > 1 and (len(self._matches) > MAX_MATCHES or self._events > MAX_EVENTS):
                _id, forgotten = self._matches.popitem(last=False)
                self._events -= forgotten.seq

    def forget(self, id: str) -> None:
        """Drop the match with this id from the cache."""
        with self._lock:
            match = self._matches.pop(id, None)
            self._events -= match.seq if match else 0


_LISTED = {"id", "changed_at", "owner", "side", "has_pencil"}
"""The values that the store itself has for every match in a list."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in a list.

    `preset` is the label of the variety, empty if the game has only one. `winner` and `losers` are indexes of
    sides; the losers of a finished match owe its `forfeit`. Figures come from the facts in `counted`. `side`
    and `has_pencil` are the rights of the browser whose list it is, if it is not the `owner`.
    """

    id: str
    game: str
    title: str
    preset: str
    players: list[str]
    sides: list[str]
    totals: list[int]
    status: str
    winner: int | None
    deals: int
    changed_at: str
    losers: list[int] = field(default_factory=list)
    forfeit: str = ""
    counted: dict[str, Any] = field(default_factory=dict)
    owner: str = ""
    side: str | None = None
    has_pencil: bool = False

    @property
    def side_name(self) -> str:
        """The name of the side that the browser speaks for; empty without one."""
        return "" if self.side is None else self.sides["ABCDEF".index(self.side)]


_STORED = {member.name for member in fields(MatchSummary)} - _LISTED
"""The keys of its stored values."""


def summarize_match(match: Match) -> dict[str, Any]:
    """Summarize a match for lists, as JSON values to be stored."""
    state, sides = match.state, match.state.ring.sides
    winner = state.winner
    summary = MatchSummary(
        id="",
        game=match.game.name,
        title=match.game.book.title,
        preset=match.game.variety,
        players=list(match.head["players"]),
        sides=[match.side_name(side) for side in sides],
        totals=[state.totals[side] for side in sides],
        status=state.status,
        winner=sides.index(winner) if winner in sides else None,
        deals=match.counted,
        changed_at="",
        losers=[] if match.playing else [sides.index(side) for side in state.losers],
        forfeit=str(match.game.conventions.get("forfeit", "")),
        counted=pack(show_match(match.game, state, match.to_record())),
    )
    return {key: value for key, value in asdict(summary).items() if key not in _LISTED}


def is_complete(values: Mapping[str, Any]) -> bool:
    """True if stored values have exactly the keys of a summary."""
    return values.keys() == _STORED and is_packed(values["counted"])


def read_summary(listed: ListedMatch, values: Mapping[str, Any]) -> MatchSummary:
    """Read the summary of a match from stored values."""
    own = {key: getattr(listed, key) for key in _LISTED}
    return MatchSummary(**own, **values)
