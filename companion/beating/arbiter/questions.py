"""The questions to the arbiter about a hand: facts as schemas, and those that make a difference."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.beating.bout import Roles, caps_first_defence
from companion.beating.entries import SEATS, OneOrMany, Transfer
from companion.beating.ruleset import BeatingRuleset
from companion.beating.steps import BoutStep
from companion.beating.talon import ORIGINS
from companion.beating.turn import BEATEN_OFF, PICKED_UP
from companion.rules.cards import Card
from companion.rules.errors import Unreadable
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
    TrumpOf,
    by_seat,
    field,
    name_schema,
)
from companion.rules.seats import Seat, Side

TRUMP = Message("Trumps")
ATTACKER = Message("Principal attacker")
DEFENDER = Message("Defender")
OUT = Message("Out, without cards")
FIRST_BOUT = Message("First bout of the hand")
NONE_BEATEN_OFF = Message("No bout of the hand was beaten off before")
PICKING_UP = Message("The defender picks up")
SHOWN_TRUMP = Message("First attack of the first hand: the trump shown for it")
ON_TABLE = Message("On the table: each attack card, and what beat it")
MAX_ATTACKS = 52
"""The most attack cards of a bout if only the defender's hand caps them."""
PAIRS = ListOf(ListOf(CardOf(), 1, 2), 0, MAX_ATTACKS)
"""The cards on the table: each attack card, and the one that beat it."""
FEW_CARDS = 7
"""One more than a capped bout's attack cards: more cards of the defender make no difference then."""
UNKNOWN = "unknown"
"""The value of a fact left out, where null means that nobody has it."""


@dataclass(frozen=True, slots=True)
class CountOrCards:
    """The kind of a player's cards: their number (0 to 52), or a list of them."""

    def read(self, value: Any, path: str, table: Table) -> int | tuple[Card, ...]:
        """Read the number, or the cards.

        :raises Unreadable: for anything else.
        """
        if isinstance(value, list):
            return ListOf(CardOf(), 0, 52).read(value, path, table)
        return Integer(0, 52).read(value, path, table)

    def describe(self, table: Table) -> dict[str, Any]:
        either = [ListOf(CardOf(), 0, 52).describe(table), Integer(0, 52).describe(table)]
        return name_schema("CardsOrNumber", {"anyOf": either})


@dataclass(frozen=True, slots=True)
class BeatFacts:
    """The facts of the question whether a card beats another."""

    attack: Card = field(CardOf(), label=Message("The attack card"), heap="bout")
    card: Card = field(CardOf(), label=Message("The card to beat it with"), name="with", heap="bout")
    trump: str = field(TrumpOf(), label=TRUMP)


@dataclass(frozen=True, slots=True)
class ThrowInFacts:
    """The facts of the question whether cards may be thrown in."""

    attacker: Seat = field(SeatOf(), label=ATTACKER)
    defender: Seat = field(SeatOf(), label=DEFENDER)
    by: Seat = field(SeatOf(), label=Message("Who wants to throw in"))
    table: tuple[tuple[Card, ...], ...] = field(PAIRS, label=ON_TABLE, heap="bout")
    cards: tuple[Card, ...] = field(
        OneOrMany(), label=Message("The card, or the cards at once"), name="card", heap="bout"
    )
    defender_cards: int = field(
        Integer(0, 52), label=Message("Cards the defender held when the bout began"), few=FEW_CARDS
    )
    picking_up: bool = field(Boolean(), False, label=PICKING_UP)
    first_bout: bool = field(Boolean(), False, label=FIRST_BOUT)
    none_beaten_off: bool = field(Boolean(), False, label=NONE_BEATEN_OFF)
    stopped: tuple[Seat, ...] | None = field(
        SEATS, None, label=Message("Only these have stopped"), folded=True
    )
    out: tuple[Seat, ...] = field(SEATS, (), label=OUT, folded=True)
    trump: str | None = field(TrumpOf(), None, label=TRUMP, folded=True)
    shown_trump: Card | None = field(CardOf(), None, label=SHOWN_TRUMP, folded=True)


@dataclass(frozen=True, slots=True)
class TransferFacts:
    """The facts of the question whether an attack may be transferred."""

    defender: Seat = field(SeatOf(), label=Message("Who would transfer"))
    table: tuple[tuple[Card, ...], ...] = field(
        PAIRS, label=Message("On the table"), heap="bout", waiting=True
    )
    cards: tuple[Card, ...] = field(
        OneOrMany(), label=Message("The card to transfer with"), name="card", heap="bout"
    )
    next_cards: int = field(Integer(0, 52), label=Message("Cards the next player holds"), few=4)
    shown: bool = field(Boolean(), False, label=Message("The card is only shown"))
    shown_before: bool = field(
        Boolean(), False, label=Message("Shown by the same player in this hand already"), where="shown=true"
    )
    picking_up: bool = field(Boolean(), False, label=PICKING_UP, folded=True)
    first_bout: bool = field(Boolean(), False, label=FIRST_BOUT)
    out: tuple[Seat, ...] = field(SEATS, (), label=OUT, folded=True)
    trump: str | None = field(TrumpOf(), None, label=TRUMP)


