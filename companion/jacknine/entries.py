"""The entries of a record, as shapes of their JSON: the facts observed of a deal, and around it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.jacknine.phases.auction import OfferTerms
from companion.jacknine.phases.bidding import EVERY_TRICK, GENERALE, LEAST_BID, MAX_BID, list_bids
from companion.jacknine.phases.count import POINTS, CardCount
from companion.rules.cards import Card, Suit
from companion.rules.errors import Clash, Missing, Unreadable, contradictions
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
    by_side,
    describe_shape,
    field,
    join_path,
    name_schema,
    parse,
)
from companion.rules.seats import Seat, Side

from .game_file import DEALING_OFFENCES
from .phases.melds import FOURS, RUNS, DeclaredFour, DeclaredRun, read_declared_fours, read_declared_run
from .ruleset import JackNineRuleset

TOTAL = Integer(-99_999, 99_999)
HELD_POINTS = ListOf(Integer(1, 9999), 0, 50)


DOUBLE = Integer(1, 4)
FINEST, ODD_BIDS = 5, (82,)
"""The smallest step between bids at any table, and lowest bids beside it."""


@dataclass(frozen=True, slots=True)
class BidPoints:
    """Points that can be bid at any table, or a bid of every trick: `capot`, `generale`."""

    def read(self, value: object, path: str, table: Table) -> int | str:
        """Read the bid.

        :raises Unreadable: for anything else.
        """
        if isinstance(value, str) and value in EVERY_TRICK:
            return value
        points = value if type(value) is int else 0
        if not LEAST_BID <= points <= MAX_BID or (points % FINEST and points not in ODD_BIDS):
            expected = Message("a number from {least} to {most}, or capot", least=LEAST_BID, most=MAX_BID)
            raise Unreadable(path, expected, value)
        return points

    def describe(self, table: Table) -> dict[str, Any]:
        """The same as JSON Schema."""
        number = {"type": "integer", "minimum": LEAST_BID, "maximum": MAX_BID, "multipleOf": FINEST}
        return name_schema("Bid", {"anyOf": [number, {"enum": [*ODD_BIDS]}, {"enum": [*EVERY_TRICK]}]})


@dataclass(frozen=True, slots=True)
class Contract:
    """The declarer and the trumps, a suit or `NT`; `turned` if it was the turned suit, None if unknown.

    If points are bid, `points` are how many, `capot` or `generale`, and `double` how often the deal counts.
    """

    declarer: Seat = field(SeatOf())
    trump: str = field(TrumpOf())
    turned: bool | None = field(Boolean(), None)
    points: int | str | None = field(BidPoints(), None)
    double: int = field(DOUBLE, 1)


@dataclass(frozen=True, slots=True)
class Trickless:
    """A side without a trick, or a list of such sides; null: every side had one."""

    def read(self, value: object, path: str, table: Table) -> Side | tuple[Side, ...] | None:
        """Read the side or sides.

        :raises Unreadable: if it names no side, all sides, or one twice.
        """
        if value is None:
            return None
        if not isinstance(value, list):
            return SideOf().read(value, path, table)
        sides: tuple[Side, ...] = ListOf(SideOf(), 1, len(table.ring.sides) - 1).read(value, path, table)
        if len(set(sides)) < len(sides):
            raise Unreadable(path, Message("different sides"), value)
        return sides

    def describe(self, table: Table) -> dict[str, Any]:
        """The same as JSON Schema."""
        several = ListOf(SideOf(), 1, len(table.ring.sides) - 1).describe(table)
        nobody = {"type": "null", "description": "Every side took a trick."}
        return name_schema("Trickless", {"anyOf": [SideOf().describe(table), several, nobody]})


def collect_sides(sides: Side | tuple[Side, ...] | None) -> frozenset[Side]:
    """One side, several or none, as a set."""
    return frozenset(sides if isinstance(sides, tuple) else () if sides is None else (sides,))


@dataclass(frozen=True, slots=True)
class Belas:
    """The seat that declared bela; or, with all trumps, a list with a seat for each pair."""

    def read(self, value: object, path: str, table: Table) -> Seat | tuple[Seat, ...]:
        """Read the seat or seats.

        :raises Unreadable: if it names a seat that does not exist, or more than there are pairs.
        """
        if table.all_trumps and isinstance(value, list):
            seats: tuple[Seat, ...] = ListOf(SeatOf(), 1, len(Suit)).read(value, path, table)
            return seats
        return SeatOf().read(value, path, table)

    def describe(self, table: Table) -> dict[str, Any]:
        """The same as JSON Schema."""
        if not table.all_trumps:
            return SeatOf().describe(table)
        several = ListOf(SeatOf(), 1, len(Suit)).describe(table)
        return name_schema("Belas", {"anyOf": [SeatOf().describe(table), several]})


def collect_seats(seats: Seat | tuple[Seat, ...] | None) -> tuple[Seat, ...]:
    """One seat, several or none, as a sequence."""
    return seats if isinstance(seats, tuple) else () if seats is None else (seats,)


@dataclass(frozen=True, slots=True)
class FinishCall:
    """A call that would end the game during play, after so many tricks."""

    seat: Seat = field(SeatOf())
    after_trick: int = field(Integer(1, 13))


@dataclass(frozen=True, slots=True)
class Offence:
    """An offence of this side, whose penalty settled the deal."""

    side: Side = field(SideOf())
    offence: str = field(Text(40, 1))


@dataclass(frozen=True, slots=True)
class FalseMeld:
    """A meld that could not be shown, by its points."""

    seat: Seat = field(SeatOf(), label=Message("Whose"))
    points: int = field(Integer(1, 999), label=Message("Its points"))


FALSE_MELDS = ListOf(Nested(FalseMeld), 0, 8)
FREE_MELDS = Message("A meld that cannot be shown costs nothing here.")


def sum_false_melds(ruleset: JackNineRuleset, claimed: Sequence[FalseMeld] | None) -> dict[Side, int]:
    """The points of melds that could not be shown, by the sides that claimed them."""
    points: dict[Side, int] = {}
    for meld in claimed or ():
        side = ruleset.ring.side(meld.seat)
        points[side] = points.get(side, 0) + meld.points
    return points


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal, as far as it was observed: its bidding, its declarations, and the points of each side.

    The points of each side are stated in one of three ways: as `totals` of all points, as a `count` of cards
    and words, or by the `tricks` as they fell; or `belot`, all cards of a suit in one hand, ended the match.
    """

    type: str = field(Choice(("deal",)))
    auction: tuple[str, ...] | None = field(ListOf(Text(20, 1), 1, 99), None)
    contract: Contract | None = field(Nested(Contract), None)
    redeal: str | None = field(Choice(("misdeal", "four-sevens", "poor-hand")), None)
    by: Seat | None = field(SeatOf(), None)
    thrown_in: bool | None = field(Boolean(), None)
    offer: OfferTerms | None = field(Nested(OfferTerms), None)
    totals: Mapping[Side, int] | None = field(by_side(POINTS), None)
    count: CardCount | None = field(Nested(CardCount), None)
    tricks: tuple[tuple[Card, ...], ...] | None = field(ListOf(ListOf(CardOf(), 1, 6), 0, 13), None)
    belot: Seat | None = field(SeatOf(), None)
    runs: tuple[DeclaredRun, ...] | None = field(RUNS, None)
    fours: tuple[DeclaredFour, ...] | None = field(FOURS, None)
    bela: Seat | tuple[Seat, ...] | None = field(Belas(), None)
    exchanged: Seat | None = field(SeatOf(), None)
    last: Side | None = field(SideOf(), None)
    trickless: Side | tuple[Side, ...] | None = field(Trickless(), ())
    alone: bool | None = field(Boolean(), None)
    forfeits: tuple[Seat, ...] | None = field(ListOf(SeatOf(), 0, 6), None)
    call: FinishCall | None = field(Nested(FinishCall), None)
    penalty: Offence | None = field(Nested(Offence), None)
    false_melds: tuple[FalseMeld, ...] | None = field(FALSE_MELDS, None)
    turn_up: Card | str | None = field(TurnUp(), None)
    shown: Card | None = field(CardOf(), None)
    dealer: Seat | None = field(SeatOf(), None)
    note: str = field(Text(500, lines=True), "")

    @property
    def belas(self) -> tuple[Seat, ...]:
        """The seats that declared bela, one for each pair."""
        return collect_seats(self.bela)

    @property
    def dealt_wrongly(self) -> bool:
        """True if a penalty for dealing settled the deal, before anybody bid or before it was played."""
        return self.penalty is not None and self.penalty.offence in DEALING_OFFENCES

    @property
    def turned_card(self) -> Card | None:
        """The turned card; None if it is unknown, or only its suit is known."""
        return self.turn_up if isinstance(self.turn_up, Card) else None

    @property
    def score_fields(self) -> tuple[str, ...]:
        """The stated fields with the points made; exactly one in a deal that was played."""
        return tuple(name for name in ("totals", "count", "tricks") if getattr(self, name) is not None)

    @property
    def play_fields(self) -> tuple[str, ...]:
        """The fields stated here that only a deal which was played can have."""
        further = ("runs", "fours", "bela", "exchanged", "last", "trickless", "forfeits", "call", "penalty")
        named = ("belot", *further, "false_melds", "alone")
        return self.score_fields + tuple(name for name in named if getattr(self, name) not in (None, ()))


