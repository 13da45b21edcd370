"""The entries of a record: what may be observed of a hand and around it, as schemas of their JSON."""

from dataclasses import dataclass
from typing import Any

from companion.rules.cards import Card
from companion.rules.errors import Missing, Unreadable
from companion.rules.message import Message
from companion.rules.schema import (
    Boolean,
    CardOf,
    Choice,
    ListOf,
    Nested,
    Nullable,
    SeatOf,
    SideOf,
    Text,
    TrumpOf,
    field,
    join_path,
    parse,
)
from companion.rules.seats import Seat, Side

from .ruleset import BeatingRuleset
from .turn import BEATEN_OFF, PICKED_UP


@dataclass(frozen=True, slots=True)
class Transfer:
    """An attack was passed on by its defender: with which card, laid or only `shown`, as far as was told."""

    by: Seat = field(SeatOf(), label=Message("Who transferred"))
    card: Card | None = field(CardOf(), None, label=Message("With which card"))
    shown: bool = field(Boolean(), False, label=Message("The card is only shown"))


@dataclass(frozen=True, slots=True)
class Bout:
    """One bout: who attacked whom when it began, how it ended, who went out in it, how it was transferred."""

    attacker: Seat = field(SeatOf())
    defender: Seat = field(SeatOf())
    result: str = field(Choice((BEATEN_OFF, PICKED_UP)))
    out: tuple[Seat, ...] = field(ListOf(SeatOf(), 0, 6), ())
    transfers: tuple[Transfer, ...] = field(ListOf(Nested(Transfer), 0, 20), ())


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand: the side that was left with cards (None: a draw), and its course as far as it was followed.

    `deals` is the player whom a losing team names to deal next; without teams it stays None.
    """

    type: str = field(Choice(("hand",)))
    loser: Side | None = field(Nullable(SideOf()))
    deals: Seat | None = field(SeatOf(), None)
    dealer: Seat | None = field(SeatOf(), None)
    trump: str | None = field(TrumpOf(), None)
    first_attacker: Seat | None = field(SeatOf(), None)
    bouts: tuple[Bout, ...] | None = field(ListOf(Nested(Bout), 0, 200), None)
    note: str | None = field(Text(lines=True), None)


@dataclass(frozen=True, slots=True)
class Touch:
    """A player touched the cards of the coming hand, or cut them."""

    type: str = field(Choice(("touch",)))
    by: Seat = field(SeatOf())
    cards: str = field(Choice(("touched", "cut")))
    note: str | None = field(Text(lines=True), None)


@dataclass(frozen=True, slots=True)
class Close:
    """The session is over."""

    type: str = field(Choice(("close",)))
    note: str | None = field(Text(lines=True), None)


Entry = Hand | Touch | Close

TYPES: dict[str, type[Entry]] = {"hand": Hand, "touch": Touch, "close": Close}


def read_entry(ruleset: BeatingRuleset, entry: Any, path: str) -> Entry:
    """One entry from its JSON; `path` is where it stands. :raises Unreadable: when it is none."""
    if not isinstance(entry, dict):
        raise Unreadable(path, Message("an object"), entry)
    if "type" not in entry:
        raise Missing(join_path(path, "type"))
    kind = Choice(tuple(TYPES)).read(entry["type"], join_path(path, "type"), ruleset.table)
    parsed: Entry = parse(TYPES[kind], entry, path, ruleset.table)
    if isinstance(parsed, Hand):
        _check_hand(ruleset, parsed, path)
    return parsed


def _check_hand(ruleset: BeatingRuleset, hand: Hand, path: str) -> None:
    """Check that a hand's facts can stand together. :raises Unreadable: at the first that cannot."""
    if hand.deals is not None and not ruleset.ring.partnerships:
        expected = Message("left out: only a team names who deals, and here the fool deals")
        raise Unreadable(join_path(path, "deals"), expected, hand.deals)
    for n, bout in enumerate(hand.bouts or ()):
        at = join_path(path, f"bouts[{n}]")
        if ruleset.ring.side(bout.attacker) == ruleset.ring.side(bout.defender):
            raise Unreadable(join_path(at, "defender"), Message("an opponent of the attacker"), bout.defender)
        if len(set(bout.out)) < len(bout.out):
            raise Unreadable(join_path(at, "out"), Message("different seats"), list(bout.out))
