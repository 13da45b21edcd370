"""A deal as it is read, step by step: its contract, its counts, its faults."""

from dataclasses import dataclass, field

from companion.jacknine.entries import Deal
from companion.jacknine.phases import auction, melds, play
from companion.jacknine.phases.bidding import Bid
from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import Card
from companion.rules.game import CountLine
from companion.rules.message import Message
from companion.rules.ruling import Problem
from companion.rules.seats import Seat, Side


@dataclass
class DealReading:
    """A deal as it is read step by step: the contract, the counts, the faults found.

    `status` is the end of the bidding: `contract`, `thrown-in` (`after_schmeiss`, or not), `offer`, `belot`,
    `misdealt` or `void`; `open` if it did not end. `points` and `double` are of the bid. `made` are all
    points by side, None while they are unknown, and `lines` how they add up; `meld_points` is the part of
    them from melds and bela. `standing` are the players whose melds count, `excluded` melds that share a card
    with better ones of their hand; `melds_known` is false if the missing suit of declared runs would decide
    whose they are. `last` is the side of the deal's last trick, `taker` that of the last trick stated.
    `doubtful` are the sides that may or may not have taken a trick; `alone` is whether the declarer took all
    tricks, None if nobody says. `keys` are those of the rules applied.

    `asks` is false in matches begun before forms asked whether a side without points took a trick: there it
    did unless the entry says otherwise, and a deal with a bela of an unknown side is flagged, but counted.
    """

    ruleset: JackNineRuleset
    deal: Deal
    number: int
    dealer: Seat
    problems: list[Problem] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    lines: list[CountLine] = field(default_factory=list)
    status: str = "open"
    declarer: Seat | None = None
    trump: str | None = None
    turned: bool | None = None
    points: int | str | None = None
    double: int = 1
    terms: auction.OfferTerms | None = None
    after_schmeiss: bool = False
    made: dict[Side, int] | None = None
    meld_points: dict[Side, int] = field(default_factory=dict)
    melds_known: bool = True
    standing: frozenset[Seat] = frozenset()
    excluded: tuple[melds.Meld, ...] = ()
    trickless: frozenset[Side] = frozenset()
    last: Side | None = None
    taker: Side | None = None
    false_melds: dict[Side, int] = field(default_factory=dict)
    doubtful: frozenset[Side] = frozenset()
    asks: bool = True
    last_of_all: int = 0
    alone: bool | None = None

    @property
    def leader(self) -> Seat:
        """The seat that leads to the first trick."""
        return play.find_first_leader(self.ruleset, self.elder, self.declarer, self.points)

    @property
    def elder(self) -> Seat:
        """The seat that speaks first."""
        return self.ruleset.ring.left(self.dealer)

    @property
    def capot(self) -> Side | None:
        """The side that took every trick, if that counts more."""
        return self.ruleset.find_capot(self.trickless)

    @property
    def belas(self) -> tuple[Seat, ...]:
        """The seats whose bela counts, one for each pair; at some tables none counts with all trumps."""
        return self.deal.belas[: len(self.ruleset.pairs(self.suit))]

    @property
    def bela(self) -> tuple[Side, ...]:
        """The side of each bela that counts."""
        return tuple(map(self.ruleset.ring.side, self.belas))

    def has_discards(self, side: Side) -> bool:
        """True if a side has card points without a trick: of cards that it laid away."""
        lays = self.ruleset.discards > 0 and self.declarer is not None
        return lays and self.ruleset.ring.side(self.declarer or "") == side

    @property
    def bid(self) -> Bid | None:
        """The bid that was played, with what its amount depends on; None if no points are bid."""
        if self.points is None or self.made is None:
            return None
        melds = sum(self.meld_points.values())
        if self.deal.totals is not None and self.deal.penalty is not None:
            melds = sum(self.made.values()) - self.ruleset.sum_deal(False, self.suit)
        elif self.deal.totals is not None:
            total = sum(self.deal.totals.values()) + self.last_of_all
            melds = total - self.ruleset.sum_deal(self.capot is not None, self.suit)
        melds -= self.ruleset.bela_points * len(self.belas)
        discounted = self._find_discounted(melds)
        whole = self.ruleset.sum_deal(True, self.suit)
        return Bid(self.points, self.double, melds, self.capot, bool(self.alone), discounted, whole)

    def _find_discounted(self, melds: int) -> int:
        """The points of the takers that do not help to reach the bid; `melds` are those that stood.

        Rule key: `score.needs`.
        """
        side = self.ruleset.ring.side(self.declarer or "")
        belas = self.ruleset.bela_points * self.bela.count(side)
        match self.ruleset["helps_bid"]:
            case "all":
                return 0
            case "without-bela":
                return belas
            case "cards":
                pass_on = self.trickless and self.ruleset["trickless"] == "runs-pass"
                return belas + melds * (self.capot == side if pass_on else self.meld_side == side)
            case unknown:
                raise UnknownOption(unknown)

    @property
    def meld_side(self) -> Side | None:
        """The side whose melds stood; None without any, or if nobody says."""
        return self.ruleset.ring.side(min(self.standing)) if self.standing else None

    @property
    def suit(self) -> str:
        """The trump suit of a deal that was played."""
        assert self.trump is not None
        return self.trump

    def flag(self, path: str, key: str, reason: Message) -> None:
        """Flag something that cannot be right: the field of the entry, the key of the rule, and why."""
        self.problems.append(self.ruleset.find_problem(self.number, path, key, reason))

    def flag_contradiction(self, path: str, reason: Message) -> None:
        """Flag facts that cannot all be true, at the field of the entry; no rule is about that."""
        self.problems.append(self.ruleset.find_contradiction(self.number, path, reason))

    def turned_suit(self) -> str | None:
        """The suit of the turned card, if it is known."""
        card = self.deal.turn_up
        return card.suit if isinstance(card, Card) else card

    def out(self) -> set[Card]:
        """Cards known to be out of play: the card shown, and the turned one or the seven swapped for it."""
        deal = self.deal
        cards = {deal.shown} if deal.shown else set()
        if deal.exchanged is not None:
            seven = self.ruleset.seven(self.suit)
            cards |= {seven} if seven else set()
        elif deal.turned_card and not self.turned and self.ruleset.turned_card == "out":
            cards.add(deal.turned_card)  # in the turned suit a swap may simply not have been written down
        return cards
