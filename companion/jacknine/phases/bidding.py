"""The auction by points: numbers and suits above each other, doubled and redoubled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit
from companion.rules.message import Message, SeatName, Word
from companion.rules.seats import Seat, Side

from .auction import Auction, parse_trump, show_suit

CAPOT, GENERALE = "capot", "generale"
EVERY_TRICK = (CAPOT, GENERALE)
"""The bids of every trick: for the side, and for the bidder alone."""
LEAST_BID, MAX_BID, STEP = 80, 990, 10
"""The lowest and the highest number that can be bid at usual tables, and the step between numbers."""
USUAL_BIDS = range(LEAST_BID, 190, STEP)
"""The numbers that forms offer, beside capot."""
RANKED = ("C", "D", "H", "S", NO_TRUMPS, ALL_TRUMPS)
"""Trumps from the lowest, at tables where they rank."""


def list_bids(ruleset: JackNineRuleset) -> tuple[int, ...]:
    """The numbers that can be bid at a table, the lowest first. Rule key: `bid.points`."""
    least, most = ruleset["lowest_bid"], ruleset["highest_bid"] or MAX_BID
    further = range(LEAST_BID + ruleset["bid_step"], most + 1, ruleset["bid_step"])
    return (least, *(points for points in further if points > least))


def list_usual_bids(ruleset: JackNineRuleset) -> list[int]:
    """The numbers among them that forms of questions offer."""
    return [points for points in list_bids(ruleset) if points <= USUAL_BIDS[-1]]


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid, points, `capot` or `generale`, and the factor of the deal.

    `melds` are the points of all melds that stood, `capot` is the side that took every trick, `alone` true if
    the bidder took all of them. `discounted` are points of the takers that do not help to reach the bid,
    `whole` is what every trick counts with these trumps.
    """

    points: int | str
    double: int = 1
    melds: int = 0
    capot: Side | None = None
    alone: bool = False
    discounted: int = 0
    whole: int = 0

    def show(self, ruleset: JackNineRuleset) -> Message:
        """Show the bid as players say it: `90 coinché`."""
        return show_bid(ruleset.book.words, self.points, self.double)


def show_bid(words: Mapping[str, str], points: int | str, double: int = 1) -> Message:
    """Show a bid as players say it: `90`, `90 coinché`; capot and doubles are words of the game."""
    bid = Word(words.get(str(points), str(points))) if points in EVERY_TRICK else points
    if double == 1:
        return Message("{bid}", bid=bid)
    name = "double" if double == 2 else "redouble"
    doubled = Word(words.get(f"{name}d", words[name]))
    return Message("{bid} {doubled}", bid=bid, doubled=doubled)


def counts_every_trick(ruleset: JackNineRuleset, points: int | str) -> bool:
    """True if every trick counts more after this bid. Rule key: `score.capot-bonus`."""
    match ruleset["capot_bonus"]:
        case "always":
            return True
        case "bid-only":
            return points in EVERY_TRICK
        case unknown:
            raise UnknownOption(unknown)


def drop_capot_bonus(
    ruleset: JackNineRuleset, made: Mapping[Side, int], points: int | str, capot: Side | None, trump: str
) -> dict[Side, int]:
    """Take the extra for a capot from the points if it counts only when bid.

    `capot` is the side that took every trick. Rule key: `score.capot-bonus`.
    """
    if capot is None or counts_every_trick(ruleset, points):
        return dict(made)
    return {**made, capot: made[capot] - ruleset.capot_extra(trump)}


