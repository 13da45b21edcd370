"""The match record: one portable JSON document for one game, and the fold over its entries.

>>> from companion import library
>>> document = {
...     "format": "companion-match",
...     "version": 1,
...     "game": "derda",
...     "players": ["Ewa", "Jan"],
...     "first_dealer": "A",
... }
>>> deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
>>> record, game = read_record({**document, "entries": [deal]}, library.open_game)
>>> fold_record(record, game.family).totals
{'A': 82, 'B': 65}
>>> tried = try_entry(game.family, 2, deal, fold_record(record, game.family))
>>> tried.after.totals
{'A': 164, 'B': 130}
>>> try_entry(game.family, 3, {**deal, "dealer": "B"}, tried.after).check()
Traceback (most recent call last):
    ...
companion.rules.ruling.RuleViolation: entries[2].dealer: A deals here, not B. (derda.deal.next)
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

from companion.rules.errors import Missing, Unreadable
from companion.rules.game import AnyFamily, EntryT, Family, GameEntry, GameState, PlayedGame, StateT
from companion.rules.message import Message
from companion.rules.ruling import Problem, RuleViolation
from companion.rules.schema import Table, check_text, join_path, to_json
from companion.rules.seats import Seat
from companion.rules.series import Series

from .head import HEAD, check_plain, check_visible, read_head, refuse_unknown
from .log import MAX_ENTRIES, MAX_RULINGS
from .portable_log import PortableLog, compare, follow_log, parse_log
from .portable_remarks import Remark, parse_remarks

FORMAT, VERSION = "companion-match", 1
_KEYS = ("format", "version", *HEAD, "entries", "remarks", "log", "rulings")


@dataclass(frozen=True, slots=True)
class Record:
    """The head of a record (game, players, conventions …) and its entries, both as JSON values.

    `remarks` are the sides' remarks on the entries; they change no score. `parsed` are the same entries after
    parsing; it may be left out. `rulebook` is the version of the rules at the beginning of the match; None:
    today's.
    """

    head: Mapping[str, Any]
    entries: tuple[Mapping[str, Any], ...] = ()
    remarks: tuple[Remark, ...] = ()
    parsed: "ParsedEntries | None" = field(default=None, compare=False, repr=False)
    rulebook: str | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ParsedEntries:
    """Entries parsed by their family, so that a fold need not parse them again.

    They are `typed` for exactly one tuple of JSON `entries`.
    """

    entries: tuple[Mapping[str, Any], ...]
    typed: tuple[GameEntry, ...]


@dataclass(frozen=True, slots=True)
class TriedEntry(Generic[StateT, EntryT]):
    """An entry that was parsed and applied once, as the n-th of a record: its JSON and its result.

    `typed` is the entry as its family parsed it, `before` and `after` are the states around it.
    """

    n: int
    entry: Mapping[str, Any]
    typed: EntryT
    before: StateT
    after: StateT

    def check(self) -> None:
        """Refuse an entry that cannot be written.

        :raises Unreadable: if a text in it has invisible characters.
        :raises RuleViolation: if it breaks a rule, with every problem found in it.
        """
        check_visible(self.entry, f"entries[{self.n - 1}]")
        wrong = problems_of(self.after, self.n)
        if wrong:
            raise RuleViolation(wrong)


def try_entry(
    family: Family[StateT, EntryT], n: int, entry: Mapping[str, Any], before: StateT
) -> TriedEntry[StateT, EntryT]:
    """Parse and apply an entry as the n-th, counted from 1, by today's rules, whenever its match began.

    :raises Unreadable: if it is no entry.
    """
    typed = family.read(entry, f"entries[{n - 1}]")
    after = family.apply(replace(before, rulebook=None), typed)
    return TriedEntry(n, entry, typed, before, replace(after, rulebook=before.rulebook))


OpenedT = TypeVar("OpenedT", bound=PlayedGame)
OpenGame = Callable[..., OpenedT]
"""Opens a game by name, preset, conventions, number of players and flat copy, as the library does."""


def read_record(document: object, open_game: OpenGame[OpenedT]) -> tuple[Record, OpenedT]:
    """Read the record in a JSON document, and open its game with the record's conventions.

    In a record with a `log` the entries and remarks follow from the log; they may be left out, or must be
    equal to it.

    :raises Unreadable: if any part of it, including the entries, does not fit.
    """
    document = _check_document(document)
    log = read_log(document)
    rulebook = (log.rulebook or None) if log is not None else None
    head, game = _read_head(document, _KEYS, open_game, rulebook)
    table = Table(game.family.start(head).ring, frozenset())
    reached = None
    if log is not None:
        reached = follow_log(log, head, game.family, table)
        document = {"entries": reached.entries, **document}
    written = document.get("entries", [])
    if not isinstance(written, list):
        raise Unreadable("entries", Message("a list of entries"), written)
    if len(written) > MAX_ENTRIES:
        raise Unreadable("entries", Message("a list of at most {most} entries", most=MAX_ENTRIES))
    record = _read_entries({**head, **game.pinned}, written, game.family)
    if reached is not None:
        compare(record.entries, reached.entries, "entries")
    remarks = parse_remarks(document.get("remarks", []), len(written), table)
    said = {key: document.get(key, []) for key in ("remarks", "log")}
    check_visible({**head, "entries": written, **said})
    if reached is not None:
        if "remarks" in document:
            compare(to_json(remarks), to_json(reached.remarks), "remarks")
        remarks = reached.remarks
    parse_rulings(document.get("rulings", []))
    return replace(record, remarks=remarks, rulebook=rulebook), game


def read_stored(
    head: Mapping[str, Any],
    entries: Iterable[Mapping[str, Any]],
    open_game: OpenGame[OpenedT],
    rulebook: str | None = None,
) -> tuple[Record, OpenedT]:
    """Read a stored match and open its game; it may have texts that are refused in a new one.

    :raises Unreadable: if this version cannot read head or entries.
    """
    read, game = _read_head(head, ("format", "version", *HEAD), open_game, rulebook)
    game.family.start(read)  # which refuses a wrong number of names, for example
    return replace(_read_entries(read, entries, game.family), rulebook=rulebook), game


def _read_head(
    document: Mapping[str, Any], known: Iterable[str], open_game: OpenGame[OpenedT], rulebook: str | None
) -> tuple[dict[str, Any], OpenedT]:
    """Read the head, and open its game with what its preset set in this version of the rulebook."""
    head = read_head(document, known)
    name, preset, conventions = head["game"], head.get("preset"), head.get("conventions", {})
    rest = (len(head["players"]), *([head["rules"]] if "rules" in head else []))
    game = open_game(name, preset, conventions, *rest)
    former = game.book.list_former(game.preset, rulebook)
    return head, open_game(name, preset, {**former, **conventions}, *rest) if former else game


def _read_entries(head: Mapping[str, Any], written: Iterable[object], family: AnyFamily) -> Record:
    """The record with this head and these entries."""
    typed = tuple(family.read(entry, f"entries[{i}]") for i, entry in enumerate(written))
    entries = tuple(to_json(entry) for entry in typed)
    if "first_dealer" not in head and "follows" not in head and not _names_dealer(entries):
        raise Missing("first_dealer", Message("required, unless an opening names the dealer"))
    return Record(head, entries, (), ParsedEntries(entries, typed))


def _check_document(document: object) -> dict[str, Any]:
    """Check the document's format and version, and return it. :raises Unreadable: for any others."""
    if not isinstance(document, dict):
        raise Unreadable("", Message("a match record, which is a JSON object"), document)
    for key, wanted in (("format", FORMAT), ("version", VERSION)):
        if key not in document:
            raise Missing(key)
        if document[key] != wanted or type(document[key]) is not type(wanted):
            raise Unreadable(key, Message("{wanted}", wanted=wanted), document[key])
    return document


