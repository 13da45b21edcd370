"""The entries of a record: what may be observed of a deal and around it, as shapes of its JSON."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.jacknine.phases.melds import Four, Run, is_possible_run, read_run
from companion.rules.cards import Card
from companion.rules.message import Message, Word
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
    TurnUp,
    Unreadable,
    by_side,
    field,
    join_path,
    parse,
)
from companion.rules.seats import Seat, Side

from .kinds import FourOf, LengthOf, RankOf
from .ruleset import JackNineRuleset

POINTS = Integer(0, 999)
TOTAL = Integer(-99_999, 99_999)


@dataclass(frozen=True, slots=True)
class Contract:
    """Who plays which suit; `turned`: it was the turned one."""

    declarer: Seat = field(SeatOf())
    trump: str = field(TrumpOf())
    turned: bool | None = field(Boolean(), None)


@dataclass(frozen=True, slots=True)
class Terms:
    """An accepted offer: points for elder hand, further deals by the same dealer."""

    points: int = field(Integer(0, 9999), 0)
    deals: int = field(Integer(0, 99), 0)


@dataclass(frozen=True, slots=True)
class Count:
    """What was counted: card points by side (jass and nine apart unless cards count them), and the words."""

    cards: Mapping[Side, int] = field(
        by_side(POINTS, whole=False), label=Message("{word}", word=Word("cards"))
    )
    jass: Side | None = field(Nullable(SideOf()), None, label=Message("{word}", word=Word("jass")))
    nine: Side | None = field(Nullable(SideOf()), None, label=Message("{word}", word=Word("nine")))
    last: Side | None = field(Nullable(SideOf()), None, label=Message("{word}", word=Word("last")))


@dataclass(frozen=True, slots=True)
class DeclaredRun:
    """A declared run: its cards, or its length and top card; the suit where it is known."""

    seat: Seat = field(SeatOf(), label=Message("Whose"))
    cards: tuple[Card, ...] | None = field(
        ListOf(CardOf(), 3, 13), None, label=Message("Its cards"), aside=True
    )
    length: int | None = field(LengthOf(3, 13), None, label=Message("How long"))
    top: str | None = field(RankOf(), None, label=Message("From the top card"))
    suit: str | None = field(TrumpOf(), None, label=Message("Its suit"), aside=True)


@dataclass(frozen=True, slots=True)
class DeclaredFour:
    """A declared four of a kind."""

    seat: Seat = field(SeatOf(), label=Message("Whose"))
    rank: str = field(FourOf(), label=Message("Four of which rank"))


@dataclass(frozen=True, slots=True)
class Trickless:
    """A side without a trick, or a list of such sides."""

    def read(self, value: Any, path: str, table: Table) -> Side | tuple[Side, ...]:
        """The side or sides, checked. :raises Unreadable: if they are none, or all."""
        if not isinstance(value, list):
            return SideOf().read(value, path, table)
        sides = ListOf(SideOf(), 1, len(table.ring.sides) - 1).read(value, path, table)
        if len(set(sides)) < len(sides):
            raise Unreadable(path, Message("every side once"), value)
        return sides


def collect_sides(told: Side | tuple[Side, ...] | None) -> frozenset[Side]:
    """One side, several or none, as a set."""
    return frozenset(told if isinstance(told, tuple) else () if told is None else (told,))


@dataclass(frozen=True, slots=True)
class FinishCall:
    """A call that ends the game during play, after so many tricks."""

    seat: Seat = field(SeatOf())
    after_trick: int = field(Integer(1, 13))


@dataclass(frozen=True, slots=True)
class Offence:
    """The deal was settled by a penalty for this side's offence."""

    side: Side = field(SideOf())
    offence: str = field(Text(40, 1))


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal, as far as it was observed."""

    type: str = field(Choice(("deal",)))
    auction: tuple[str, ...] | None = field(ListOf(Text(20, 1), 1, 99), None)
    contract: Contract | None = field(Nested(Contract), None)
    redeal: str | None = field(Choice(("misdeal", "four-sevens")), None)
    thrown_in: bool | None = field(Boolean(), None)
    offer: Terms | None = field(Nested(Terms), None)
    totals: Mapping[Side, int] | None = field(by_side(POINTS), None)
    count: Count | None = field(Nested(Count), None)
    tricks: tuple[tuple[Card, ...], ...] | None = field(ListOf(ListOf(CardOf(), 1, 6), 0, 13), None)
    runs: tuple[DeclaredRun, ...] | None = field(ListOf(Nested(DeclaredRun), 0, 12), None)
    fours: tuple[DeclaredFour, ...] | None = field(ListOf(Nested(DeclaredFour), 0, 8), None)
    bela: Seat | None = field(SeatOf(), None)
    exchanged: Seat | None = field(SeatOf(), None)
    last: Side | None = field(SideOf(), None)
    trickless: Side | tuple[Side, ...] | None = field(Trickless(), None)
    forfeits: tuple[Seat, ...] | None = field(ListOf(SeatOf(), 0, 6), None)
    call: FinishCall | None = field(Nested(FinishCall), None)
    penalty: Offence | None = field(Nested(Offence), None)
    turn_up: Card | str | None = field(TurnUp(), None)
    shown: Card | None = field(CardOf(), None)
    dealer: Seat | None = field(SeatOf(), None)
    note: str = field(Text(500, lines=True), "")

    @property
    def played(self) -> tuple[str, ...]:
        """The ways in which what was made is told; exactly one in a deal that was played."""
        return tuple(name for name in ("totals", "count", "tricks") if getattr(self, name) is not None)

    @property
    def of_play(self) -> tuple[str, ...]:
        """Everything told here that only a deal which was played can have."""
        further = ("runs", "fours", "bela", "exchanged", "last", "trickless", "forfeits", "call", "penalty")
        return self.played + tuple(name for name in further if getattr(self, name) is not None)


@dataclass(frozen=True, slots=True)
class Opening:
    """A match begun on paper: what stood there."""

    type: str = field(Choice(("opening",)))
    totals: Mapping[Side, int] = field(by_side(TOTAL))
    held: tuple[int, ...] = field(ListOf(Integer(1, 9999), 0, 50), ())
    dealer: Seat | None = field(SeatOf(), None)
    note: str = field(Text(500, lines=True), "")


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An agreed adjustment of one side's total, apart from play."""

    type: str = field(Choice(("adjust",)))
    side: Side = field(SideOf())
    points: int = field(Integer(-9999, 9999))
    reason: str = field(Text(500, 1, lines=True))
    note: str = field(Text(500, lines=True), "")


