"""The history of a match: the effect of each event on its entry, in the match at that time."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.record.log import (
    CHANGES,
    Course,
    EntryChange,
    EntryRemark,
    Event,
    HeadChange,
    HistoryEvent,
    LoggedEntry,
    OtherEvent,
    read_log,
)
from companion.record.record import parsed_entries, start_record
from companion.record.remarks import REMARKS
from companion.rules.errors import Unreadable
from companion.rules.game import GameEntry, GameRow
from companion.rules.series import Series

from .match import Match, continue_match


def describe_history(
    match: Match, events: Sequence[Event] = (), only: Collection[int] | None = None
) -> Iterator[HistoryEvent]:
    """Describe every event of a match in turn.

    `events` are further ones, which the match may not have read yet. With `only`, only the events with these
    numbers are described, and nothing is folded for the others.
    """
    later = tuple(event for event in events if event.seq > match.seq)
    match = continue_match(match, later) if later else match
    past: _Past | None = None
    for seq in range(1, match.seq + 1) if only is None else sorted(only):
        if not 0 < seq <= match.seq:
            continue
        if seq not in match.described:
            past = past or _Past(match)
            match.described[seq] = past.describe(match.events[seq - 1])
        yield match.described[seq]


def _find_course(event: Event, log: Sequence[Event]) -> tuple[str, Course]:
    """The kind of change that an event is about, and whether it does, undoes or puts it back."""
    if not event.undoes:
        return event.kind, "done"
    taken_back = log[event.undoes - 1]
    if not taken_back.undoes:
        return taken_back.kind, "undone"
    return log[taken_back.undoes - 1].kind, "put back"


class _Past:
    """A match after any event of its log, folded only as far as needed.

    Only differences from now are stored: the `_contents` of entries that were corrected since, the ids of
    those that were `_withdrawn`, or were put in before others only later; of deals or hands, those that
    counted then and do not now (`_more`), and those that count now and did not then (`_fewer`). `_states`
    are the states before the first entry that counted, after it, after the second and so on, as far as they
    are known.
    """

    def __init__(self, match: Match) -> None:
        self._match, self._log = match, match.log
        self._family = match.game.family
        self._entries, self._seq = match.log.entries, match.seq
        self._contents: dict[int, Mapping[str, Any]] = {}
        self._typed: dict[int, GameEntry | None] = {}
        corrected = {event.about for event in match.log.corrections if event.about is not None}
        withdrawn = (id for id in corrected if (entry := match.entry(id)) and entry.withdrawn)
        self._withdrawn = sorted(withdrawn, key=self._log.rank)
        self._counted_now = match.log.ids.get(self._family.counted_entry, ())
        self._more: list[int] = []
        self._fewer: list[int] = []
        self._parsed = parsed_entries(match.record, self._family)
        self._states = match.states

    def describe(self, event: Event) -> HistoryEvent:
        """Describe an event's effect."""
        match event.kind:
            case "head":
                return HeadChange(event, self._head(event.seq - 1), self._head(event.seq))
            case kind if kind in CHANGES:
                return self._describe_change(event)
            case kind if kind in REMARKS:
                self._go_to(event.seq)
                id = event.entry or 0
                type = str(self._content(id, {}).get("type", ""))
                return EntryRemark(event, type, self._find_number(id))
            case _:
                return OtherEvent(event)

    def _describe_change(self, event: Event) -> EntryChange:
        id = event.about or 0
        self._go_to(event.seq - 1)
        before, number, row_before = self._content(id), self._find_number(id), self._find_row(id)
        self._go_to(event.seq)
        after = self._content(id, {})
        change, course = _find_course(event, self._match.events)
        return EntryChange(
            event,
            change,
            course,
            type=str(after.get("type", "")),
            number=number or self._find_number(id),
            before=before,
            after=after,
            row_before=row_before,
            row_after=self._find_row(id),
        )

    def _head(self, seq: int) -> Mapping[str, Any]:
        """The head at that time, with removed keys as None."""
        changes = (event for event in self._log.corrections if event.kind == "head" and event.seq <= seq)
        return {**self._match.written_head, **read_log(changes).head}

    # --- going from one moment to another ------------------------------------------------------------

    def _go_to(self, seq: int) -> None:
        """Go to the match after this event."""
        first, last = sorted((self._seq, seq))
        since = bisect_right(self._log.corrections, first, key=_seq)
        until = bisect_right(self._log.corrections, last, key=_seq)
        self._seq = seq
        between = self._log.corrections[since:until]
        for id in {event.about for event in between if event.about is not None}:
            self._correct(id)
        if any(event.kind == "head" for event in between):
            self._begin()

    def _correct(self, id: int) -> None:
        """Restore an entry's earlier content, and whether it counted."""
        now = self._match.entry(id)
        if now is None:
            return
        self._states = self._states[: self._index(id) + 1]
        added, *changes = now.events
        then = LoggedEntry(id, added.payload, (added,))  # so it begins, however much later
        for event in changes:
            then = then.after(event) if event.seq <= self._seq else then
        self._typed.pop(id, None)
        self._contents[id] = then.payload
        withdrawn = then.withdrawn or (id > self._seq and id in self._log.inserted)
        self._have(self._withdrawn, id, withdrawn)
        counted_now = self._has(self._counted_now, id)
        counted = not withdrawn and then.payload.get("type") == self._family.counted_entry
        self._have(self._more, id, counted and not counted_now)
        self._have(self._fewer, id, counted_now and not counted)

    def _begin(self) -> None:
        """Play by the head of that time; other names change nothing."""
        known = {key: value for key, value in self._head(self._seq).items() if value is not None}
        head = known | {"players": self._match.head["players"]}
        start = start_record(replace(self._match.record, head=head), self._family)
        if self._states[0] != start:
            self._states = Series([start])

    # --- the match at that time ----------------------------------------------------------------------

    def _content(self, id: int, absent: Any = None) -> Any:
        """The content of an entry then, withdrawn or not."""
        now = self._match.entry(id) if id <= self._seq else None
        return absent if now is None else self._contents.get(id, now.payload)

    def _counts(self, id: int) -> bool:
        return id <= self._seq and self._match.entry(id) is not None and not self._has(self._withdrawn, id)

    def _index(self, id: int) -> int:
        """The number of entries that counted then and precede this one."""
        return self._place(id) - self._find(self._withdrawn, id)

    def _place(self, id: int) -> int:
        """The number of all entries that precede this one, whether they count or not."""
        return bisect_left(self._entries, self._log.rank(id), key=lambda entry: self._log.rank(entry.id))

    def _find(self, ids: Sequence[int], id: int) -> int:
        """The index of an id in a list in table order, or where it would be."""
        return bisect_left(ids, self._log.rank(id), key=self._log.rank)

    def _has(self, ids: Sequence[int], id: int) -> bool:
        """True if an id is in a list in table order."""
        index = self._find(ids, id)
        return index < len(ids) and ids[index] == id

    def _have(self, ids: list[int], id: int, is_in: bool) -> None:
        """Insert an id into a list in table order, or remove it."""
        index, has = self._find(ids, id), self._has(ids, id)
        if is_in and not has:
            ids.insert(index, id)
        elif not is_in and has:
            del ids[index]

    def _find_number(self, id: int) -> int | None:
        if not self._counts(id) or self._content(id).get("type") != self._family.counted_entry:
            return None
        before = self._find(self._counted_now, id) + self._find(self._more, id)
        return before - self._find(self._fewer, id) + 1

    def _find_row(self, id: int) -> GameRow | None:
        """The result of an entry then; None if it did not count, or cannot be read."""
        if not self._counts(id):
            return None
        index = self._index(id)
        if len(self._states) < index + 2:
            self._fold(self._place(id))
        earlier, state = self._states[index], self._states[index + 1]
        return state.rows[-1] if len(state.rows) > len(earlier.rows) else None

    def _fold(self, last: int) -> None:
        """Fold the states up to the entry that was logged at this index, from 0."""
        missing = []
        for at in range(last, -1, -1):
            id = self._entries[at].id
            if self._index(id) + 1 < len(self._states):
                break
            if not self._has(self._withdrawn, id):
                missing.append(id)
        state, after = self._states[-1], []
        for id in reversed(missing):
            entry = self._read(id)
            state = state if entry is None else self._family.apply(state, entry)
            after.append(state)
        self._states = self._states.lengthen(*after)

    def _read(self, id: int) -> GameEntry | None:
        """Parse an entry by its family; None if it is invalid by today's rules."""
        n = self._match.number(id)
        if n is not None and id not in self._contents:
            return self._parsed[n - 1]
        if id not in self._typed:
            try:
                self._typed[id] = self._family.read(self._content(id), "")
            except Unreadable:  # it was corrected since
                self._typed[id] = None
        return self._typed[id]


def _seq(event: Event) -> int:
    return event.seq