@dataclass(frozen=True, slots=True)
class PointAuction(Auction):
    """A bidding by points so far.

    `declarer`, `trump` and `points` are of the highest bid, `passes` how many have passed since something
    else was said.
    """

    passes: int = 0

    @property
    def round(self) -> None:
        """None: there are no rounds; the bidding goes on until nobody says more."""

    @property
    def turned(self) -> None:
        """None: no card is turned."""

    @property
    def least(self) -> int | str | None:
        """The lowest number that may be bid; `capot` if only that is left, None if nothing is."""
        if not self.is_waiting or self.double > 1:
            return None
        suits = self.ruleset.suits
        steps: tuple[int | str, ...] = (*list_bids(self.ruleset), *EVERY_TRICK)
        return next((points for points in steps if any(self.may_bid(points, suit) for suit in suits)), None)

    def may_bid(self, points: int | str, trump: str) -> bool:
        """True if a bid can be made at this table and goes above the highest one.

        Rule keys: `bid.points`, `bid.capot`, `bid.generale`, `bid.rank`.
        """
        if points == GENERALE and self.ruleset["generale"] == "off":
            return False
        if points not in (*list_bids(self.ruleset), *EVERY_TRICK):
            return False
        return self.points is None or self._rank(points, trump) > self._rank(self.points, self.trump or "")

    def _rank(self, points: int | str, trump: str) -> tuple[int, int]:
        """Rank a bid: by its number, those of every trick above all, and by its suit where suits rank."""
        number = points if isinstance(points, int) else MAX_BID + 1 + EVERY_TRICK.index(points)
        match self.ruleset["contract_rank"]:
            case "number":
                return number, 0
            case "suit":
                return number, RANKED.index(trump)
            case unknown:
                raise UnknownOption(unknown)

    @property
    def speaker_keys(self) -> tuple[str, ...]:
        keys = {"bid": "bid.points", "double": "bid.double", "redouble": "bid.redouble"}
        return ("bid.first", *(keys[call] for call in self.legal() if call in keys))

    @property
    def call_key(self) -> str:
        return "bid.first"

    def legal(self) -> tuple[str, ...]:
        """The calls that the speaker may make; a bid without its number and suit."""
        if not self.is_waiting or self.speaker is None:
            return ()
        ring = self.ruleset.ring
        may = {
            "pass": True,
            "bid": self.least is not None,
            "double": self.may_double(self.speaker),
            "redouble": self.double > 1 and ring.side(self.speaker) == ring.side(self.declarer or ""),
        }
        return tuple(call for call, allowed in may.items() if allowed)

    def may_double(self, seat: Seat) -> bool:
        """True if a seat may double, in turn or, if the game allows it, at any time.

        Rule key: `bid.double`.
        """
        ring = self.ruleset.ring
        if not self.is_waiting or self.declarer is None or self.double > 1:
            return False
        if ring.side(seat) == ring.side(self.declarer):
            return False
        match self.ruleset["doubling"]:
            case "in-turn":
                return seat == self.speaker
            case "any-time":
                return True
            case unknown:
                raise UnknownOption(unknown)

    def add_call(self, call: str) -> "Auction":
        """Add a call, such as `bid 90 H`; one not allowed makes the bidding `illegal`."""
        if self.status != "open":
            return self._reject(Message("The bidding was over."), self.keys[-1])
        match call.split():
            case ["pass"]:
                return self._pass()
            case ["bid", points, suit]:
                return self._bid(points, parse_trump(suit), call)
            case ["double", *seats] if len(seats) < 2 and self._find_doubler(seats):
                return self._go_on(self._find_doubler(seats), "bid.double", double=2)
            case ["redouble"] if "redouble" in self.legal():
                doubled = replace(self, double=self.ruleset["redouble"])
                return doubled._close_with_bid("bid.redouble")
            case [verb, *_]:
                keys = {"bid": "bid.points", "double": "bid.double", "redouble": "bid.redouble"}
                return self._reject(self._refuse(call), keys.get(verb, self.call_key))
        return self._reject(self._refuse(call), self.call_key)

    def _find_doubler(self, seats: Sequence[str]) -> Seat:
        """Find the doubler: the seat named, or the speaker; empty if that one may not double."""
        seat = seats[0] if seats else self.speaker or ""
        return seat if seat in self.ruleset.ring.seats and self.may_double(seat) else ""

    def _bid(self, number: str, suit: str | None, call: str) -> "Auction":
        """Let the speaker bid a number, or every trick, and a suit."""
        keys = {GENERALE: "bid.generale", CAPOT: "bid.capot"}
        key = next((key for bid, key in keys.items() if bid in (number, self.points)), "bid.points")
        contracts = self.ruleset.known_keys("bid.contracts") if suit in (NO_TRUMPS, ALL_TRUMPS) else ()
        if suit not in self.ruleset.suits or self.least is None:
            return self._reject(self._refuse(call), (*contracts, key)[0])
        points = int(number) if number.isascii() and number.isdigit() else number
        if self.may_bid(points, suit):
            equal = ["bid.rank"] * (points == self.points)
            return self._go_on(self.speaker or "", key, *contracts, *equal, points=points, trump=suit)
        words, step = self.ruleset.book.words, self.ruleset["bid_step"]
        facts = {"bid": show_bid(words, self.least), "capot": show_bid(words, CAPOT), "step": step}
        if points == self.points:
            return self._reject(self._refuse(call), "bid.rank")
        if self.least in EVERY_TRICK or points == GENERALE:
            return self._reject(Message("Only {bid} can still be bid.", **facts), key)
        why = Message("A bid is {bid} or more, in tens, or {capot}.", **facts)
        if step != STEP:
            why = Message("A bid is {bid} or more, in steps of {step}, or {capot}.", **facts)
        return self._reject(why, key)

    @property
    def is_waiting(self) -> bool:
        """True if a call may follow."""
        return self.status in ("open", "illegal")

    def _pass(self) -> "Auction":
        """Let the speaker pass; after three the highest bid is played, without one the fourth throws in."""
        if self.declarer is None and self.passes == self.ruleset.ring.size - 1:
            return self._close_thrown_in("bid.passed-out")
        if self.declarer is not None and self.passes == self.ruleset.ring.size - 2:
            return self._close_with_bid("bid.first")
        passed = replace(self, passes=self.passes + 1)
        return passed._hand_over(self.ruleset.ring.left(self.speaker or ""), self.phase, "bid.first")

    def _go_on(
        self,
        seat: Seat,
        *keys: str,
        points: int | str | None = None,
        trump: str | None = None,
        double: int = 1,
    ) -> "Auction":
        """Add a bid or a double by a seat; the player after it speaks."""
        after = replace(self, passes=0, double=double)
        if points is not None:
            after = replace(after, declarer=seat, trump=trump, points=points)
        return after._hand_over(self.ruleset.ring.left(seat), self.phase, "bid.first", *keys)

    def _close_with_bid(self, key: str) -> "Auction":
        """Close the bidding: the highest bid is played."""
        why = Message(
            "{seat} plays {suit}: {bid}.",
            seat=SeatName(self.declarer or ""),
            suit=show_suit(self.trump),
            bid=show_bid(self.ruleset.book.words, self.points or CAPOT, self.double),
        )
        return self._close("contract", key, why)

    def _show_call(self, call: str) -> Message | Word | str:
        match call.split():
            case ["bid", number, suit] if parse_trump(suit) is not None:
                points = show_bid(self.ruleset.book.words, number)
                return Message("{points} {suit}", points=points, suit=show_suit(parse_trump(suit)))
        return Auction._show_call(self, call)


