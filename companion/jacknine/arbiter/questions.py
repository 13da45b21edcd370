"""What the arbiter can be asked about a deal, and the facts each question takes, as shapes of JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.jacknine.entries import BIG, POINTS, Count, Deal, DealOf, Declared, DeclaredFour, Trickless
from companion.jacknine.ruleset import Ruleset
from companion.rules.cards import Card
from companion.rules.message import Message, Word
from companion.rules.schema import (
    CardOf,
    Choice,
    Flag,
    Many,
    Maybe,
    SeatOf,
    Shaped,
    SideOf,
    Table,
    Text,
    TrumpOf,
    TurnUp,
    Unreadable,
    Whole,
    by_seat,
    by_side,
    given,
)
from companion.rules.seats import Seat, Side

TRUMP = Message("Trumps")
ELDER = Message("{word}", word=Word("elder"))
HELD = Message("Held points")
LAST = Message("Took the last trick")
TRICKLESS = Message("Took no trick")
UNKNOWN = "unknown"
"""A fact that nobody has told; nothing told is null."""


@dataclass(frozen=True, slots=True)
class CallOf(Text):
    """One call of the bidding; what may be said next follows from those before."""


@dataclass(frozen=True, slots=True)
class OffenceOf(Text):
    """What somebody did wrong, by the name the game has for it."""

    def choices(self, ruleset: Ruleset) -> tuple[str, ...]:
        """The offences that this game knows, those that cost runs among them."""
        return (*ruleset["offences"], *ruleset["offences_runs"])


@dataclass(frozen=True, slots=True)
class Play:
    """May this card be played?"""

    hand: tuple[Card, ...] = given(Many(CardOf(), 1, 9), label=Message("The whole hand"))
    trick: tuple[Card, ...] = given(
        Many(CardOf(), 0, 3), label=Message("On the table, leader first"), ordered=True
    )
    trump: str = given(TrumpOf(), label=TRUMP)
    card: Card = given(CardOf(), label=Message("The card in question"), among="hand")


@dataclass(frozen=True, slots=True)
class Trick:
    """Who takes this trick?"""

    trick: tuple[Card, ...] = given(
        Many(CardOf(), 1, 4), label=Message("The trick, leader first"), ordered=True
    )
    leader: Seat = given(SeatOf(), label=Message("Who led"))
    trump: str = given(TrumpOf(), label=TRUMP)
    last: bool = given(Flag(), False, label=Message("It was the last trick"))


@dataclass(frozen=True, slots=True)
class Runs:
    """Whose runs stand?"""

    trump: str = given(TrumpOf(), label=TRUMP)
    declared: tuple[Declared, ...] = given(Many(Shaped(Declared), 0, 12), label=Message("Declared runs"))
    fours: tuple[DeclaredFour, ...] = given(
        Many(Shaped(DeclaredFour), 0, 8), (), label=Message("Fours of a kind"), aside=True
    )
    elder: Seat | None = given(SeatOf(), None, label=ELDER)
    asked_rost: tuple[Seat, ...] = given(
        Many(SeatOf(), 0, 4), (), label=Message("Who asked how high"), aside=True
    )
    hands: Mapping[Seat, tuple[Card, ...]] | None = given(
        by_seat(Many(CardOf(), 1, 9)), None, label=Message("Hands, as proof"), aside=True
    )
    trickless: Side | tuple[Side, ...] | None = given(Trickless(), None, label=TRICKLESS, aside=True)


@dataclass(frozen=True, slots=True)
class SaidAt:
    """When bela was said: null for never, `"run"`, the number of a card, or two of them."""

    def read(self, value: Any, path: str, table: Table) -> str | int | tuple[int, ...] | None:
        """The moment, checked. :raises Unreadable: for anything else."""
        if value is None or value == "run":
            return value  # type: ignore[no-any-return]  # None or that word
        if isinstance(value, list) and len(value) == 2:
            return tuple(Whole(1, 9).read(one, f"{path}[{i}]", table) for i, one in enumerate(value))
        if type(value) is int:
            return Whole(1, 9).read(value, path, table)
        raise Unreadable(path, Message('null, "run", the number of a card, or two such numbers'), value)


@dataclass(frozen=True, slots=True)
class Bela:
    """Does king and queen of trumps count?"""

    seat: Seat = given(SeatOf(), label=Message("Who holds it"))
    trump: str = given(TrumpOf(), label=TRUMP)
    said_at: str | int | tuple[int, ...] | None = given(SaidAt(), label=Message("When it was said"))
    hand: tuple[Card, ...] | None = given(
        Many(CardOf(), 0, 9), None, label=Message("Still in hand"), aside=True
    )
    played: tuple[Card, ...] | None = given(
        Many(CardOf(), 0, 9), None, label=Message("Cards played so far, in order"), ordered=True
    )


@dataclass(frozen=True, slots=True)
class Seven:
    """May the seven be swapped?"""

    seat: Seat = given(SeatOf(), label=Message("Who wants to swap"))
    trump: str = given(TrumpOf(), label=TRUMP)
    turn_up: Card = given(CardOf(), label=Message("The turned card"))
    cards_played: int = given(Whole(0, 36), label=Message("Cards played so far"))
    elder: Seat | None = given(SeatOf(), None, label=ELDER, aside=True)
    hand: tuple[Card, ...] | None = given(Many(CardOf(), 0, 9), None, label=Message("The hand"), aside=True)
    with_: Card | None = given(
        CardOf(), None, label=Message("Another card to be taken"), name="with", aside=True
    )
    turned: bool | None = given(Flag(), None, label=Message("The turned suit was chosen"), aside=True)


@dataclass(frozen=True, slots=True)
class Bidding:
    """Is this bid allowed, and who speaks?"""

    elder: Seat = given(SeatOf(), label=ELDER)
    turn_up: Card | str = given(TurnUp(), label=Message("The turned card"))
    calls: tuple[str, ...] = given(Many(CallOf(20, 1), 0, 99), label=Message("What was said"), ordered=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What does this deal come to?"""

    declarer: Seat = given(SeatOf(), label=Message("Who chose trumps"))
    made: Mapping[Side, int] = given(by_side(POINTS), label=Message("Made, words and all"))
    dealer: Seat | None = given(SeatOf(), None, label=Message("Who dealt"))
    totals: Mapping[Side, int] | None = given(by_side(BIG), None, label=Message("Totals before the deal"))
    held: tuple[int, ...] = given(Many(Whole(1, 9999), 0, 50), (), label=HELD, aside=True)
    trickless: Side | tuple[Side, ...] | None = given(Trickless(), None, label=TRICKLESS, aside=True)
    last: Side | None = given(SideOf(), None, label=LAST, aside=True)


