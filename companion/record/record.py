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
>>> longer = add_entry(record, game.family, deal)
>>> fold_record(longer, game.family).totals
{'A': 164, 'B': 130}
>>> add_entry(longer, game.family, {**deal, "dealer": "B"})
Traceback (most recent call last):
    ...
companion.rules.ruling.RuleViolation: entries[2].dealer: A deals here, not B. (derda.deal.next)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from companion.rules.errors import Missing, UnknownKey, Unreadable
from companion.rules.game import EntryT, Family, GameEntry, GameState, PlayedGame, StateT
from companion.rules.message import Message
from companion.rules.ruling import Problem, RuleViolation
from companion.rules.schema import Table, check_text, join_path, to_json
from companion.rules.text import check_visible

from .portable_remarks import Remark, amend_remarks, parse_remarks, withdraw_remarks
from .sizes import MOST_ENTRIES

FORMAT, VERSION = "companion-match", 1
NAME_LIMIT = 40


@dataclass(frozen=True, slots=True)
class Record:
    """The head of a record (game, players, conventions …) and its entries, both as JSON values.

    `remarks` are what the sides say of the entries; they change no score. `parsed` are the same entries as
    `read_record` read them; it may be left out.
    """

    head: Mapping[str, Any]
    entries: tuple[Mapping[str, Any], ...] = ()
    remarks: tuple[Remark, ...] = ()
    parsed: "ParsedEntries | None" = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ParsedEntries:
    """Entries as their family read them, so that a fold need not read them again.

    They are `typed` for one tuple of JSON `entries` and for no other.
    """

    entries: tuple[Mapping[str, Any], ...]
    typed: tuple[GameEntry, ...]


OpenedT = TypeVar("OpenedT", bound=PlayedGame)


def _text_reader(most: int) -> Callable[[Any, str], str]:
    return lambda value, path: check_text(value, path, 1, most)


def _read_players(value: Any, path: str) -> list[str]:
    if not isinstance(value, list) or not value:
        raise Unreadable(path, Message("a list of names"), value)
    return [_text_reader(NAME_LIMIT)(name, f"{path}[{i}]") for i, name in enumerate(value)]


def _read_stake(value: Any, path: str) -> dict[str, str]:
    if not isinstance(value, dict) or set(value) - {"amount", "currency"}:
        raise Unreadable(path, Message("an object with the keys {keys}", keys=["amount", "currency"]), value)
    for key in ("amount", "currency"):
        if key not in value:
            raise Missing(f"{path}.{key}")
    return {key: _text_reader(20)(value[key], f"{path}.{key}") for key in ("amount", "currency")}


