"""The entries of a record: the facts that may be observed of a hand and around it, as schemas of JSON."""

from dataclasses import dataclass
from typing import Any

from companion.rules.cards import Card
from companion.rules.errors import Missing, Unreadable, contradictions
from companion.rules.message import Message
from companion.rules.schema import (
    Boolean,
    CardOf,
    Choice,
    Integer,
    ListOf,
    Nested,
    Nullable,
    SeatOf,
    SideOf,
    Table,
    Text,
    TrumpOf,
    field,
    join_path,
    name_schema,
    parse,
)
from companion.rules.seats import Seat, Side

from .ruleset import BeatingRuleset
from .turn import BEATEN_OFF, CANCELLED, PICKED_UP

SEATS = ListOf(SeatOf(), 0, 6)
"""Some players."""


@dataclass(frozen=True, slots=True)
class OneOrMany:
    """A card, or a list of 1 to 6 cards; read as a tuple."""

    def read(self, value: Any, path: str, table: Table) -> tuple[Card, ...]:
        """Read the cards.

        :raises Unreadable: if one is not in the pack.
        """
        if isinstance(value, list):
            return ListOf(CardOf(), 1, 6).read(value, path, table)
        return (CardOf().read(value, path, table),)

    def describe(self, table: Table) -> dict[str, Any]:
        either = [ListOf(CardOf(), 1, 6).describe(table), CardOf().describe(table)]
        return name_schema("Cards", {"anyOf": either})


@dataclass(frozen=True, slots=True)
class Transfer:
    """The transfer of an attack by its defender, with the cards laid, or one `shown`, as far as is known."""

    by: Seat = field(SeatOf(), label=Message("Who transferred"))
    cards: tuple[Card, ...] = field(OneOrMany(), (), name="card", label=Message("With which card"))
    shown: bool = field(Boolean(), False, label=Message("The card is only shown"))


@dataclass(frozen=True, slots=True)
class Bout:
    """One bout: its attacker and defender at the beginning, its result, who went out, and its transfers.

    `out` of a bout that was cancelled are the players who left the table in it.
    """

    attacker: Seat = field(SeatOf())
    defender: Seat = field(SeatOf())
    result: str = field(Choice((BEATEN_OFF, PICKED_UP, CANCELLED)))
    out: tuple[Seat, ...] = field(SEATS, ())
    transfers: tuple[Transfer, ...] = field(ListOf(Nested(Transfer), 0, 20), ())


MISDEALS = ("five-suited", "six-coloured")
"""The reasons of a misdeal: somebody was dealt five or more of one suit, or six red or six black cards."""
UNSTATED = "unstated"
"""The loser of an entry that does not name one; None itself is a draw."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand: the side that was left with cards (None: a draw), and its course as far as it was followed.

    `deals` is the player whom a losing team names to deal next; without teams it stays None. Of a hand that
    was not played, `misdeal` says why and `by` who demanded a new deal. `walked_out` left the table, after
    `walked_after` of the bouts (None: after all of them). `order` are players in the order in which they went
    out; `sixes` are those of the lowest rank in the attack that made the fool.
    """

    type: str = field(Choice(("hand",)))
    loser: Side | None = field(Nullable(SideOf()), UNSTATED)
    deals: Seat | None = field(SeatOf(), None)
    dealer: Seat | None = field(SeatOf(), None)
    trump: str | None = field(TrumpOf(), None)
    first_attacker: Seat | None = field(SeatOf(), None)
    bouts: tuple[Bout, ...] | None = field(ListOf(Nested(Bout), 0, 200), None)
    misdeal: str | None = field(Choice(MISDEALS), None)
    by: Seat | None = field(SeatOf(), None)
    walked_out: Seat | None = field(SeatOf(), None)
    walked_after: int | None = field(Integer(0, 200), None)
    sixes: int | None = field(Integer(0, 4), None)
    order: tuple[Seat, ...] | None = field(SEATS, None)
    note: str | None = field(Text(lines=True), None)

    @property
    def left(self) -> tuple[Seat, ...]:
        """The players who left the table, in bouts that were cancelled or as `walked_out` says."""
        cancelled = (seat for bout in self.bouts or () if bout.result == CANCELLED for seat in bout.out)
        return tuple(dict.fromkeys([*cancelled, *([self.walked_out] if self.walked_out else [])]))