@dataclass(frozen=True, slots=True)
class Concession:
    """A side gives the game up."""

    type: str = field(Choice(("concede",)))
    side: Side = field(SideOf())
    note: str = field(Text(500, lines=True), "")


@dataclass(frozen=True, slots=True)
class Abandonment:
    """The game is broken off without a winner."""

    type: str = field(Choice(("abandon",)))
    note: str = field(Text(500, lines=True), "")


@dataclass(frozen=True, slots=True)
class Finish:
    """A side announces the end when the result has been written."""

    type: str = field(Choice(("finish",)))
    side: Side = field(SideOf())
    note: str = field(Text(500, lines=True), "")


@dataclass(frozen=True, slots=True)
class Dive:
    """A side offers to double the stake, before or during the deal that follows."""

    type: str = field(Choice(("dive",)))
    by: Side = field(SideOf())
    accepted: bool = field(Boolean())
    note: str = field(Text(500, lines=True), "")


@dataclass(frozen=True, slots=True)
class Pencil:
    """What a side wrote for itself in a deal, and what it should have written."""

    type: str = field(Choice(("pencil",)))
    by: Side = field(SideOf())
    deal: int = field(Integer(1, 9999))
    wrote: int = field(Integer(0, 9999))
    should: int = field(Integer(0, 9999))
    note: str = field(Text(500, lines=True), "")