@dataclass(frozen=True, slots=True)
class BoutFacts:
    """The facts of the question whether a bout is beaten off, and who draws."""

    attacker: Seat = field(SeatOf(), label=ATTACKER)
    defender: Seat = field(SeatOf(), label=DEFENDER)
    trump: str = field(TrumpOf(), label=TRUMP)
    talon: int = field(Integer(0, 52), label=Message("Cards in the talon, the face-up trump among them"))
    cards: Mapping[Seat, int | tuple[Card, ...]] = field(
        by_seat(CountOrCards()), label=Message("Cards held when the bout began")
    )
    steps: tuple[BoutStep, ...] = field(
        ListOf(Nested(BoutStep), 0, 60), label=Message("What was played, in order"), ordered=True
    )
    first_bout: bool = field(Boolean(), False, label=FIRST_BOUT)
    none_beaten_off: bool = field(Boolean(), False, label=NONE_BEATEN_OFF)
    out: tuple[Seat, ...] = field(SEATS, (), label=OUT, folded=True)
    shown_trump: Card | None = field(CardOf(), None, label=SHOWN_TRUMP, folded=True)


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """The facts of the question who attacks whom after a bout."""

    attacker: Seat = field(SeatOf(), label=Message("Who attacked"))
    defender: Seat = field(SeatOf(), label=Message("Who defended"))
    result: str = field(Choice((BEATEN_OFF, PICKED_UP)), label=Message("The bout was"))
    transfers: tuple[Transfer, ...] = field(
        ListOf(Nested(Transfer), 0, MAX_ATTACKS), (), label=Message("Transferred in it"), ordered=True
    )
    out: tuple[Seat, ...] = field(SEATS, (), label=Message("Out of cards after it"))


@dataclass(frozen=True, slots=True)
class SixFacts:
    """The facts of the question whether the lowest trump may be swapped."""

    got: str = field(Choice(ORIGINS), label=Message("The lowest trump was"))
    turn_up: Card = field(CardOf(suited=True), label=Message("The face-up trump"))
    talon: int = field(Integer(0, 52), label=Message("Cards left in the talon"), few=2)
    exhausting_round: bool = field(
        Boolean(), False, label=Message("Drawn in the round that emptied the talon"), where="talon=0"
    )
    next_bout_begun: bool = field(Boolean(), False, label=Message("The next bout has begun"), where="talon=0")


@dataclass(frozen=True, slots=True)
class NextHandFacts:
    """The facts of the question who deals the next hand, and who attacks whom."""

    result: str = field(Choice(("first", "loss", "draw")), label=Message("The hand before"))
    dealer: Seat | None = field(
        SeatOf(), None, label=Message("Who dealt it (first hand: who deals)"), where="result=first,draw"
    )
    loser: Side | None = field(SideOf(), None, label=Message("Who lost"), where="result=loss")
    deals: Seat | None = field(
        SeatOf(), None, label=Message("Which of the losers deals"), where="result=loss"
    )
    lowest_trump: Seat | str | None = field(
        Nullable(SeatOf()), UNKNOWN, label=Message("Who holds the lowest trump"), where="result=first"
    )
    lot: Seat | None = field(
        SeatOf(),
        None,
        label=Message("The player chosen by lot, as nobody holds a trump"),
        where="lowest_trump=none",
    )


def check_opponents(ruleset: BeatingRuleset, attacker: Seat, defender: Seat) -> None:
    """Require the defender to be an opponent of the attacker.

    :raises Unreadable: if they are partners.
    """
    if ruleset.ring.side(attacker) == ruleset.ring.side(defender):
        raise Unreadable("defender", Message("an opponent of the attacker"), defender)


def find_irrelevant_facts(ruleset: BeatingRuleset, question: str) -> frozenset[str]:
    """The keys of facts by which no answer to a question can change under these conventions."""
    ring = ruleset.ring
    transfers = ruleset.transfers_attacks()
    first_defence = caps_first_defence(ruleset, Roles("", "", first_bout=True))
    lasts = first_defence and ruleset.has_option("first_defence_until", "beaten-off")
    first_transfer = transfers and ruleset.has_option("transfer_first", "off")
    by_trump = ruleset.has_option("first_hand", "lowest-trump")
    matters = {
        "deals": ring.partnerships,
        "lowest_trump": by_trump,
        "lot": by_trump and ruleset.has_option("no_trump_start", "lot"),
        "none_beaten_off": lasts,
        "first_bout": (first_transfer and question != "throw-in")
        or (first_defence and not lasts and question != "transfer"),
        "shown": ruleset.shows_trumps(),
        "shown_trump": ruleset.opens_with_lowest_trump(),
        "shown_before": ruleset.shows_trumps(),
        "transfers": transfers,
        "trump": question != "transfer" or ruleset.shows_trumps(),
        "stopped": ring.size > 2,
        "out": ring.size > 2 or question == "turn",
        "exhausting_round": not ruleset["severnyi"],
        "next_bout_begun": not ruleset["severnyi"],
    }
    return frozenset(key for key, does in matters.items() if not does)


def find_notes(ruleset: BeatingRuleset, question: str) -> Mapping[str, Message]:
    """Notes under these conventions on facts, by their keys."""
    notes = dict[str, Message]()
    if question == "next-hand" and (ruleset.misdeals or not ruleset.has_option("walk_out", "fool")):
        notes["result"] = Message("The last one that counted: not one that was dealt again, nor a void one.")
    if ruleset.plays_on():
        notes["out"] = Message("Whoever left the table is out as well.")
    return notes