@dataclass(frozen=True, slots=True)
class Touch:
    """The touching, or cutting, of the coming hand's cards by a player."""

    type: str = field(Choice(("touch",)))
    by: Seat = field(SeatOf())
    cards: str = field(Choice(("touched", "cut")))
    note: str | None = field(Text(lines=True), None)


@dataclass(frozen=True, slots=True)
class Close:
    """The end of the session."""

    type: str = field(Choice(("close",)))
    note: str | None = field(Text(lines=True), None)


Entry = Hand | Touch | Close

TYPES: dict[str, type[Entry]] = {"hand": Hand, "touch": Touch, "close": Close}


def read_entry(ruleset: BeatingRuleset, entry: Any, path: str) -> Entry:
    """Read an entry from its JSON; `path` is its position, for error messages.

    :raises Unreadable: if it is invalid.
    """
    if not isinstance(entry, dict):
        raise Unreadable(path, Message("an object"), entry)
    if "type" not in entry:
        raise Missing(join_path(path, "type"))
    kind = Choice(tuple(TYPES)).read(entry["type"], join_path(path, "type"), ruleset.table)
    parsed: Entry = parse(TYPES[kind], entry, path, ruleset.table)
    if isinstance(parsed, Hand):
        with contradictions():
            _check_hand(ruleset, parsed, path)
    return parsed


def _check_hand(ruleset: BeatingRuleset, hand: Hand, path: str) -> None:
    """Check that a hand's facts can stand together.

    :raises Unreadable: for the first that cannot.
    """
    if hand.misdeal is not None:
        _check_misdeal(hand, path)
    elif hand.by is not None:
        expected = Message("left out: who demanded it is stated only of a misdeal")
        raise Unreadable(join_path(path, "by"), expected, hand.by)
    if hand.loser == UNSTATED and hand.misdeal is None and not hand.left:
        raise Missing(join_path(path, "loser"))
    if hand.deals is not None and not ruleset.ring.partnerships:
        expected = Message("left out: only a team names who deals, and here the fool deals")
        raise Unreadable(join_path(path, "deals"), expected, hand.deals)
    _check_walk_out(hand, path)
    if hand.sixes is not None and not ruleset["epaulettes"]:
        expected = Message("left out: here no epaulettes are written")
        raise Unreadable(join_path(path, "sixes"), expected, hand.sixes)
    if hand.order is not None and len(set(hand.order)) < len(hand.order):
        raise Unreadable(join_path(path, "order"), Message("different seats"), list(hand.order))
    for n, bout in enumerate(hand.bouts or ()):
        _check_bout(ruleset, bout, join_path(path, f"bouts[{n}]"))


def _check_misdeal(hand: Hand, path: str) -> None:
    """Check that nothing is stated of the play of a hand that was not played."""
    stated = {
        "loser": None if hand.loser == UNSTATED else hand.loser or "null",
        "deals": hand.deals,
        "first_attacker": hand.first_attacker,
        "bouts": None if hand.bouts is None else [],
        "walked_out": hand.walked_out,
        "sixes": hand.sixes,
        "order": None if hand.order is None else list(hand.order),
    }
    for key, value in stated.items():
        if value is not None:
            expected = Message("left out: after a misdeal the hand is not played")
            raise Unreadable(join_path(path, key), expected, value)
    if hand.by is None:
        raise Missing(join_path(path, "by"))


def _check_walk_out(hand: Hand, path: str) -> None:
    """Check that somebody left if it is stated after how many bouts, and that there were so many."""
    if hand.walked_after is None:
        return
    at = join_path(path, "walked_after")
    if hand.walked_out is None:
        raise Unreadable(at, Message("left out: nobody walked out"), hand.walked_after)
    if hand.walked_after > len(hand.bouts or ()):
        expected = Message("at most {most}, the number of bouts", most=len(hand.bouts or ()))
        raise Unreadable(at, expected, hand.walked_after)


def _check_bout(ruleset: BeatingRuleset, bout: Bout, path: str) -> None:
    if ruleset.ring.side(bout.attacker) == ruleset.ring.side(bout.defender):
        raise Unreadable(join_path(path, "defender"), Message("an opponent of the attacker"), bout.defender)
    if len(set(bout.out)) < len(bout.out):
        raise Unreadable(join_path(path, "out"), Message("different seats"), list(bout.out))
    if bout.result == CANCELLED and not bout.out:
        raise Unreadable(join_path(path, "out"), Message("who left the table in a cancelled bout"), [])