def read_log(document: Mapping[str, Any]) -> PortableLog | None:
    """Read the history of a record that `read_record` accepts; None without a log."""
    return parse_log(document["log"]) if "log" in document else None


def _names_dealer(entries: tuple[Mapping[str, Any], ...]) -> bool:
    """True if the first entry takes over a score from paper and names the dealer."""
    return bool(entries) and entries[0]["type"] == "opening" and "dealer" in entries[0]


def write_record(record: Record) -> dict[str, Any]:
    """Write the record as a JSON document; reading it back gives the same record."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        **record.head,
        "entries": [dict(entry) for entry in record.entries],
    }
    return document | {"remarks": to_json(record.remarks)} if record.remarks else document


def start_record(record: Record, family: Family[StateT, EntryT]) -> StateT:
    """The state before the first entry of a record."""
    return replace(family.start(record.head), rulebook=record.rulebook)


def fold_record(record: Record, family: Family[StateT, EntryT], state: StateT | None = None) -> StateT:
    """The state after all entries of a parsed record; it never raises.

    Problems are collected in the state's `problems`. The fold begins at `state` if given, otherwise at the
    family's first one.
    """
    state = start_record(record, family) if state is None else state
    for entry in parsed_entries(record, family):
        state = family.apply(state, entry)
    return state


def parsed_entries(record: Record, family: Family[StateT, EntryT]) -> tuple[EntryT, ...]:
    """The entries of a record, parsed by their family; reused if the record was parsed before."""
    if record.parsed is not None and record.parsed.entries is record.entries:
        return cast(tuple[EntryT, ...], record.parsed.typed)  # by the family that the record was read with
    return tuple(family.read(entry, f"entries[{i}]") for i, entry in enumerate(record.entries))


def list_states(record: Record, family: Family[StateT, EntryT]) -> Series[StateT]:
    """The states of a parsed record: before its first entry, after it, after the second and so on."""
    states = [start_record(record, family)]
    for entry in parsed_entries(record, family):
        states.append(family.apply(states[-1], entry))
    return Series(states)


def rewrite_record(
    record: Record,
    family: Family[StateT, EntryT],
    states: Series[StateT],
    unchanged: int,
    tail: Sequence[int | Mapping[str, Any]],
    tried: TriedEntry[StateT, EntryT] | None = None,
) -> tuple[Record, Series[StateT]]:
    """The record with other entries behind its first `place` ones, and its states; `states` were its own.

    Entries of the `tail` that the record has already are given by their number from 1, so that they need not
    be parsed again; the others are JSON from a log. Their problems are collected in the states. An entry that
    was `tried` on just this state is neither parsed nor applied again.

    :raises Unreadable: if one is no entry.
    """
    known, entries, typed = parsed_entries(record, family), [*record.entries[:unchanged]], list[EntryT]()
    state, after = states[unchanged], list[StateT]()
    for item in tail:
        is_tried = tried is not None and tried.before is state and tried.entry == item
        if isinstance(item, int):
            entries.append(record.entries[item - 1])
            typed.append(known[item - 1])
        else:
            parsed = tried.typed if tried and is_tried else family.read(item, f"entries[{len(entries)}]")
            entries.append(to_json(parsed))
            typed.append(parsed)
        state = tried.after if tried and is_tried else family.apply(state, typed[-1])
        after.append(state)
    all_entries = tuple(entries)
    parsed_all = ParsedEntries(all_entries, (*known[:unchanged], *typed))
    return replace(record, entries=all_entries, parsed=parsed_all), states[: unchanged + 1].lengthen(*after)


def problems_of(state: GameState, n: int) -> tuple[Problem, ...]:
    """The problems of the n-th entry (0: of the head)."""
    first = bisect_left(state.problems, n, key=lambda problem: problem.entry)
    behind = bisect_right(state.problems, n, key=lambda problem: problem.entry)
    return tuple(state.problems[first:behind])


def with_first_dealer(record: Record, next_dealer: object) -> Record:
    """The record with the first dealer that follows from the previous game, if the record names none.

    `next_dealer` is the seat that deals after that game, or None if that game is missing or does not say.
    Head or opening may name the first dealer.

    :raises Unreadable: if neither names the dealer.
    """
    if "first_dealer" in record.head or _names_dealer(record.entries):
        return record
    if next_dealer is None:
        previous = Message("the id of a record read along with this one, unless first_dealer is given")
        raise Unreadable("follows", previous)
    return replace(record, head={**record.head, "first_dealer": next_dealer})


_RULING_KEYS = ("id", "at", "content")
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


@dataclass(frozen=True, slots=True)
class PortableRuling:
    """One saved ruling in a record's list `rulings`, or in a file of its own.

    `content` is the saved JSON: the question as asked, the answer as given.

    >>> id = "k3JmR0n4yQ2x7uVbW9aZcA"
    >>> parse_ruling({"id": id, "at": "2026-11-20T19:10:00+00:00", "content": {}}, "").id == id
    True
    """

    id: str
    at: str
    content: Mapping[str, Any]


def write_ruling(ruling: PortableRuling) -> dict[str, Any]:
    """Write the ruling as a JSON object."""
    return {"id": ruling.id, "at": ruling.at, "content": dict(ruling.content)}


def parse_rulings(value: Any) -> tuple[PortableRuling, ...]:
    """Parse the list `rulings` of a record. :raises Unreadable: at the first invalid one."""
    if not isinstance(value, list) or len(value) > MAX_RULINGS:
        raise Unreadable("rulings", Message("a list of {least} to {most} items", least=0, most=MAX_RULINGS))
    return tuple(parse_ruling(item, f"rulings[{i}]") for i, item in enumerate(value))


def parse_ruling(value: Any, path: str) -> PortableRuling:
    """Parse one saved ruling. :raises Unreadable: if it is invalid."""
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an object"), value)
    refuse_unknown(value, _RULING_KEYS, path)
    for key in _RULING_KEYS:
        if key not in value:
            raise Missing(join_path(path, key))
    id = check_text(value["id"], join_path(path, "id"), 1, 64)
    if _ID.fullmatch(id) is None:
        raise Unreadable(join_path(path, "id"), Message("the id of a saved ruling"), id)
    at = check_text(value["at"], join_path(path, "at"), 1, 32)
    if not isinstance(value["content"], dict):
        raise Unreadable(join_path(path, "content"), Message("an object"), value["content"])
    check_plain(value["content"], join_path(path, "content"))
    return PortableRuling(id, at, value["content"])


@dataclass(frozen=True)
class FoldedRecord(Generic[OpenedT]):
    """A record whose first dealer is known, its game, and its final state."""

    record: Record
    game: OpenedT
    state: GameState


class RecordChain(Generic[OpenedT]):
    """Folds records, and remembers the result of each for the record that follows it.

    `documents` are records as JSON; a previous record is looked up there by its id.
    """

    def __init__(self, open_game: OpenGame[OpenedT], documents: Sequence[object] = ()) -> None:
        self._open_game = open_game
        self._unread = {
            document["id"]: document
            for document in documents
            if isinstance(document, dict) and isinstance(document.get("id"), str)
        }
        self._next_dealers: dict[str, Seat | None] = {}

    def fold(self, document: object) -> FoldedRecord[OpenedT]:
        """Read and fold a record.

        :raises Unreadable: if it is no record, or follows a missing one.
        """
        record, game = read_record(document, self._open_game)
        followed = None if "first_dealer" in record.head else record.head.get("follows")
        record = with_first_dealer(record, self._find_next_dealer(followed))
        state = fold_record(record, game.family)
        if "id" in record.head:
            self._next_dealers[record.head["id"]] = state.next_dealer
        return FoldedRecord(record, game, state)

    def _find_next_dealer(self, name: str | None) -> Seat | None:
        """The dealer after the game with this id, if known."""
        if name is None:
            return None
        if name not in self._next_dealers and name in self._unread:
            self.fold(self._unread.pop(name))  # popped first, so that a circle of records ends
        return self._next_dealers.get(name)


def list_in_order(folded: Sequence[FoldedRecord[OpenedT]]) -> list[FoldedRecord[OpenedT]]:
    """Sort the records so that each comes after the one that it follows; otherwise the order is kept."""
    waiting, ordered = list(folded), list[FoldedRecord[OpenedT]]()
    while waiting:
        ids = {record.record.head["id"] for record in waiting if "id" in record.record.head}
        free = (record for record in waiting if record.record.head.get("follows") not in ids)
        following = next(free, waiting[0])  # in a circle of records, begin with any
        waiting.remove(following)
        ordered.append(following)
    return ordered