@dataclass(frozen=True, slots=True)
class Opening:
    """A match begun on paper: the totals, held points and next dealer that stood there."""

    type: str = field(Choice(("opening",)))
    totals: Mapping[Side, int] = field(by_side(TOTAL))
    held: tuple[int, ...] = field(HELD_POINTS, ())
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
    """A side that gives the game up."""

    type: str = field(Choice(("concede",)))
    side: Side = field(SideOf())
    note: str = field(Text(500, lines=True), "")


@dataclass(frozen=True, slots=True)
class Abandonment:
    """The end of a game that is broken off without a winner."""

    type: str = field(Choice(("abandon",)))
    note: str = field(Text(500, lines=True), "")


@dataclass(frozen=True, slots=True)
class Finish:
    """A side's announcement of the end, once the result has been written."""

    type: str = field(Choice(("finish",)))
    side: Side = field(SideOf())
    note: str = field(Text(500, lines=True), "")


@dataclass(frozen=True, slots=True)
class Dive:
    """A side's offer to double the stake, before or during the deal that follows."""

    type: str = field(Choice(("dive",)))
    by: Side = field(SideOf())
    accepted: bool = field(Boolean())
    note: str = field(Text(500, lines=True), "")


@dataclass(frozen=True, slots=True)
class Pencil:
    """A writing mistake: the points that a side wrote for itself in a deal, and the right ones."""

    type: str = field(Choice(("pencil",)))
    by: Side = field(SideOf())
    deal: int = field(Integer(1, 9999))
    wrote: int = field(Integer(0, 9999))
    should: int = field(Integer(0, 9999))
    note: str = field(Text(500, lines=True), "")


