"""One deal as it is being read: what it says so far, and what cannot be right in it."""

from dataclasses import dataclass, field

from ..rules.cards import Card
from ..rules.message import Message
from ..rules.ruling import Problem
from ..rules.seats import Seat, Side
from . import auction
from .entries import Deal
from .ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a count: the side, the game's word for it, the points, and the top card it stands for."""

    side: Side
    word: str
    points: int
    detail: str = ""


@dataclass
class Reading:
    """What one deal says, gathered step by step: the contract, the counts, and what is wrong.

    `status` is how the bidding ended: `contract`, `thrown-in`, `offer` or `void`; `open` where it did not.
    `made` stays None while what was made cannot be known; `taker` took the last trick that is told.
    """

    ruleset: Ruleset
    deal: Deal
    number: int
    dealer: Seat
    problems: list[Problem] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    status: str = "open"
    declarer: Seat | None = None
    trump: str | None = None
    turned: bool | None = None
    terms: auction.Offer | None = None
    made: dict[Side, int] | None = None
    words: dict[Side, int] = field(default_factory=dict)
    trickless: Side | None = None
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
        """Note something that cannot be right."""
        path = f"entries[{self.number - 1}].{place}"
        self.problems.append(Problem(self.number, path, self.ruleset.cite_one(key), reason))

    def out(self) -> set[Card]:
        """Cards known to be out of play: the card shown, and the turned one or the seven swapped for it."""
        found = {self.deal.shown} if self.deal.shown else set()
        if self.deal.exchanged is not None:
            found.add(self.ruleset.seven(self.suit))
        elif self.deal.turn_up is not None and not self.turned:
            found.add(self.deal.turn_up)  # in the turned suit a swap may simply not have been written down
        return found
