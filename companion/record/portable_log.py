"""The log of a match as a portable record holds it, in its list `log`: the whole history.

It has one object for each event. The first, number 0, is the beginning: the head as first written, the time,
and the version of the rulebook. The others are the events of the log in their order. An author is a letter,
another for each phone, so that nobody learns whose it was.

>>> events = (
...     Event(1, "add", payload={"type": "hand", "loser": "A"}, author="Kx71"),
...     Event(2, "withdraw", 1, author="p_2b", at="2026-11-20T19:11:00+00:00", undoes=1),
... )
>>> begun = PortableLog({"game": "x", "players": ["Ewa", "Jan"]}, "2026-11-20T19:00:00+00:00", "1", events)
>>> for event in write_log(begun):
...     print(event["n"], event["kind"], event.get("author"))
0 begin None
1 add a
2 withdraw b
>>> [event.author for event in parse_log(write_log(begun)).events]
['a', 'b']
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from companion.rules.errors import Missing, Unreadable
from companion.rules.game import AnyFamily
from companion.rules.message import Message
from companion.rules.schema import Choice, Table, Text, check_text, join_path, parse, to_json
from companion.rules.seats import Ring

from .head import HEAD, check_plain, read_correction, read_head, refuse_unknown
from .log import CHANGES, MAX_EVENTS, Event, read_log
from .portable_remarks import Remark, make_portable
from .remarks import ObjectionFacts, read_remarks

AUTHOR = re.compile(r"[a-z]{1,4}")
"""The name of a phone in a record: the first is a, the twenty-seventh aa; too short to identify a browser."""

_ABOUT_ENTRY = ("amend", "withdraw", "restore", "agree", "object", "settle")
_CONTENT = ("add", "amend", "head", "agree", "object", "settle")
"""The kinds of events that need a payload."""
_WITHOUT = ("withdraw", "restore")
KINDS = ("add", "amend", "withdraw", "restore", "draft", "head", "ruling", "agree", "object", "settle")
"""The kinds of events; see `Event`."""
_KEYS = ("n", "kind", "entry", "payload", "author", "at", "undoes", "arrived")
_RULING_TEXTS = {"id": 64, "question": 1000, "verdict": 1000, "why": 4000, "rulebook": 16}


@dataclass(frozen=True, slots=True)
class PortableLog:
    """A whole history: the head as first written and the time, the version of the rulebook, the events.

    After parsing, the authors are letters.
    """

    head: Mapping[str, Any]
    begun_at: str
    rulebook: str
    events: tuple[Event, ...]


def write_log(log: PortableLog) -> list[dict[str, Any]]:
    """Write the list `log` of a record."""
    letters = letter_phones(log.events)
    begin = {"n": 0, "kind": "begin", "at": log.begun_at, "rulebook": log.rulebook, "payload": dict(log.head)}
    return [begin, *(_write_event(event, letters) for event in log.events)]


def letter_phones(events: Iterable[Event]) -> dict[str, str]:
    """Assign letters to authors in the order in which they first wrote; events without author have none."""
    letters: dict[str, str] = {}
    for event in events:
        if event.author and event.author not in letters:
            letters[event.author] = _letter(len(letters))
    return letters


def _letter(n: int) -> str:
    """The nth letter, counted from 0; after z comes aa.

    >>> _letter(0), _letter(25), _letter(26), _letter(701), _letter(702)
    ('a', 'z', 'aa', 'zz', 'aaa')
    """
    text = ""
    while n >= 0:
        n, digit = divmod(n, 26)
        text, n = chr(ord("a") + digit) + text, n - 1
    return text


def _write_event(event: Event, letters: Mapping[str, str]) -> dict[str, Any]:
    written: dict[str, Any] = {"n": event.seq, "kind": event.kind}
    for key, value in (
        ("entry", event.entry),
        ("undoes", event.undoes),
        ("author", letters.get(event.author)),
        ("at", event.at or None),
        ("arrived", event.arrived or None),
        ("payload", event.payload),
    ):
        if value is not None:
            written[key] = value
    return written


def parse_log(value: Any) -> PortableLog:
    """Parse the list `log` of a record, as far as that is possible without knowing the game.

    The contents of entries and heads, and the sides, are checked later, by the game.

    :raises Unreadable: at the first event that cannot be read, or is not possible there.
    """
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_EVENTS + 1:
        raise Unreadable("log", Message("a list of 1 to {most} events", most=MAX_EVENTS + 1), value)
    head, begun_at, rulebook = _parse_beginning(value[0])
    events: list[Event] = []
    for i, item in enumerate(value[1:], 1):
        event = parse_event(item, f"log[{i}]", i)
        check_references(event, f"log[{i}]", events)
        events.append(event)
    return PortableLog(head, begun_at, rulebook, tuple(events))


def _parse_beginning(value: Any) -> tuple[dict[str, Any], str, str]:
    keys = ("n", "kind", "at", "rulebook", "payload")
    _check_keys(value, "log[0]", keys, required=("n", "kind", "at", "payload"))
    if value["n"] != 0 or type(value["n"]) is not int:
        raise Unreadable("log[0].n", "0", value["n"])
    if value["kind"] != "begin":
        raise Unreadable("log[0].kind", "begin", value["kind"])
    if not isinstance(value["payload"], dict):
        raise Unreadable("log[0].payload", Message("an object"), value["payload"])
    at = parse_time(value["at"], "log[0].at")
    return value["payload"], at, check_text(value.get("rulebook", ""), "log[0].rulebook", 0, 16)


def _check_keys(value: Any, path: str, keys: tuple[str, ...], required: tuple[str, ...]) -> None:
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an object"), value)
    refuse_unknown(value, keys, path)
    for key in required:
        if key not in value:
            raise Missing(f"{path}.{key}")


def parse_event(value: Any, path: str, n: int) -> Event:
    """Parse the nth event in such a list; `check_references` checks the events it names.

    The contents of entries and heads are checked by the game: see `check_said`.

    :raises Unreadable: if it is no event.
    """
    _check_keys(value, path, _KEYS, required=("n", "kind"))
    if value["n"] != n or type(value["n"]) is not int:
        raise Unreadable(f"{path}.n", Message("{wanted}", wanted=n), value["n"])
    kind = Choice(KINDS).read(value["kind"], f"{path}.kind", _NOBODY)
    entry, undoes = (
        None if value.get(key) is None else _read_number(value[key], f"{path}.{key}", n)
        for key in ("entry", "undoes")
    )
    author = check_text(value.get("author", ""), f"{path}.author", 0, 40)
    if author and AUTHOR.fullmatch(author) is None:
        raise Unreadable(f"{path}.author", Message("a letter for each phone, such as a"), author)
    at, arrived = (
        parse_time(value[key], f"{path}.{key}") if key in value else "" for key in ("at", "arrived")
    )
    payload = value.get("payload")
    if payload is None and kind in _CONTENT:
        raise Missing(f"{path}.payload")
    if payload is not None and kind in _WITHOUT:
        raise Unreadable(
            f"{path}.payload", Message("left out in an event of the kind {kind}", kind=kind), payload
        )
    if payload is not None and not isinstance(payload, dict):
        raise Unreadable(f"{path}.payload", Message("an object"), payload)
    if kind == "draft":
        check_plain(payload, f"{path}.payload")
    if payload is not None and kind == "settle":
        _check_keys(payload, f"{path}.payload", ("objection",), ("objection",))
        _read_number(payload["objection"], f"{path}.payload.objection", n)
    if kind == "ruling" and undoes is None:
        _check_ruling(payload, f"{path}.payload", n)
    return Event(n, kind, entry, payload, author, at, undoes, arrived)


def _read_number(value: Any, path: str, n: int) -> int:
    """Read the number of an event before the nth."""
    if type(value) is not int or not 1 <= value < n:
        raise Unreadable(path, Message("the number of an earlier event"), value)
    return value


def parse_time(value: Any, path: str) -> str:
    """Parse an ISO 8601 time with its offset from UTC, as in logs. :raises Unreadable: for other texts."""
    text = check_text(value, path, 0, 32)
    try:
        known = datetime.fromisoformat(text).tzinfo is not None if text else True
    except ValueError:
        known = False
    if not known:
        raise Unreadable(path, Message("a time such as 2026-11-20T19:05:00+01:00"), value)
    return text


def check_references(event: Event, path: str, earlier: Sequence[Event]) -> None:
    """Refuse an event that names one not in the log before it, or one of the wrong kind.

    :raises Unreadable: with the path of the number.
    """
    named = earlier[event.entry - 1] if event.entry else None
    undone = earlier[event.undoes - 1] if event.undoes else None
    if event.kind in _ABOUT_ENTRY and event.entry is None:
        raise Missing(f"{path}.entry")
    if event.kind in ("draft", "head") and event.entry is not None:
        raise Unreadable(
            f"{path}.entry", Message("left out in an event of the kind {kind}", kind=event.kind), event.entry
        )
    if named is not None and named.kind != "add":
        raise Unreadable(f"{path}.entry", Message("the number of an event that added an entry"), event.entry)
    if undone is not None:
        _check_undoing(event, undone, f"{path}.undoes")
    if event.kind == "settle":
        number = event.payload["objection"]
        objection = earlier[number - 1]
        if (objection.kind, objection.entry) != ("object", event.entry):
            raise Unreadable(
                f"{path}.payload.objection", Message("the number of an objection to this entry"), number
            )


def _check_undoing(event: Event, undone: Event, path: str) -> None:
    if event.kind == "ruling":
        if undone.kind != "ruling" or undone.undoes:
            raise Unreadable(path, Message("the number of the event that attached the ruling"), event.undoes)
        return
    if event.kind not in CHANGES or undone.kind not in CHANGES or undone.about != event.entry:
        raise Unreadable(path, Message("the number of an earlier change of the same entry"), event.undoes)


def _check_ruling(payload: Any, path: str, n: int) -> None:
    """Refuse an invalid ruling attached by the nth event. `path` locates it."""
    if payload is None:
        raise Missing(path)
    _check_keys(payload, path, (*_RULING_TEXTS, "rules", "objection"), ("id", "question", "verdict"))
    for key, most in _RULING_TEXTS.items():
        Text(most, lines=True).read(payload.get(key, ""), f"{path}.{key}", _NOBODY)
    rules = payload.get("rules", [])
    if not isinstance(rules, list) or len(rules) > 99:
        raise Unreadable(f"{path}.rules", Message("a list of rule ids"), rules)
    for i, rule in enumerate(rules):
        check_text(rule, f"{path}.rules[{i}]", 1, 80)
    if "objection" in payload:
        _read_number(payload["objection"], f"{path}.objection", n)


@dataclass(frozen=True, slots=True)
class Reached:
    """The result of a log: the entries that count, as JSON, and the remarks on them."""

    entries: list[Any]
    remarks: tuple[Remark, ...]


def follow_log(log: PortableLog, head: Mapping[str, Any], family: AnyFamily, table: Table) -> Reached:
    """Follow a log by the game of its family at its table; `head` is the record's head.

    :raises Unreadable: at the first event that cannot be read at this table, and if the log leads to another
        head.
    """
    begun = read_head(log.head, path="log[0].payload")
    read: dict[int, Any] = {}
    for event in log.events:
        path = f"log[{event.seq}].payload"
        match event.kind:
            case "add" | "amend":
                read[id(event.payload)] = to_json(family.read(event.payload, path))
            case _:
                check_said(event, path, len(begun["players"]), table)
    reached = read_log(log.events)
    last = {key: value for key, value in {**begun, **reached.head}.items() if value is not None}
    for key in HEAD:
        if key != "id":
            compare(head.get(key), last.get(key), key)
    numbers = {entry.id: n for n, entry in enumerate(reached.standing, 1)}
    remarks = make_portable(read_remarks(log.events, family.later_facts), numbers.get)
    return Reached([read[id(entry.payload)] for entry in reached.standing], remarks)


def check_said(event: Event, path: str, players: int, table: Table) -> None:
    """Check the payload of an event other than an entry's content: a correction of the head, a remark.

    `path` locates the payload. :raises Unreadable: if it is not possible at this table.
    """
    match event.kind:
        case "head":
            read_correction(event.payload, path, players)
        case "agree":
            _check_keys(event.payload, path, ("side",), ("side",))
            Choice(table.ring.sides).read(event.payload["side"], f"{path}.side", table)
        case "object":
            parse(ObjectionFacts, event.payload, path, table)


def compare(given: Any, reached: Any, path: str) -> None:
    """Refuse the first value that differs from the result of the log.

    >>> compare([{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 3}], "entries")
    Traceback (most recent call last):
        ...
    companion.rules.errors.Unreadable: entries[1].a: must be what the log comes to, not 2
    """
    match given, reached:
        case dict(), dict():
            for key in {**given, **reached}:
                compare(given.get(key), reached.get(key), join_path(path, str(key)))
        case ((list() | tuple()), (list() | tuple())):
            for i, (stated, other) in enumerate(zip(given, reached, strict=False)):
                compare(stated, other, f"{path}[{i}]")
            if len(given) != len(reached):
                raise Unreadable(
                    path, Message("what the log comes to: {n} items", n=len(reached)), list(given)
                )
        case _ if given != reached or type(given) is not type(reached):
            if given is None:
                raise Missing(path, Message("required, as the log has it"))
            raise Unreadable(path, Message("what the log comes to"), given)


_NOBODY = Table(Ring(2), frozenset())
"""A table for checks that are the same at every table."""