Entry = Deal | Opening | Adjustment | Concession | Abandonment | Finish | Dive | Pencil
ENTRIES = {
    "deal": Deal,
    "opening": Opening,
    "adjust": Adjustment,
    "concede": Concession,
    "abandon": Abandonment,
    "finish": Finish,
    "dive": Dive,
    "pencil": Pencil,
}
BIDS = ("auction", "contract", "redeal", "thrown_in", "offer")


@dataclass(frozen=True, slots=True)
class DealOf:
    """A deal as an entry of a record tells it; that it is a deal need not be said."""

    def read(self, value: Any, path: str, table: Table) -> Deal:
        """The deal. :raises Unreadable: where it has not the shape of one."""
        return parse(Deal, {"type": "deal", **value} if isinstance(value, dict) else value, path, table)


def entry_types(ruleset: JackNineRuleset) -> tuple[str, ...]:
    """The types of entries that the game knows, whatever this table has agreed on."""
    further = {"finish": "finish" in ruleset.book.conventions, "dive": ruleset.book.knows("dive.offer")}
    further["pencil"] = bool(ruleset["pencil"])
    return tuple(name for name in ENTRIES if further.get(name, True))


def has_calls(ruleset: JackNineRuleset) -> bool:
    """Whether a player may end the game by a call during play."""
    return ruleset["finish"] in ("enough", "announced")


def read_entry(ruleset: JackNineRuleset, value: Any, path: str) -> Entry:
    """One entry from JSON.

    :raises Unreadable: with the path and what was expected, also where a deal is told in no way, or in two.
    """
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an entry, which is an object with a type"), value)
    kind, known = value.get("type"), entry_types(ruleset)
    if not isinstance(kind, str) or kind not in known:
        raise Unreadable(join_path(path, "type"), Message("one of {values}", values=list(known)), kind)
    shape: Any = ENTRIES[kind]
    entry: Entry = parse(shape, value, path, ruleset.table)
    if isinstance(entry, Deal):
        check_deal(ruleset, entry, path)
    if isinstance(entry, Opening):
        check_held(ruleset, entry.held, join_path(path, "held"))
    if isinstance(entry, Pencil) and entry.wrote == entry.should:
        raise Unreadable(join_path(path, "should"), Message("another number than was written"), entry.should)
    return entry


def check_held(ruleset: JackNineRuleset, held: Sequence[int], path: str) -> None:
    """Points can be held only in a game that holds any. :raises Unreadable: where they are told anyway."""
    if held and not ruleset.book.knows("score.held"):
        raise Unreadable(path, Message("nothing, for this game holds no points"), list(held))


def find_foreign_facts(ruleset: JackNineRuleset, deal: Deal) -> Iterator[tuple[str, str, Message]]:
    """What a deal tells that is not done at this table: the field, the key of the rule that says so, and why.

    Where no rule of the game answers to the key, the game has never heard of the thing.
    """
    if deal.offer is not None and not ruleset["offers"]:
        yield "offer", "offer.who", Message("This game has no offers.")
    if deal.redeal == "four-sevens" and ruleset["four_sevens"] != "redeal":
        yield (
            "redeal",
            "deal.four-sevens",
            Message("Four sevens are played here; only a misdeal is dealt again."),
        )
    if deal.fours and not ruleset.fours:
        yield "fours", "fours.values", Message("Four of a kind are no meld here.")
    for place, one in enumerate(deal.fours or ()):
        if ruleset.fours and one.rank not in ruleset.fours and ruleset.four_points.get(one.rank) == 0:
            yield f"fours[{place}]", "fours.values", Message("Four of this rank are no meld here.")
    if deal.shown is not None and not ruleset.shows_card:
        yield "shown", "", Message("All cards are dealt, so none is shown.")
    if deal.call is not None and not has_calls(ruleset):
        key = "end.finish-when" if "call" in ruleset.book.words else ""
        yield "call", key, Message("Nobody ends this game by a call; written totals speak for themselves.")
    if deal.forfeits and ruleset["rost"] != "strict":
        yield "forfeits", "run.rost-needless", Message("Nothing costs runs here.")
    if isinstance(deal.turn_up, str) and ruleset.turned_card != "none":
        key = "deal.rest" if "deal" in ruleset.book.conventions else ""
        yield "turn_up", key, Message("A card is turned here, such as 9H, not a suit alone.")
    if isinstance(deal.trickless, tuple) and len(ruleset.ring.sides) == 2:
        yield "trickless", "", Message("One side, not a list.")