Entry = Deal | Opening | Adjustment | Concession | Abandonment | Finish | Dive | Pencil
ENTRIES: Mapping[str, type[Entry]] = {
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
"""The fields that state how a deal was bid; exactly one in every deal."""


@dataclass(frozen=True, slots=True)
class DealOf:
    """A deal as an entry of a record; its `type` may be left out."""

    def read(self, value: object, path: str, table: Table) -> Deal:
        """Read the deal.

        :raises Unreadable: if it does not have the shape of one.
        """
        return parse(Deal, {"type": "deal", **value} if isinstance(value, dict) else value, path, table)

    def describe(self, table: Table) -> dict[str, Any]:
        """The same as JSON Schema."""
        deal = describe_shape(Deal, table)
        return name_schema("PlayedDeal", {key: rule for key, rule in deal.items() if key != "required"})


def list_entry_types(ruleset: JackNineRuleset) -> tuple[str, ...]:
    """The types of entries that the game knows, whatever this table has agreed on."""
    optional = {
        "finish": "finish" in ruleset.book.conventions,
        "dive": ruleset.book.knows("dive.offer"),
        "pencil": bool(ruleset["pencil"]),
    }
    return tuple(name for name in ENTRIES if optional.get(name, True))


def has_calls(ruleset: JackNineRuleset) -> bool:
    """True if a player may end the game by a call during play."""
    return ruleset["finish"] in ("enough", "announced")


def read_entry(ruleset: JackNineRuleset, value: object, path: str) -> Entry:
    """Read an entry from JSON.

    :raises Unreadable: with the path and what was expected, also if a deal is stated in no way, or in two.
    """
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an entry: an object with a type"), value)
    kind, known = value.get("type"), list_entry_types(ruleset)
    if not isinstance(kind, str) or kind not in known:
        raise Unreadable(join_path(path, "type"), Message("one of {values}", values=list(known)), kind)
    entry: Entry = parse(ENTRIES[kind], value, path, ruleset.table)
    with contradictions():
        _check_entry(ruleset, entry, path)
    return entry


def _check_entry(ruleset: JackNineRuleset, entry: Entry, path: str) -> None:
    """Refuse an entry that contradicts itself or the table's rules.

    :raises Unreadable: if it does.
    """
    if isinstance(entry, Deal):
        check_deal(ruleset, entry, path)
    if isinstance(entry, Opening):
        check_held(ruleset, entry.held, join_path(path, "held"))
    if isinstance(entry, Pencil) and entry.wrote == entry.should:
        expected = Message("a number other than the one written")
        raise Unreadable(join_path(path, "should"), expected, entry.should)


def check_held(ruleset: JackNineRuleset, held: Sequence[int], path: str) -> None:
    """Refuse held points if a tie holds none at this table.

    :raises Clash: if there are some.
    """
    if held and not ruleset.holds_points():
        (rule,) = ruleset.cite("score.tie")
        why = Message("a tie holds no points at this table ({rule})", rule=rule.id)
        raise Clash(path, Message("left empty"), why, list(held))


def check_card_count(ruleset: JackNineRuleset, counted: CardCount, path: str) -> None:
    """Refuse a count that is stated in no way or in two.

    :raises Unreadable: at its field.
    """
    if counted.points is None:
        if counted.cards is None:
            raise Missing(join_path(path, "cards"))
        return
    if not ruleset.all_dealt:
        raise Unreadable(join_path(path, "points"), Message("left out, as not all cards are dealt"))
    if not counted.points:
        raise Missing(join_path(path, "points"), Message("required of at least one side"))
    words = [name for name in ("cards", "jass", "nine", "last") if getattr(counted, name)]
    if words:
        raise Unreadable(join_path(path, words[0]), Message("left out, as it is contained in points"))


def find_foreign_facts(ruleset: JackNineRuleset, deal: Deal) -> Iterator[tuple[str, str, Message]]:
    """List the facts of a deal that are against the table's rules: the field, the rule's key, and why.

    If the game has no rule for the key, it does not know the thing at all.
    """
    yield from _find_foreign_bids(ruleset, deal)
    if deal.offer is not None and not ruleset["offers"]:
        yield "offer", "offer.who", Message("This game has no offers.")
    if deal.redeal in ("four-sevens", "poor-hand"):
        yield from _find_foreign_redeal(ruleset, deal, deal.redeal)
    if deal.shown is not None and not ruleset.shows_card:
        yield "shown", "", Message("All cards are dealt, so none is shown.")
    if deal.call is not None and not has_calls(ruleset):
        end = "end.finish-when" if ruleset.plays_to_target() else "end.one-deal"
        key = end if "call" in ruleset.book.words else ""
        yield "call", key, Message("Nobody ends this game by a call; written totals speak for themselves.")
    yield from _find_foreign_ends(ruleset, deal)
    yield from _find_foreign_turns(ruleset, deal)
    if deal.false_melds and not ruleset.charges_false_melds:
        yield "false_melds", "meld.table" if ruleset.book.knows("meld.table") else "", FREE_MELDS
    if deal.forfeits and ruleset["rost"] != "strict":
        yield "forfeits", "run.rost-needless", Message("Nobody forfeits runs here.")


def _find_foreign_ends(ruleset: JackNineRuleset, deal: Deal) -> Iterator[tuple[str, str, Message]]:
    """List an end of the match, or of the deal, that the table does not have."""
    if deal.belot is not None and ruleset["belot"] == "off":
        why = Message("All cards of a suit are a run like any other here.")
        yield "belot", "meld.belot" if ruleset.book.knows("meld.belot") else "", why
    if deal.dealt_wrongly and ruleset.has_option("misdeal", "redeal"):
        yield "penalty", "penalty.misdeal", Message("A wrong deal costs nothing here; it is dealt again.")


def _find_foreign_turns(ruleset: JackNineRuleset, deal: Deal) -> Iterator[tuple[str, str, Message]]:
    """List a turned card if none is turned, or a bare suit if a card is turned."""
    if not ruleset.turns_suit:
        turned = {"turn_up": deal.turn_up, "contract.turned": deal.contract and deal.contract.turned}
        key = "" if ruleset.bids_points else "deal.rest"  # refused, or written as a problem with its rule
        for name, fact in turned.items():
            if fact is not None:
                yield name, key, Message("No card is turned here.")
    bare = isinstance(deal.turn_up, str) and "deal" in ruleset.book.conventions
    if bare and ruleset.turned_card != "none":
        yield "turn_up", "deal.rest", Message("A card is turned up here, such as 9H, not just a suit.")


def _find_foreign_bids(ruleset: JackNineRuleset, deal: Deal) -> Iterator[tuple[str, str, Message]]:
    """List calls and melds that the game does not have."""
    bid = deal.contract
    for name in ("runs", "fours"):
        if getattr(deal, name) and not ruleset.knows_melds:
            yield name, "", Message("This game has no melds.")
    if not ruleset.bids_points:
        if bid is not None and (bid.points is not None or bid.double > 1):
            yield "contract.points", "", Message("No points are bid in this game.")
        return
    if bid is not None:
        yield from explain_foreign_bid(ruleset, bid.points, bid.double, "contract.")


def explain_foreign_bid(
    ruleset: JackNineRuleset, points: int | str | None, double: int, path: str = ""
) -> Iterator[tuple[str, str, Message]]:
    """List the faults of a bid: the field, the key of the rule, and why."""
    most, numbers = ruleset["highest_bid"], list_bids(ruleset)
    if most and type(points) is int and points > most:
        why = Message("At this table nothing but capot is bid above {most}.", most=most)
        yield f"{path}points", "bid.points", why
    elif type(points) is int and points not in numbers:
        facts = {"least": numbers[0], "step": ruleset["bid_step"]}
        why = Message("At this table one bids {least} at least, in steps of {step}.", **facts)
        yield f"{path}points", "bid.points", why
    if points == GENERALE and ruleset["generale"] == "off":
        word = Word(ruleset.book.words.get(GENERALE, GENERALE))
        yield f"{path}points", "bid.generale", Message("There is no {word} at this table.", word=word)
    if double not in (1, 2, ruleset["redouble"]):
        word = Word(ruleset.book.words.get("redoubled", "redoubled"))
        why = Message("At this table {word} counts {times} times.", word=word, times=ruleset["redouble"])
        yield f"{path}double", "bid.redouble", why


def _find_foreign_redeal(
    ruleset: JackNineRuleset, deal: Deal, hand: str
) -> Iterator[tuple[str, str, Message]]:
    """List the faults of a redeal for four sevens or a poor hand."""
    if not ruleset.redeals(hand):
        key = "deal.void" if ruleset.book.knows(f"deal.{hand}") else ""
        why = Message("Four sevens are played here; only a misdeal is dealt again.")
        yield "redeal", key, Message("A poor hand is played here.") if hand == "poor-hand" else why
    elif deal.by is not None and not ruleset.names_holder(hand):
        yield "by", "deal.four-sevens", Message("Four sevens bring nobody points here.")


def check_deal(ruleset: JackNineRuleset, deal: Deal, path: str) -> None:
    """Refuse a deal that states a fact in no way or in two, or one that the game does not know.

    :raises Unreadable: with the path and what was expected.
    """
    _check_bidding(ruleset, deal, path)
    for name, key, why in find_foreign_facts(ruleset, deal):
        if not ruleset.book.knows(key):
            raise Unreadable(join_path(path, name), Message("left out: {why}", why=why))
    if ruleset.bids_points and deal.contract is not None and deal.contract.points is None:
        raise Missing(join_path(path, "contract.points"))
    if isinstance(deal.turn_up, str) and "deal" not in ruleset.book.conventions:
        raise Unreadable(
            join_path(path, "turn_up"), Message("a card, such as 9H, not a suit alone"), deal.turn_up
        )
    if deal.alone is not None and (deal.contract is not None and deal.contract.points != GENERALE):
        raise Unreadable(join_path(path, "alone"), Message("left out, as nothing hangs on it"), deal.alone)
    if deal.count is not None:
        check_card_count(ruleset, deal.count, join_path(path, "count"))
    if deal.trickless and isinstance(deal.trickless, tuple) and len(ruleset.ring.sides) == 2:
        raise Unreadable(join_path(path, "trickless"), Message("one side, not a list"), list(deal.trickless))
    if deal.by is not None and deal.redeal not in ("four-sevens", "poor-hand"):
        raise Unreadable(join_path(path, "by"), Message("left out, as nothing hangs on it"))
    if deal.thrown_in is False:
        raise Unreadable(join_path(path, "thrown_in"), Message("true, or to be left out"), False)
    was_played = deal.redeal is None and deal.thrown_in is None and deal.offer is None
    _check_result(ruleset, deal, path, was_played=was_played)
    if deal.turn_up is not None and deal.turn_up == deal.shown:
        raise Unreadable(
            join_path(path, "shown"), Message("a card other than the turned one"), str(deal.shown)
        )
    for place, run in enumerate(deal.runs or ()):
        read_declared_run(ruleset, run, join_path(path, f"runs[{place}]"))
    read_declared_fours(ruleset, deal.fours or (), join_path(path, "fours"))


def _check_bidding(ruleset: JackNineRuleset, deal: Deal, path: str) -> None:
    """Refuse a deal that was bid in no way or in two; one dealt wrongly was not played, nor perhaps bid."""
    bids = [name for name in BIDS if getattr(deal, name) is not None]
    if deal.dealt_wrongly and ruleset.has_option("misdeal", "redeal"):
        return  # refused with the rule
    if deal.dealt_wrongly:
        played = [name for name in deal.play_fields if name != "penalty"]
        if ruleset.has_option("misdeal", "after-bid"):
            if bids not in (["contract"], ["auction"]):
                bid = Message("bid in exactly one of these ways: {values}", values=["contract", "auction"])
                raise Unreadable(path, bid, bids)
            bids = []
        extra = next(iter([*bids, *played]), None)
        if extra is not None:
            raise Unreadable(join_path(path, extra), Message("left out, as the deal was not played"))
    elif len(bids) != 1:
        raise Unreadable(path, Message("bid in exactly one of these ways: {values}", values=list(BIDS)), bids)


def _check_result(ruleset: JackNineRuleset, deal: Deal, path: str, *, was_played: bool) -> None:
    """Refuse a deal whose result is stated in two ways, or though it was not played."""
    if len(deal.score_fields) > 1:
        raise Unreadable(
            path, Message("counted in one way only: totals, count or tricks"), list(deal.score_fields)
        )
    if deal.play_fields and not was_played:
        raise Unreadable(
            join_path(path, deal.play_fields[0]), Message("left out, as the deal was not played")
        )
    if deal.belot is not None and deal.play_fields != ("belot",):
        extra = next(name for name in deal.play_fields if name != "belot")
        raise Unreadable(
            join_path(path, extra),
            Message(
                "left out, as nothing is counted after {word}",
                word=Word(ruleset.book.words.get("belot", "belot")),
            ),
        )
    if deal.call is not None and deal.penalty is not None:
        raise Unreadable(join_path(path, "call"), Message("left out, as a penalty settled the deal"))
    if deal.penalty and deal.penalty.offence not in ruleset["offences"]:
        offences = Message("one of {values}", values=list(ruleset["offences"]))
        raise Unreadable(join_path(path, "penalty.offence"), offences, deal.penalty.offence)