def follow_auction(
    ruleset: JackNineRuleset, elder: Seat, turned: Card | str | None, calls: Sequence[str]
) -> Auction:
    """Follow the whole bidding; it stops at the first call that is not allowed.

    `turned` is the turned card or its suit alone; None if it is not known, or none is turned.

    >>> from companion import library
    >>> ruleset = library.open_game("derda").family.ruleset
    >>> bidding = follow_auction(ruleset, "A", "H", ["pass", "pass", "play S"])
    >>> bidding.status, bidding.declarer, str(bidding.trump)
    ('contract', 'A', 'S')
    >>> follow_auction(ruleset, "A", "H", ["pass"]).legal()
    ('pass', 'play', 'ask')
    """
    suit = turned.suit if isinstance(turned, Card) else turned
    auction = _open_auction(ruleset, elder, suit)
    for number, call in enumerate(calls, 1):
        after = auction.add_call(call)
        if after.status == "illegal":
            return replace(after, illegal=number, speaker=auction.speaker)
        auction = after
    return auction


def _open_auction(ruleset: JackNineRuleset, elder: Seat, suit: Suit | str | None) -> Auction:
    """Open the bidding, before anybody has spoken."""
    why = Message("{seat} speaks.", seat=SeatName(elder))
    match ruleset["bidding"]:
        case "turned":
            return Auction(ruleset, elder, suit, elder, why=why)
        case "one-round" | "elder":
            return Auction(ruleset, elder, suit, elder, "single", why=why)
        case "by-points":
            return PointAuction(ruleset, elder, None, elder, why=why)
        case unknown:
            raise UnknownOption(unknown)