@dataclass(frozen=True, slots=True)
class Finish:
    """Is it enough?"""

    caller: Seat = given(SeatOf(), label=Message("Who called"))
    totals: Mapping[Side, int] = given(by_side(BIG), label=Message("Totals before the deal"))
    at: str = given(Choice(("play", "result")), "play", label=Message("When it was said"), aside=True)
    after_trick: int | None = given(Whole(0, 9), None, label=Message("After which trick"))
    took_trick: bool | None = given(Flag(), None, label=Message("The caller took that trick"))
    next_card: bool = given(Flag(), False, label=Message("A card has been played since"))
    cards: int | None = given(POINTS, None, label=Message("Card points in the caller’s tricks"))
    jass: bool = given(Flag(), False, label=Message("{word} in those tricks", word=Word("jass")))
    nine: bool = given(Flag(), False, label=Message("{word} in those tricks", word=Word("nine")))
    bela: bool = given(Flag(), False, label=Message("{word}, declared by the caller", word=Word("bela")))
    runs: int = given(POINTS, 0, label=Message("Points of the caller’s runs that stand"))
    held: tuple[int, ...] = given(Many(Whole(1, 9999), 0, 50), (), label=HELD, aside=True)


@dataclass(frozen=True, slots=True)
class Winner:
    """Who has won?"""

    totals: Mapping[Side, int] = given(by_side(BIG), label=Message("Totals after the deal"))
    declarer: Seat | None = given(SeatOf(), None, label=Message("Who chose trumps"))
    last: Side | None = given(SideOf(), None, label=LAST, aside=True)
    trickless: Side | tuple[Side, ...] | None = given(Trickless(), None, label=TRICKLESS, aside=True)


@dataclass(frozen=True, slots=True)
class Stock:
    """All the points of a deal: cards with honours and last trick, genuine runs and bela of both sides."""

    cards: int = given(
        POINTS,
        label=Message(
            "All cards, with {jass}, {nine} and {last}",
            jass=Word("jass"),
            nine=Word("nine"),
            last=Word("last"),
        ),
    )
    runs: int = given(POINTS, 0, label=Message("Points of all genuine runs"))
    bela: int = given(POINTS, 0, label=Message("Points of a genuine {word}", word=Word("bela")))


@dataclass(frozen=True, slots=True)
class Penalty:
    """What does this offence cost?"""

    offence: str = given(OffenceOf(40, 1), label=Message("What happened"))
    by: Side = given(SideOf(), label=Message("Who did it"))
    dealer: Seat = given(SeatOf(), label=Message("Who dealt"))
    points: Stock = given(Shaped(Stock), label=Message("What the deal holds"))
    held: tuple[int, ...] = given(Many(Whole(1, 9999), 0, 50), (), label=HELD, aside=True)
    taken_back: bool = given(Flag(), False, label=Message("Taken back before the trick was turned"))


