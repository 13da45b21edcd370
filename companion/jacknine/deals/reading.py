"""A deal while it is being read: what it says so far, and what cannot be right in it."""

from dataclasses import dataclass, field

from companion.jacknine.entries import Deal
from companion.jacknine.phases import auction
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.state import CountLine
from companion.rules.cards import Card
from companion.rules.message import Message
from companion.rules.ruling import Problem
from companion.rules.seats import Seat, Side


@dataclass
class DealReading:
    """What one deal says, gathered step by step: the contract, the counts, and what is wrong.

    `status` is how the bidding ended: `contract`, `thrown-in` (`after_schmeiss`, or not), `offer` or
    `void`; `open` where it did not. `made` are all points by side, None while they cannot be known;
    `meld_points` is what of them came from melds and bela; `melds_known` is false where the missing suit of
    declared runs would say whose they are. `last` is the side of the deal's last trick,
    `taker` that of the last trick stated. `keys` are the rules it went by, `lines` how `made` adds up.
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
    terms: auction.OfferTerms | None = None
    after_schmeiss: bool = False
    made: dict[Side, int] | None = None
    meld_points: dict[Side, int] = field(default_factory=dict)
    melds_known: bool = True
    trickless: frozenset[Side] = frozenset()
    last: Side | None = None
    taker: Side | None = None

    @property
    def elder(self) -> Seat:
        """The seat that speaks and leads first."""
        return self.ruleset.ring.left(self.dealer)

    @property
    def suit(self) -> str:
        """The trump suit of a deal that was played."""
        assert self.trump is not None
        return self.trump

    def flag(self, place: str, key: str, reason: Message) -> None:
        """Note something that cannot be right: the field of the entry, the key of the rule, and why."""
        path = f"entries[{self.number - 1}].{place}"
        self.problems.append(Problem(self.number, path, self.ruleset.cite_one(key), reason))

    def turned_suit(self) -> str | None:
        """The suit of the turned card, where it is known."""
        card = self.deal.turn_up
        return card.suit if isinstance(card, Card) else card

    def out(self) -> set[Card]:
        """Cards known to be out of play: the card shown, and the turned one or the seven swapped for it."""
        deal = self.deal
        cards = {deal.shown} if deal.shown else set()
        if deal.exchanged is not None:
            seven = self.ruleset.seven(self.suit)
            cards |= {seven} if seven else set()
        elif isinstance(deal.turn_up, Card) and not self.turned and self.ruleset.turned_card == "out":
            cards.add(deal.turn_up)  # in the turned suit a swap may simply not have been written down
        return cards
