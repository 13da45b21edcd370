"""The contents of a memory store, and the rows in which it is saved: each has a key, and a JSON value."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar, cast

from companion.record.log import Event
from companion.store.grants import Grant
from companion.store.interface import SavedRuling, StoredMatch
from companion.store.search_text import add_names, searchable_text

RowKey = tuple[str | int, ...]
"""The key of a row.

("match", id), and its parts: ("event", id, number), ("summary", id), ("grant", id, browser); ("ruling", id).
"""
_OF_MATCH = (
    "owner",
    "head",
    "created_at",
    "rulebook",
    "changed_at",
    "searched",
    "access",
    "put_away_at",
    "deleted_at",
    "visibility_at",
    "unsent_visibility",
    "is_gone",
    "confirmed",
    "is_known",
    "filed",
    "is_demo",
)
"""The row of a match; its parts have rows of their own, so that a new entry writes only itself."""

D = TypeVar("D")


@dataclass(slots=True)
class HeldMatch:
    """One match: its head, its log, and what is known besides.

    `form_keys` are those of the `events`, in their order, `keys` has the event of each; `searched` is the
    text for searches in lists. A server that knows the match (`is_known`) has its first `confirmed` events.
    Events recorded on top of others than the server has are in `conflicts` until a person resolves them. A
    file that somebody kept has the first `filed` events. One of a demo came with the app (`is_demo`).

    The owner chose its visibility at `visibility_at`; `unsent_visibility` is a choice, also "erased", that
    the server does not have yet. A match that the server no longer has, or not for this phone, `is_gone`.
    """

    owner: str
    head: Mapping[str, Any]
    created_at: str
    rulebook: str
    changed_at: str
    searched: str = ""
    access: int = 0
    put_away_at: str | None = None
    deleted_at: str | None = None
    visibility_at: str = ""
    unsent_visibility: str = ""
    is_gone: bool = False
    confirmed: int = 0
    is_known: bool = False
    filed: int = 0
    is_demo: bool = False
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    form_keys: list[str] = field(default_factory=list)
    keys: dict[str, Event] = field(default_factory=dict)
    summary: tuple[int, Mapping[str, Any]] | None = None
    grants: dict[str, Grant] = field(default_factory=dict)

    @property
    def is_in_trash(self) -> bool:
        """True if its owner deleted it, and can bring it back."""
        return self.deleted_at is not None and not self.is_gone and self.unsent_visibility != "erased"

    def later_events(self, seq: int) -> list[Event]:
        """The events of the log after that number."""
        return self.events[max(seq, 0) :]

    def to_stored(self, id: str, events: Sequence[Event]) -> StoredMatch:
        """The match in the form of a store, with these of its events."""
        return StoredMatch(
            id, self.owner, self.head, tuple(events), self.created_at, self.rulebook, self.deleted_at
        )

    def current_summary(self) -> Mapping[str, Any] | None:
        """Its summary for lists, if that was made from the whole log."""
        return None if self.summary is None or self.summary[0] != len(self.events) else self.summary[1]

    def searchable_text(self) -> str:
        """The searchable text: head and corrections."""
        corrections = (event.payload for event in self.events if event.kind == "head")
        return searchable_text(self.head, self.created_at, corrections)


_NAMES: dict[type[Any], tuple[str, ...]] = {
    shape: tuple(member.name for member in fields(shape)) for shape in (Event, Grant, HeldMatch, SavedRuling)
}
"""The fields in their rows."""


class Tables:
    """The rows of a store, and a list of those changed since they were last saved.

    Every change of a row is reported by `note`. Rows that could not be read are in `unread`, and stay saved.
    """

    def __init__(self) -> None:
        self.matches: dict[str, HeldMatch] = {}
        self.rulings: dict[str, SavedRuling] = {}
        self.unsent_rulings: dict[str, None] = {}
        self.unread: list[tuple[RowKey, Any]] = []
        self._changed: dict[RowKey, None] = {}

    def note(self, *row_key: str | int) -> None:
        """Remember that the row with this key is new, changed or removed."""
        self._changed[row_key] = None

    def take_changes(self) -> list[tuple[RowKey, Any]]:
        """Return the rows changed since the last call, with their present values; None for removed ones.

        They must be saved at once, because the store goes on changing the objects in them.
        """
        changed, self._changed = self._changed, {}
        return [(row_key, self._show(row_key)) for row_key in changed]

    def restore(self, rows: Iterable[tuple[Sequence[str | int], Any]], is_lenient: bool = False) -> None:
        """Load these rows, in any order, and nothing else.

        If `is_lenient`, a match or ruling with a row that cannot be read is left out with all its rows.

        :raises ValueError: otherwise, if they are not those of a complete store.
        """
        for table in (self.matches, self.rulings, self.unsent_rulings, self.unread, self._changed):
            table.clear()
        placed: list[tuple[RowKey, Any]] = [(tuple(row_key), value) for row_key, value in rows]
        broken = set[RowKey]()
        for row_key, value in sorted(placed, key=lambda row: (row[0][0] != "match", row[0])):
            try:
                self.put(row_key, value)
            except (ValueError, LookupError, TypeError, AttributeError):
                if not is_lenient:
                    raise
                broken.add(_find_whole(row_key))
        for kind, id in broken:
            cast(dict[Any, Any], self.rulings if kind == "ruling" else self.matches).pop(id, None)
        self.unread = [row for row in placed if _find_whole(row[0]) in broken]

    # --- matches -----------------------------------------------------------------------------------

    def find_open(self, match_id: str) -> HeldMatch:
        """Find a match that is not in the trash. :raises KeyError: if it is missing."""
        row = self.matches[match_id]
        if row.deleted_at is not None:
            raise KeyError(match_id)
        return row

    def add_match(self, match: StoredMatch) -> HeldMatch:
        """Add a new match with its first events."""
        began = match.arrived or match.created_at
        row = HeldMatch(match.owner, _copy(dict(match.head)), match.created_at, match.rulebook, began)
        row.searched = row.searchable_text()
        self.matches[match.id] = row
        self.note("match", match.id)
        for event in match.events:
            self.add_event(match.id, event)
        return row

    def add_event(self, match_id: str, event: Event, form_key: str = "") -> Event:
        """Append an event to a log, with the next number; its key is the number unless a form has one."""
        row = self.matches[match_id]
        written = replace(event, seq=len(row.events) + 1, payload=_copy(event.payload))
        _append(row, written, form_key or f"{match_id}-{written.seq}")
        row.changed_at = event.written_at
        if event.kind == "head":
            row.searched = row.searchable_text()
        self.note("event", match_id, written.seq)
        self.note("match", match_id)
        return written

    def cut_log(self, match_id: str, length: int) -> None:
        """Cut a log after so many events: the removed ones are in nobody else's log."""
        row = self.matches[match_id]
        for event, key in zip(row.events[length:], row.form_keys[length:], strict=True):
            row.keys.pop(key)
            self.note("event", match_id, event.seq)
        del row.events[length:], row.form_keys[length:]
        row.filed = min(row.filed, length)
        row.changed_at = row.events[-1].written_at if row.events else row.created_at
        row.searched = row.searchable_text()
        if row.summary is not None and row.summary[0] > length:
            row.summary = None
            self.note("summary", match_id)
        self.note("match", match_id)

    def erase_match(self, match_id: str) -> None:
        """Erase a match with all that belongs to it."""
        for row_key in self._list_keys(match_id):
            self.note(*row_key)
        del self.matches[match_id]

    def rename_match(self, match_id: str, new_id: str) -> None:
        """Give a match another id, also in the heads of matches that follow it."""
        for row_key in self._list_keys(match_id):
            self.note(*row_key)
        row = self.matches[new_id] = self.matches.pop(match_id)
        numbered = {f"{match_id}-{event.seq}": f"{new_id}-{event.seq}" for event in row.events}
        row.form_keys = [numbered.get(key, key) for key in row.form_keys]
        row.keys = dict(zip(row.form_keys, row.events, strict=True))
        for row_key in self._list_keys(new_id):
            self.note(*row_key)
        for id, other in self.matches.items():
            if other.head.get("follows") == match_id:
                other.head = {**other.head, "follows": new_id}
                self.note("match", id)

    def count_change(self, match_id: str) -> None:
        """Count a change of pages about the match that its log does not show."""
        self.matches[match_id].access += 1
        self.note("match", match_id)

    def remember_summary(self, match_id: str, seq: int, summary: Mapping[str, Any]) -> None:
        """Store the summary of a match for lists; its names become searchable as well."""
        row = self.matches[match_id]
        row.summary = (seq, _copy(dict(summary)))
        row.searched = add_names(row.searched, summary.get("players", ()))
        self.note("summary", match_id)
        self.note("match", match_id)

    def add_ruling(self, ruling: SavedRuling) -> None:
        """Add a new ruling, which no server has."""
        if ruling.id not in self.rulings:
            self.rulings[ruling.id] = replace(ruling, content=_copy(dict(ruling.content)))
            self.unsent_rulings[ruling.id] = None
            self.note("ruling", ruling.id)

    def confirm_rulings(self, ids: Iterable[str]) -> None:
        """Note that the server has these rulings."""
        for id in ids:
            if id in self.unsent_rulings:
                del self.unsent_rulings[id]
                self.note("ruling", id)

    # --- rows --------------------------------------------------------------------------------------

    def list_rows(self, id: str) -> list[tuple[RowKey, Any]]:
        """List the rows of one match."""
        return [(row_key, self._show(row_key)) for row_key in self._list_keys(id)]

    def _list_keys(self, id: str) -> list[RowKey]:
        """List the keys of the rows of one match."""
        row = self.matches[id]
        row_keys: list[RowKey] = [("match", id)]
        row_keys += [("event", id, event.seq) for event in row.events]
        row_keys += [("summary", id)] if row.summary is not None else []
        return row_keys + [("grant", id, browser) for browser in row.grants]

    def _show(self, row_key: RowKey) -> Any:
        """The value of the row with a key, as JSON; None for a missing row."""
        match row_key:
            case "ruling", str(id):
                if id in self.rulings:
                    return {**_show(self.rulings[id]), "is_unsent": id in self.unsent_rulings}
            case kind, str(id), *key if id in self.matches:
                return _show_of_match(self.matches[id], kind, key)
        return None

    def put(self, row_key: RowKey, value: Any) -> None:
        """Load one row; a match's own row comes before those of its parts, its events in their order.

        :raises ValueError: if the row's match is missing.
        """
        match row_key:
            case "ruling", str(id):
                self.rulings[id] = _read(SavedRuling, value)
                if value.get("is_unsent"):
                    self.unsent_rulings[id] = None
            case "match", str(id):
                row = replace(_read(HeldMatch, value), conflicts=value.get("aside", []))
                if "is_gone" not in value:  # an earlier version had only those in its trash, with a server
                    row.is_gone = row.is_known and row.deleted_at is not None
                self.matches[id] = row
            case kind, str(id), *key:
                if id not in self.matches:
                    raise ValueError(f"there is a row {kind} of match {id}, but no such match")
                _put_of_match(self.matches[id], kind, key, value)