def _read_object(value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an object"), value)
    return value


_HEAD: Mapping[str, Callable[[Any, str], Any]] = {
    "game": _text_reader(40),
    "preset": _text_reader(40),
    "conventions": _read_object,
    "players": _read_players,
    "first_dealer": _text_reader(1),
    "stake": _read_stake,
    "place": _text_reader(200),
    "started": _text_reader(40),
    "id": _text_reader(80),
    "follows": _text_reader(80),
}


def read_record(
    document: object,
    open_game: Callable[[str, str | None, Mapping[str, object], int], OpenedT],
    *,
    is_stored: bool = False,
) -> tuple[Record, OpenedT]:
    """The record in a JSON document, and its game, opened with the record's conventions.

    `open_game(name, preset, conventions, players)` opens a game, as the library does. In a record that
    `is_stored` already texts may stand that are refused in a new one.

    :raises Unreadable: when any part of it, the entries included, does not fit.
    """
    if not isinstance(document, dict):
        raise Unreadable("", Message("a match record, which is a JSON object"), document)
    for key, wanted in (("format", FORMAT), ("version", VERSION)):
        if key not in document:
            raise Missing(key)
        if document[key] != wanted or type(document[key]) is not type(wanted):
            raise Unreadable(key, Message("{wanted}", wanted=wanted), document[key])
    known = ["format", "version", *_HEAD, "entries", "remarks"]
    for key in document:
        if key not in known:
            raise UnknownKey(join_path("", str(key)), known)
    head = {key: check(document[key], key) for key, check in _HEAD.items() if key in document}
    for key in ("game", "players"):
        if key not in head:
            raise Missing(key)
    written = document.get("entries", [])
    if not isinstance(written, list):
        raise Unreadable("entries", Message("a list of entries"), written)
    if len(written) > MOST_ENTRIES and not is_stored:
        raise Unreadable("entries", Message("a list of at most {most} entries", most=MOST_ENTRIES))
    game = open_game(head["game"], head.get("preset"), head.get("conventions", {}), len(head["players"]))
    table = Table(game.family.start(head).ring, frozenset())
    typed = tuple(game.family.read(entry, f"entries[{i}]") for i, entry in enumerate(written))
    remarks = parse_remarks(document.get("remarks", []), len(typed), table)
    if not is_stored:
        check_visible({**head, "entries": written, "remarks": document.get("remarks", [])})
    entries = tuple(to_json(entry) for entry in typed)
    if "first_dealer" not in head and "follows" not in head and not _names_dealer(entries):
        raise Missing("first_dealer", Message("required, unless an opening names the dealer"))
    return Record(head, entries, remarks, ParsedEntries(entries, typed)), game


def _names_dealer(entries: tuple[Mapping[str, Any], ...]) -> bool:
    """Whether the first entry takes over a score from paper and says who deals."""
    return bool(entries) and entries[0]["type"] == "opening" and "dealer" in entries[0]


def write_record(record: Record) -> dict[str, Any]:
    """The record as a JSON document; reading it back gives the same record."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        **record.head,
        "entries": [dict(entry) for entry in record.entries],
    }
    return document | {"remarks": to_json(record.remarks)} if record.remarks else document


def fold_record(record: Record, family: Family[StateT, EntryT], state: StateT | None = None) -> StateT:
    """The state after all entries of a record that was read; it never raises.

    What is wrong stands in the state's `problems`. The fold begins at `state`, where one is given, instead
    of at the family's first one.
    """
    state = family.start(record.head) if state is None else state
    for entry in _parsed_entries(record, family):
        state = family.apply(state, entry)
    return state


def _parsed_entries(record: Record, family: Family[StateT, EntryT]) -> tuple[EntryT, ...]:
    if record.parsed is not None and record.parsed.entries is record.entries:
        return cast(tuple[EntryT, ...], record.parsed.typed)  # by the family that the record was read with
    return tuple(family.read(entry, f"entries[{i}]") for i, entry in enumerate(record.entries))


def extend_record(
    record: Record, family: Family[StateT, EntryT], state: StateT, entry: Mapping[str, Any]
) -> tuple[Record, StateT]:
    """The record with one more entry as it stands in a log, and the state after it; `state` was before it.

    What is wrong with it stays in the state's problems. :raises Unreadable: if it is no entry.
    """
    parsed = family.read(entry, f"entries[{len(record.entries)}]")
    entries = (*record.entries, to_json(parsed))
    all_parsed = ParsedEntries(entries, (*_parsed_entries(record, family), parsed))
    return replace(record, entries=entries, parsed=all_parsed), family.apply(state, parsed)


def add_entry(
    record: Record, family: Family[StateT, EntryT], entry: Mapping[str, Any], state: StateT | None = None
) -> Record:
    """The record with one entry more; `state`, where it is known, is what the record came to before.

    :raises Unreadable: when it is no entry.
    :raises RuleViolation: when it breaks a rule, with every problem found in it.
    """
    return _set_entry(record, family, len(record.entries), entry, state)


def amend_entry(record: Record, family: Family[StateT, EntryT], n: int, entry: Mapping[str, Any]) -> Record:
    """The record with its n-th entry, counted from 1, replaced.

    Later entries that no longer agree with it are kept; the fold names them among its problems. If it says
    something else now, agreements to it are over, and objections to it settled.

    :raises Unreadable: when it is no entry.
    :raises RuleViolation: when it breaks a rule itself, with every problem found in it.
    """
    return _set_entry(record, family, n - 1, entry)


def _set_entry(
    record: Record,
    family: Family[StateT, EntryT],
    place: int,
    entry: Mapping[str, Any],
    before: StateT | None = None,
) -> Record:
    parsed = family.read(entry, f"entries[{place}]")
    check_visible(entry, f"entries[{place}]")
    if before is None:
        before = fold_record(replace(record, entries=record.entries[:place]), family)
    wrong = problems_of(family.apply(before, parsed), place + 1)
    if wrong:
        raise RuleViolation(wrong)
    entries = (*record.entries[:place], to_json(parsed), *record.entries[place + 1 :])
    changed = place < len(record.entries) and entries[place] != record.entries[place]
    remarks = amend_remarks(record.remarks, place + 1) if changed else record.remarks
    return replace(record, entries=entries, remarks=remarks)


def withdraw_entry(record: Record, n: int) -> Record:
    """The record without its n-th entry, counted from 1, and without what was said of it."""
    entries = record.entries[: n - 1] + record.entries[n:]
    return replace(record, entries=entries, remarks=withdraw_remarks(record.remarks, n))


def problems_of(state: GameState, n: int) -> tuple[Problem, ...]:
    """What is wrong with the n-th entry."""
    return tuple(problem for problem in state.problems if problem.entry == n)


def with_first_dealer(record: Record, next_dealer: object) -> Record:
    """The record with the first dealer that the game before it leaves to it, unless head or opening name one.

    `next_dealer` is the seat that deals after that game, or None when nobody has it or it does not say.

    :raises Unreadable: when neither says who deals.
    """
    if "first_dealer" in record.head or _names_dealer(record.entries):
        return record
    if next_dealer is None:
        previous = Message("the id of a record read along with this one, unless first_dealer is given")
        raise Unreadable("follows", previous)
    return replace(record, head={**record.head, "first_dealer": next_dealer})
