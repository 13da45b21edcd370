"""The facts that each question to the arbiter takes, as shapes of JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.jacknine.entries import (
    DOUBLE,
    FALSE_MELDS,
    HELD_POINTS,
    TOTAL,
    Belas,
    BidPoints,
    Deal,
    DealOf,
    FalseMeld,
    Trickless,
)
from companion.jacknine.phases.bela import Moment
from companion.jacknine.phases.count import POINTS
from companion.jacknine.phases.melds import FOURS, RUNS, DeclaredFour, DeclaredRun
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.solver.facts import LAST, TRUMP
from companion.rules.cards import Card
from companion.rules.errors import Unreadable
from companion.rules.message import Message, Word
from companion.rules.schema import (
    Boolean,
    CardOf,
    Choice,
    Integer,
    ListOf,
    Nested,
    SeatOf,
    SideOf,
    Table,
    Text,
    TrumpOf,
    TurnUp,
    by_seat,
    by_side,
    field,
    name_schema,
)
from companion.rules.seats import Seat, Side

ELDER = Message("{word}", word=Word("elder"))
HELD = Message("Held points")
TRICKLESS = Message("Took no trick")
CONTAINED_BELA = Message("{word} contained in it", word=Word("bela"))
FALSE = Message("Melds that could not be shown")
BID = Message("What was bid")
TIMES = Message("How often it counts")
PLAYED = Message("Deals played, with this one")
ALONE = Message("The bidder took every trick alone")
ASKED = Message("Who asked how high")
BY_BELA = Message("At the target by {word} alone, baited or without a trick", word=Word("bela"))
ON_TABLE = Message("On the table, leader first")
HONOURS = {name: Word(name) for name in ("jass", "nine", "last")}

MOST = 10
"""The most cards of a hand."""
HAND = ListOf(CardOf(), 0, MOST)
OPEN_TRICK = ListOf(CardOf(), 0, 3)
SEATS = ListOf(SeatOf(), 0, 4)


@dataclass(frozen=True, slots=True)
class CallOf(Text):
    """One call of the bidding; the calls before it decide what may be said."""


@dataclass(frozen=True, slots=True)
class OffenceOf(Text):
    """An offence, by the name the game has for it."""

    def choices(self, ruleset: JackNineRuleset) -> tuple[str, ...]:
        """The offences that this game knows, those that cost runs among them."""
        return (*ruleset["offences"], *ruleset["offences_runs"])


@dataclass(frozen=True, slots=True)
class PlayFacts:
    """The facts of the question whether a card may be played."""

    hand: tuple[Card, ...] = field(ListOf(CardOf(), 1, MOST), label=Message("The whole hand"))
    trick: tuple[Card, ...] = field(OPEN_TRICK, label=ON_TABLE, ordered=True)
    trump: str = field(TrumpOf(), label=TRUMP)
    card: Card = field(CardOf(), label=Message("The card in question"), among="hand")


@dataclass(frozen=True, slots=True)
class TrickFacts:
    """The facts of the question who takes a trick."""

    trick: tuple[Card, ...] = field(
        ListOf(CardOf(), 1, 4), label=Message("The trick, leader first"), ordered=True
    )
    leader: Seat = field(SeatOf(), label=Message("Who led"))
    trump: str = field(TrumpOf(), label=TRUMP)
    last: bool = field(Boolean(), False, label=Message("It was the last trick"))


@dataclass(frozen=True, slots=True)
class RunsFacts:
    """The facts of the question whose runs stand."""

    trump: str = field(TrumpOf(), label=TRUMP)
    declared: tuple[DeclaredRun, ...] = field(RUNS, label=Message("Declared runs"))
    fours: tuple[DeclaredFour, ...] = field(FOURS, (), label=Message("Fours of a kind"), folded=True)
    elder: Seat | None = field(SeatOf(), None, label=ELDER)
    asked_rost: tuple[Seat, ...] = field(SEATS, (), label=ASKED, folded=True)
    hands: Mapping[Seat, tuple[Card, ...]] | None = field(
        by_seat(ListOf(CardOf(), 1, MOST)), None, label=Message("Hands, as proof"), folded=True
    )
    trickless: Side | tuple[Side, ...] | None = field(Trickless(), None, label=TRICKLESS, folded=True)
    declarer: Seat | None = field(SeatOf(), None, label=Message("Who chose trumps"))


@dataclass(frozen=True, slots=True)
class SaidAt:
    """The moment at which bela was said: null for never, `"run"`, the number of a card, or two of them."""

    def read(self, value: object, path: str, table: Table) -> Moment:
        """Read the moment.

        :raises Unreadable: for anything else.
        """
        if value is None:
            return None
        if value == "run":
            return "run"
        if isinstance(value, list) and len(value) == 2:
            return tuple(Integer(1, MOST).read(card, f"{path}[{i}]", table) for i, card in enumerate(value))
        if type(value) is int:
            return Integer(1, MOST).read(value, path, table)
        raise Unreadable(path, Message('null, "run", the number of a card, or two such numbers'), value)

    def describe(self, table: Table) -> dict[str, Any]:
        """The same as JSON Schema."""
        card = Integer(1, MOST)
        either = [
            {"type": "null"},
            {"enum": ["run"]},
            card.describe(table),
            ListOf(card, 2, 2).describe(table),
        ]
        return name_schema("Moment", {"anyOf": either})


@dataclass(frozen=True, slots=True)
class BelaFacts:
    """The facts of the question whether king and queen of trumps count."""

    seat: Seat = field(SeatOf(), label=Message("Who holds it"))
    trump: str = field(TrumpOf(), label=TRUMP)
    said_at: Moment = field(SaidAt(), label=Message("When it was said"))
    hand: tuple[Card, ...] | None = field(HAND, None, label=Message("Still in hand"), folded=True)
    played: tuple[Card, ...] | None = field(
        HAND, None, label=Message("Cards played so far, in order"), ordered=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SevenFacts:
    """The facts of the question whether the seven may be swapped."""

    seat: Seat = field(SeatOf(), label=Message("Who wants to swap"))
    trump: str = field(TrumpOf(), label=TRUMP)
    turn_up: Card | None = field(CardOf(), None, label=Message("The turned card"))
    cards_played: int = field(Integer(0, 36), label=Message("Cards played so far"))
    elder: Seat | None = field(SeatOf(), None, label=ELDER, folded=True)
    hand: tuple[Card, ...] | None = field(HAND, None, label=Message("Cards in hand"), folded=True)
    with_: Card | None = field(
        CardOf(), None, label=Message("Another card to be taken"), name="with", folded=True
    )
    turned: bool | None = field(Boolean(), None, label=Message("The turned suit was chosen"), folded=True)
    declarer: Seat | None = field(SeatOf(), None, label=Message("Who chose trumps"))
    first_six: bool | None = field(
        Boolean(), None, label=Message("The seven was among the cards dealt before the bidding")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionFacts:
    """The facts of the question whether a bid is allowed, and who speaks."""

    elder: Seat = field(SeatOf(), label=ELDER)
    turn_up: Card | str | None = field(TurnUp(), None, label=Message("The turned card"))
    calls: tuple[str, ...] = field(ListOf(CallOf(20, 1), 0, 99), label=Message("What was said"), ordered=True)


@dataclass(frozen=True, slots=True)
class OutcomeFacts:
    """The facts of the question how a deal is scored."""

    declarer: Seat = field(SeatOf(), label=Message("Who chose trumps"))
    made: Mapping[Side, int] = field(by_side(POINTS), label=Message("Made, words and all"))
    points: int | str | None = field(BidPoints(), None, label=BID)
    double: int = field(DOUBLE, 1, label=TIMES, folded=True)
    trump: str | None = field(TrumpOf(), None, label=TRUMP, folded=True)
    dealer: Seat | None = field(SeatOf(), None, label=Message("Who dealt"))
    totals: Mapping[Side, int] | None = field(by_side(TOTAL), None, label=Message("Totals before the deal"))
    held: tuple[int, ...] = field(HELD_POINTS, (), label=HELD, folded=True)
    trickless: Side | tuple[Side, ...] | None = field(Trickless(), (), label=TRICKLESS, folded=True)
    last: Side | None = field(SideOf(), None, label=LAST, folded=True)
    bela: Seat | tuple[Seat, ...] | None = field(Belas(), None, label=CONTAINED_BELA, folded=True)
    false_melds: tuple[FalseMeld, ...] = field(FALSE_MELDS, (), label=FALSE, folded=True)
    played: int | None = field(Integer(1, 999), None, label=PLAYED, folded=True)
    alone: bool | None = field(Boolean(), None, label=ALONE, folded=True)
    melds: Side | None = field(SideOf(), None, label=Message("Whose melds are in it"), folded=True)


@dataclass(frozen=True, slots=True)
class FinishFacts:
    """The facts of the question whether a call ends the game."""

    caller: Seat = field(SeatOf(), label=Message("Who called"))
    totals: Mapping[Side, int] = field(by_side(TOTAL), label=Message("Totals before the deal"))
    at: str = field(Choice(("play", "result")), "play", label=Message("When it was said"), folded=True)
    after_trick: int | None = field(Integer(0, MOST), None, label=Message("After which trick"))
    took_trick: bool | None = field(Boolean(), None, label=Message("The caller took that trick"))
    next_card: bool = field(Boolean(), False, label=Message("A card has been played since"))
    cards: int | None = field(POINTS, None, label=Message("Card points in the caller’s tricks"))
    jass: bool = field(Boolean(), False, label=Message("{word} in those tricks", word=Word("jass")))
    nine: bool = field(Boolean(), False, label=Message("{word} in those tricks", word=Word("nine")))
    bela: bool = field(Boolean(), False, label=Message("{word}, declared by the caller", word=Word("bela")))
    runs: int = field(POINTS, 0, label=Message("Points of the caller’s runs that stand"))
    held: tuple[int, ...] = field(HELD_POINTS, (), label=HELD, folded=True)


@dataclass(frozen=True, slots=True)
class WinnerFacts:
    """The facts of the question who has won."""

    totals: Mapping[Side, int] = field(by_side(TOTAL), label=Message("Totals after the deal"))
    declarer: Seat | None = field(SeatOf(), None, label=Message("Who chose trumps"))
    last: Side | None = field(SideOf(), None, label=LAST, folded=True)
    trickless: Side | tuple[Side, ...] | None = field(Trickless(), None, label=TRICKLESS, folded=True)
    played: int | None = field(Integer(1, 999), None, label=PLAYED, folded=True)
    by_belote: Side | tuple[Side, ...] | None = field(Trickless(), None, label=BY_BELA, folded=True)
    by_bela: Side | tuple[Side, ...] | None = field(Trickless(), None, label=BY_BELA, folded=True)
    """The former name of `by_belote`, which is still read."""


@dataclass(frozen=True, slots=True)
class Stock:
    """All the points of a deal: cards with honours and last trick, genuine runs and bela of both sides."""

    cards: int = field(POINTS, label=Message("All cards, with {jass}, {nine} and {last}", **HONOURS))
    runs: int = field(POINTS, 0, label=Message("Points of all genuine runs"))
    bela: int = field(POINTS, 0, label=Message("Points of a genuine {word}", word=Word("bela")))


@dataclass(frozen=True, slots=True)
class PenaltyFacts:
    """The facts of the question how much an offence costs."""

    offence: str = field(OffenceOf(40, 1), label=Message("What happened"))
    by: Side = field(SideOf(), label=Message("Who did it"))
    dealer: Seat = field(SeatOf(), label=Message("Who dealt"))
    points: Stock | None = field(Nested(Stock), None, label=Message("What is in the deal"))
    points_bid: int | str | None = field(BidPoints(), None, label=BID)
    double: int = field(DOUBLE, 1, label=TIMES, folded=True)
    bela: Seat | tuple[Seat, ...] | None = field(Belas(), None, label=CONTAINED_BELA, folded=True)
    held: tuple[int, ...] = field(HELD_POINTS, (), label=HELD, folded=True)
    taken_back: bool = field(Boolean(), False, label=Message("Taken back before the trick was turned"))
    taken: bool | None = field(Boolean(), None, label=Message("The bidding was over"), folded=True)


@dataclass(frozen=True, slots=True)
class AuditFacts:
    """The facts of the question about everything wrong in a deal."""

    deal: Deal = field(DealOf(), label=Message("The deal, card by card, as a record has it"))
    made: Mapping[Side, int] | None = field(by_side(POINTS), None, label=Message("Written, words and all"))
    held: tuple[int, ...] = field(HELD_POINTS, (), label=HELD, folded=True)
    asked_rost: tuple[Seat, ...] = field(SEATS, (), label=ASKED, folded=True)


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """The facts of a claim: to the rest, to points of it, or to the contract, made or brought down."""

    hands: Mapping[Seat, tuple[Card, ...]] = field(by_seat(HAND, whole=True), label=Message("The cards left"))
    leader: Seat = field(SeatOf(), label=Message("Who leads"))
    trump: str = field(TrumpOf(), label=TRUMP)
    claimer: Seat = field(SeatOf(), label=Message("Who claims"))
    trick: tuple[Card, ...] = field(OPEN_TRICK, (), label=ON_TABLE, ordered=True, folded=True)
    wants: int | None = field(
        Integer(1, 999), None, label=Message("Only this many points of the rest"), folded=True
    )
    points: int | str | None = field(
        BidPoints(), None, label=Message("For the contract: what was bid"), folded=True
    )
    double: int = field(DOUBLE, 1, label=TIMES, folded=True)
    declarer: Seat | None = field(
        SeatOf(), None, label=Message("For the contract: who chose trumps"), folded=True
    )
    made: Mapping[Side, int] | None = field(
        by_side(POINTS), None, label=Message("For the contract: made so far, words and all"), folded=True
    )


@dataclass(frozen=True, slots=True)
class PencilFacts:
    """The facts of the question how a writing mistake is corrected."""

    by: Side = field(SideOf(), label=Message("Who wrote it"))
    wrote: int = field(Integer(0, 9999), label=Message("Points written"))
    should: int = field(Integer(0, 9999), label=Message("Should have been"))
    cut: bool | None = field(Boolean(), None, label=Message("The next deal has been cut"))


@dataclass(frozen=True, slots=True)
class DiveFacts:
    """The facts of the question whether the stake may be doubled."""

    by: Side = field(SideOf(), label=Message("Who offers"))
    stake: int = field(Integer(1, 4096), 1, label=Message("The stake now"))
    doubled_last: Side | None = field(SideOf(), None, label=Message("Who doubled last"))
    totals: Mapping[Side, int] | None = field(by_side(TOTAL), None, label=Message("Totals"), folded=True)


def find_irrelevant_facts(ruleset: JackNineRuleset, question: str) -> frozenset[str]:
    """Facts by which no answer of this game can change, so that nobody need be asked for them."""
    keeps_bela = question not in ("outcome", "penalty") or ruleset["bela_kept"] == "on"
    counts_bela = question == "penalty" and ruleset.holds_same_sum  # where the points need not be stated
    bids = ruleset.bids_points
    counts_deals = question not in ("outcome", "winner") or ruleset["deals"] > 0
    matters = {
        "fours": bool(ruleset.fours),
        "asked_rost": ruleset["rost"] == "strict" or (ruleset.ring.size == 2 and not ruleset.fours),
        "held": ruleset.holds_points(),
        "out": not ruleset.all_dealt,
        "trickless": question != "count" or ruleset.has_capot,
        "exchanged": ruleset["seven"] != "never",
        "shown": ruleset.shows_card,
        "turn_up": ruleset.turns_suit,
        "bela": keeps_bela or counts_bela,
        "played": counts_deals,
        "false_melds": ruleset.charges_false_melds,
        "points": question not in ("outcome", "claim") or bids,
        "trump": question != "outcome" or ruleset.all_trumps,
        "taken": ruleset.has_option("misdeal", "after-bid"),
        "alone": ruleset.has_option("generale", "on"),
        "melds": ruleset.has_option("helps_bid", "cards"),
        "points_bid": bids,
        "double": bids,
        "by_belote": ruleset.has_option("bela_out", "trick"),
        "by_bela": False,  # nobody is asked for the same by two names
        "declarer": {
            "seven": ruleset.has_option("seven_by", "declarer"),
            "runs": ruleset.faces_rest,
        }.get(question, True),
        "first_six": ruleset["seven"] == "first-hand",
    }
    return frozenset(name for name, changes_answers in matters.items() if not changes_answers)