def _find_whole(row_key: RowKey) -> RowKey:
    """The key of the match or ruling that a row is part of."""
    return ("ruling" if row_key[0] == "ruling" else "match", *row_key[1:2])


def _show_of_match(row: HeldMatch, kind: str | int, key: Sequence[str | int]) -> Any:
    match kind, *key:
        case ["match"]:
            return {name: getattr(row, name) for name in _OF_MATCH} | {"aside": row.conflicts}
        case "event", int(seq) if seq <= len(row.events):
            return {**_show(row.events[seq - 1]), "key": row.form_keys[seq - 1]}
        case ["summary"] if row.summary is not None:
            return {"seq": row.summary[0], "summary": row.summary[1]}
        case "grant", str(browser) if browser in row.grants:
            return _show(row.grants[browser])
    return None


def _put_of_match(row: HeldMatch, kind: str | int, key: Sequence[str | int], value: Any) -> None:
    match kind, *key:
        case "event", int(seq):
            if seq != len(row.events) + 1:
                raise ValueError(f"there is an event {seq} of a match, but none before it")
            _append(row, _read(Event, value), value["key"])
        case ["summary"]:
            row.summary = (value["seq"], value["summary"])
        case "grant", str(browser):
            row.grants[browser] = _read(Grant, value)


def _append(row: HeldMatch, event: Event, key: str) -> None:
    row.events.append(event)
    row.form_keys.append(key)
    row.keys[key] = event


def _show(held: object) -> dict[str, Any]:
    return {name: getattr(held, name) for name in _NAMES[type(held)]}


def _read(shape: type[D], value: Mapping[str, Any]) -> D:
    """Read an object from a row; other versions may have more fields, or lack optional ones."""
    names = _NAMES[shape]
    return shape(**{name: part for name, part in value.items() if name in names})


def _copy(value: Any) -> Any:
    """Copy JSON deeply, as it would be read after saving."""
    return json.loads(json.dumps(value))
