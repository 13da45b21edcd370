"""The entries of a record: what may be observed of a hand and around it, as shapes of its JSON."""

from dataclasses import dataclass
from typing import Any

from companion.rules.message import Message
from companion.rules.schema import (
    Choice,
    Many,
    Maybe,
    SeatOf,
    Shaped,
    SideOf,
    Text,
    TrumpOf,
    Unreadable,
    below,
    given,
    read,
)
from companion.rules.seats import Seat, Side

from .ruleset import Ruleset
from .turn import BEATEN_OFF, PICKED_UP


@dataclass(frozen=True, slots=True)
class Bout:
    """One bout: who attacked whom, how it ended, and who went out in it."""

    attacker: Seat = given(SeatOf())
    defender: Seat = given(SeatOf())
    result: str = given(Choice((BEATEN_OFF, PICKED_UP)))
    out: tuple[Seat, ...] = given(Many(SeatOf(), 0, 6), ())


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand: who was left with cards (nobody: a draw), and as much of its course as was followed.

    `deals` is the player whom a team that lost names to deal next.
    """

    type: str = given(Choice(("hand",)))
    loser: Side | None = given(Maybe(SideOf()))
    deals: Seat | None = given(SeatOf(), None)
    dealer: Seat | None = given(SeatOf(), None)
    trump: str | None = given(TrumpOf(), None)
    first_attacker: Seat | None = given(SeatOf(), None)
    bouts: tuple[Bout, ...] | None = given(Many(Shaped(Bout), 0, 200), None)
    note: str | None = given(Text(lines=True), None)


@dataclass(frozen=True, slots=True)
class Touch:
    """Somebody touched the cards of the coming hand, or cut them."""

    type: str = given(Choice(("touch",)))
    by: Seat = given(SeatOf())
    cards: str = given(Choice(("touched", "cut")))
    note: str | None = given(Text(lines=True), None)


@dataclass(frozen=True, slots=True)
class Close:
    """The session is over."""

    type: str = given(Choice(("close",)))
    note: str | None = given(Text(lines=True), None)


Entry = Hand | Touch | Close

TYPES: dict[str, type] = {"hand": Hand, "touch": Touch, "close": Close}


def read_entry(ruleset: Ruleset, entry: Any, path: str) -> Entry:
    """One entry from JSON. :raises Unreadable: if it has not the shape of an entry."""
    if not isinstance(entry, dict):
        raise Unreadable(path, Message("an entry, which is an object"), entry)
    if "type" not in entry:
        raise Unreadable(below(path, "type"), Message("this to be given"))
    kind = Choice(tuple(TYPES)).read(entry["type"], below(path, "type"), ruleset.table)
    found: Entry = read(TYPES[kind], entry, path, ruleset.table)
    if isinstance(found, Hand):
        _whole(ruleset, found, path)
    return found


def _whole(ruleset: Ruleset, hand: Hand, path: str) -> None:
    """Refuse what can never be told of a hand together. :raises Unreadable: at the first such thing."""
    if hand.deals is not None and not ruleset.ring.partnerships:
        expected = Message("nothing, for only a team names who deals: the fool deals")
        raise Unreadable(below(path, "deals"), expected, hand.deals)
    for n, bout in enumerate(hand.bouts or ()):
        at = below(path, f"bouts[{n}]")
        if ruleset.ring.side(bout.attacker) == ruleset.ring.side(bout.defender):
            raise Unreadable(below(at, "defender"), Message("an opponent of the attacker"), bout.defender)
        if len(set(bout.out)) < len(bout.out):
            raise Unreadable(below(at, "out"), Message("every seat once"), ", ".join(bout.out))