def check_deal(ruleset: JackNineRuleset, deal: Deal, path: str) -> None:
    """Refuse a deal that tells a thing in no way or in two, or one that the game has not.

    :raises Unreadable: with the path and what was expected.
    """
    told = [name for name in BIDS if getattr(deal, name) is not None]
    if len(told) != 1:
        raise Unreadable(
            path, Message("exactly one of {values}, saying how it was bid", values=list(BIDS)), told
        )
    for name, key, why in find_foreign_facts(ruleset, deal):
        if not ruleset.book.knows(key):
            raise Unreadable(join_path(path, name), why)
    if deal.thrown_in is False:
        raise Unreadable(join_path(path, "thrown_in"), Message("true, or to be left out"), False)
    made = deal.played
    if len(made) > 1:
        raise Unreadable(path, Message("only one of totals, count and tricks"), list(made))
    if deal.of_play and told[0] in ("redeal", "thrown_in", "offer"):
        raise Unreadable(
            join_path(path, deal.of_play[0]), Message("nothing of the play in a deal that was not played")
        )
    if deal.call is not None and deal.penalty is not None:
        raise Unreadable(join_path(path, "call"), Message("either a call or a penalty"))
    if deal.penalty and deal.penalty.offence not in ruleset["offences"]:
        offences = Message("one of {values}", values=list(ruleset["offences"]))
        raise Unreadable(join_path(path, "penalty.offence"), offences, deal.penalty.offence)
    if deal.turn_up is not None and deal.turn_up == deal.shown:
        raise Unreadable(
            join_path(path, "shown"), Message("another card than the turned one"), str(deal.shown)
        )
    for place, run in enumerate(deal.runs or ()):
        read_declared_run(ruleset, run, join_path(path, f"runs[{place}]"))
    if ruleset.fours:
        read_declared_fours(deal.fours or (), join_path(path, "fours"), ruleset.four_points)


def read_declared_fours(told: Sequence[DeclaredFour], path: str, ranks: Collection[str]) -> tuple[Four, ...]:
    """The fours that were declared. :raises Unreadable: where a rank is none of these, or told twice."""
    for place, one in enumerate(told):
        if one.rank not in ranks:
            raise Unreadable(
                f"{path}[{place}].rank", Message("one of {values}", values=list(ranks)), one.rank
            )
        if one.rank in (other.rank for other in told[:place]):
            raise Unreadable(f"{path}[{place}].rank", Message("every rank once"), one.rank)
    return tuple(Four(one.seat, one.rank) for one in told)


def read_declared_run(ruleset: JackNineRuleset, told: DeclaredRun, path: str) -> Run:
    """The run that was declared.

    :raises Unreadable: if it is told in no way or in two, or if the cards are no run.
    """
    by_top = [one for one in (told.length, told.top) if one is not None]
    if len(by_top) != (2 if told.cards is None else 0):
        raise Unreadable(path, Message("either cards, or length and top"))
    if told.cards is not None:
        run = read_run(ruleset, told.seat, told.cards)
        if run is None:
            raise Unreadable(
                join_path(path, "cards"),
                Message("at least three cards of one suit that follow each other"),
                " ".join(str(card) for card in told.cards),
            )
        if told.suit not in (None, run.suit):
            raise Unreadable(join_path(path, "suit"), Message("the suit of the cards"), told.suit)
        return run
    if told.top not in ruleset.run_order:
        expected = Message("one of {values}", values=list(ruleset.run_order))
        raise Unreadable(join_path(path, "top"), expected, told.top)
    if not is_possible_run(ruleset, told.length or 0, told.top):
        raise Unreadable(
            join_path(path, "length"), Message("a run that fits below its top card"), told.length
        )
    return Run(told.seat, told.length or 0, told.top, told.suit)