@dataclass(frozen=True, slots=True)
class Counts:
    """Can these counts be right?"""

    made: Mapping[Side, int] | None = given(by_side(POINTS), None, label=Message("Made, words and all"))
    count: Count | None = given(Shaped(Count), None, label=Message("Or as it was counted"))
    trump: str | None = given(TrumpOf(), None, label=TRUMP, aside=True)
    out: tuple[Card, ...] = given(
        Many(CardOf(), 0, 14), (), label=Message("Known to be out of play"), aside=True
    )
    runs: tuple[Declared, ...] | None = given(
        Many(Shaped(Declared), 0, 12), None, label=Message("Runs contained in it"), aside=True
    )
    bela: Seat | None = given(
        Maybe(SeatOf()), UNKNOWN, label=Message("{word} contained in it", word=Word("bela")), aside=True
    )
    last: Side | None = given(SideOf(), None, label=LAST, aside=True)
    tricks: Mapping[Side, int] | None = given(
        by_side(Whole(0, 9), whole=False), None, label=Message("Tricks taken"), aside=True
    )
    exchanged: Seat | None = given(
        Maybe(SeatOf()), UNKNOWN, label=Message("Who swapped the seven"), aside=True
    )
    turn_up: Card | None = given(CardOf(), None, label=Message("The turned card"), aside=True)
    shown: Card | None = given(CardOf(), None, label=Message("The other face-up card"), aside=True)
    taken: Mapping[Side, tuple[Card, ...]] | None = given(
        by_side(Many(CardOf(), 0, 32), whole=False),
        None,
        label=Message("Known to be in the tricks of"),
        aside=True,
    )


@dataclass(frozen=True, slots=True)
class Audit:
    """What was wrong in this deal?"""

    deal: Deal = given(DealOf(), label=Message("The deal, card by card, as a record has it"))
    made: Mapping[Side, int] | None = given(by_side(POINTS), None, label=Message("Written, words and all"))
    held: tuple[int, ...] = given(Many(Whole(1, 9999), 0, 50), (), label=HELD, aside=True)
    asked_rost: tuple[Seat, ...] = given(
        Many(SeatOf(), 0, 4), (), label=Message("Who asked how high"), aside=True
    )


@dataclass(frozen=True, slots=True)
class Claim:
    """Is the rest mine? Or so many points of it, or with it the contract, made or brought down?"""

    hands: Mapping[Seat, tuple[Card, ...]] = given(
        by_seat(Many(CardOf(), 0, 9), whole=True), label=Message("The cards left")
    )
    leader: Seat = given(SeatOf(), label=Message("Who leads"))
    trump: str = given(TrumpOf(), label=TRUMP)
    claimer: Seat = given(SeatOf(), label=Message("Who claims"))
    trick: tuple[Card, ...] = given(
        Many(CardOf(), 0, 3), (), label=Message("On the table, leader first"), ordered=True, aside=True
    )
    wants: int | None = given(
        Whole(1, 999), None, label=Message("Only so many points of the rest"), aside=True
    )
    declarer: Seat | None = given(
        SeatOf(), None, label=Message("For the contract: who chose trumps"), aside=True
    )
    made: Mapping[Side, int] | None = given(
        by_side(POINTS), None, label=Message("For the contract: made so far, words and all"), aside=True
    )


@dataclass(frozen=True, slots=True)
class Pencil:
    """What a wrong writing moves."""

    by: Side = given(SideOf(), label=Message("Who wrote it"))
    wrote: int = given(Whole(0, 9999), label=Message("Written"))
    should: int = given(Whole(0, 9999), label=Message("Right would have been"))
    cut: bool | None = given(Flag(), None, label=Message("The next deal has been cut"))


@dataclass(frozen=True, slots=True)
class Dive:
    """May the stake be doubled?"""

    by: Side = given(SideOf(), label=Message("Who offers"))
    stake: int = given(Whole(1, 4096), 1, label=Message("The stake now"))
    doubled_last: Side | None = given(SideOf(), None, label=Message("Who doubled last"))
    totals: Mapping[Side, int] | None = given(by_side(BIG), None, label=Message("Totals"), aside=True)


def idle(ruleset: Ruleset) -> frozenset[str]:
    """Facts by which no answer of this game can change, so that nobody need be asked for them."""
    told = {
        "fours": bool(ruleset.fours),
        "asked_rost": ruleset["rost"] == "strict" or (ruleset.ring.size == 2 and not ruleset.fours),
        "held": "held" in ruleset.book.words,
        "out": not ruleset.all_dealt,
        "exchanged": ruleset["seven"] != "never",
        "shown": ruleset.shows_card,
    }
    return frozenset(name for name, matters in told.items() if not matters)
