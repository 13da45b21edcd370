"""The last cards of a deal as numbers, for the search through every play of them.

Cards are numbered suit by suit, the lowest of a suit first; a set of cards is an integer with a bit for each;
seats and sides count from 0.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import Card, Suit


@dataclass(frozen=True, slots=True)
class Endgame:
    """The last cards, and all that their play hangs on.

    `hands` by seat, each in the order given; `table` the cards of an unfinished trick; `leader` led to it;
    `sides` the side of each seat. By card: all cards of its suit, those that beat it there, its points.
    `keeper` is the trump that need not ruff a plain lead when it is the only one, or none.
    """

    hands: tuple[tuple[int, ...], ...]
    table: tuple[int, ...]
    leader: int
    sides: tuple[int, ...]
    suits: tuple[int, ...]
    above: tuple[int, ...]
    points: tuple[int, ...]
    last: int
    trumps: int
    keeper: int
    over_ruff: str

    @property
    def total(self) -> int:
        """All points that are left: of the hands, of the table, and of the last trick."""
        return sum(self.points) + self.last

    @property
    def tricks(self) -> int:
        """How many tricks are left."""
        return max(map(len, self.hands))

    def seats(self, side: int) -> frozenset[int]:
        """Who plays for a side."""
        return frozenset(seat for seat, its in enumerate(self.sides) if its == side)

    def count_points(self, cards: int) -> int:
        """The points of a set of cards."""
        return sum(points for card, points in enumerate(self.points) if cards >> card & 1)

    def is_unbeatable(self, hand: int, others: int) -> bool:
        """Whether every card of a hand takes the trick that it is led to."""
        if others & self.trumps and hand & ~self.trumps:
            return False
        return not any(hand >> card & 1 and others & above for card, above in enumerate(self.above))


def encode_endgame(
    ruleset: JackNineRuleset, hands: Sequence[Sequence[Card]], table: Sequence[Card], leader: int, trump: str
) -> tuple[Endgame, tuple[Card, ...]]:
    """The ending of these hands, by seat from the first, and which card each number is.

    `table` are the cards of an unfinished trick, `leader` is the number of the seat that led to it, or leads.
    """
    ring, height = ruleset.ring, ruleset.orders.height
    unsorted = [*table, *(card for hand in hands for card in hand)]
    cards = tuple(sorted(unsorted, key=lambda card: (tuple(Suit).index(card.suit), height(card, trump))))
    number = {card: n for n, card in enumerate(cards)}
    match ruleset["bare_jass"]:
        case "on":
            keeper = _mark_cards(ruleset.is_jass(card, trump) for card in cards)
        case "off":
            keeper = 0
        case unknown:
            raise UnknownOption(unknown)
    ending = Endgame(
        hands=tuple(tuple(number[card] for card in hand) for hand in hands),
        table=tuple(number[card] for card in table),
        leader=leader,
        sides=tuple(ring.sides.index(ring.side(seat)) for seat in ring.seats),
        suits=tuple(_mark_cards(other.suit == card.suit for other in cards) for card in cards),
        above=tuple(
            _mark_cards(other.suit == card.suit and ruleset.beats(other, card, trump) for other in cards)
            for card in cards
        ),
        points=tuple(ruleset.full_points(card, trump) for card in cards),
        last=ruleset.last_points,
        trumps=_mark_cards(card.suit == trump for card in cards),
        keeper=keeper,
        over_ruff=ruleset["play"],
    )
    return ending, cards


def _mark_cards(chosen: Iterable[bool]) -> int:
    """The set of those cards for which it is true."""
    return sum(1 << card for card, is_in in enumerate(chosen) if is_in)


def to_bits(cards: Iterable[int]) -> int:
    """Cards as a set of bits."""
    return sum(1 << card for card in cards)


def build_duty_finder(ending: Endgame) -> Callable[[int, int, int], int]:
    """A function from a hand, the suit led and the best card so far (-1: a lead) to what may be played.

    The same duties as those of `play.find_duty`, for sets of cards.

    :raises UnknownOption: where the game's way to overruff is none that is known.
    """
    above, trumps, keeper = ending.above, ending.trumps, ending.keeper
    match ending.over_ruff:
        case "beat-trumps":
            over, free = False, False
        case "over-ruff":
            over, free = True, False
        case "ruff-if-higher":
            over, free = True, True
        case unknown:
            raise UnknownOption(unknown)

    def find_legal(hand: int, led: int, best: int) -> int:
        if best < 0:
            return hand
        if led == trumps:
            return hand & above[best] or hand & trumps or hand
        if hand & led:
            return hand & led
        ruffs = hand & trumps
        if not ruffs or ruffs == keeper:
            return hand
        if over and trumps >> best & 1:
            return ruffs & above[best] or (hand if free else ruffs)
        return ruffs

    return find_legal


class Position(NamedTuple):
    """How play stands: the cards left in hands, those that were at the start of the trick, whose turn it is.

    Of the trick: how many cards lie there, the suit led (0: none), the best card (-1), who played it, and
    the points that lie there.
    """

    left: int
    start: int
    seat: int
    lying: int = 0
    led: int = 0
    best: int = -1
    winner: int = 0
    worth: int = 0


def play_card(ending: Endgame, at: Position, card: int) -> Position:
    """The position after one more card."""
    bit, best = 1 << card, at.best
    if best < 0 or bit & ending.above[best] or (bit & ending.trumps and not ending.trumps >> best & 1):
        at = at._replace(best=card, winner=at.seat, led=at.led or ending.suits[card])
    return at._replace(
        left=at.left & ~bit,
        seat=(at.seat + 1) % len(ending.hands),
        lying=at.lying + 1,
        worth=at.worth + ending.points[card],
    )


def find_start(ending: Endgame) -> Position:
    """The position that is asked about, with the cards of the table in the trick."""
    whole = to_bits(card for cards in (*ending.hands, ending.table) for card in cards)
    at = Position(whole, whole, ending.leader)
    for card in ending.table:
        at = play_card(ending, at, card)
    return at
