"""The last cards of a deal as numbers, for the search through every play of them.

The numbers do not depend on names: seats count from the one that leads, sides in the order of play, suits in
the order of their cards left, trumps last; the cards of a suit follow each other, the lowest first. So
positions that differ only in the names of suits or seats are the same, and share their results. A set of
cards is an integer with a bit for each.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import ALL_TRUMPS, Card
from companion.rules.seats import Seat, Side


@dataclass(frozen=True, slots=True)
class Endgame:
    """The last cards, and all that their play depends on.

    `hands` are sets of cards by seat, `stated` the same cards in the order in which they were given; `table`
    are the cards of an unfinished trick, that of the leader, who is seat 0, first; `sides` the side of each
    seat. By card: all cards of its suit, those that beat it there, its points. `keeper` is the trump that
    need not ruff a plain lead when it is the only one, or none. `beats_led`: a led trump must be beaten;
    `partner_frees`: nobody need ruff a partner; `beats_trumped`: in a trick that was trumped the best card of
    the led suit must still be beaten, where plain suits are.
    """

    hands: tuple[int, ...]
    stated: tuple[int, ...]
    table: tuple[int, ...]
    sides: tuple[int, ...]
    suits: tuple[int, ...]
    above: tuple[int, ...]
    points: tuple[int, ...]
    last: int
    trumps: int
    keeper: int
    over_ruff: str
    beats_led: bool
    partner_frees: bool
    beats_trumped: bool = False

    @property
    def total(self) -> int:
        """All points that are left: of the hands, of the table, and of the last trick."""
        return sum(self.points) + self.last

    @property
    def tricks(self) -> int:
        """The number of tricks left."""
        return max(hand.bit_count() for hand in self.hands)

    def seats(self, side: int) -> frozenset[int]:
        """The seats of a side."""
        return frozenset(seat for seat, its in enumerate(self.sides) if its == side)

    def count_points(self, cards: int) -> int:
        """Count the points of a set of cards."""
        return sum(self.points[card] for card in list_cards(cards))


@dataclass(frozen=True, slots=True)
class EndgameNames:
    """The cards and seats behind the numbers of an endgame."""

    cards: tuple[Card, ...]
    seats: tuple[Seat, ...]
    sides: tuple[Side, ...]


def encode_endgame(
    ruleset: JackNineRuleset,
    hands: Mapping[Seat, Sequence[Card]],
    table: Sequence[Card],
    leader: Seat,
    trump: str,
) -> tuple[Endgame, EndgameNames]:
    """Encode these hands as numbers; with the names of the numbers.

    `table` are the cards of an unfinished trick, `leader` led to it, or leads.
    """
    ring, height = ruleset.ring, ruleset.orders.height
    seats = ring.around(leader)
    sides = tuple(dict.fromkeys(map(ring.side, seats)))
    holders = {card: number for number, seat in enumerate(seats) for card in hands[seat]}
    holders |= {card: ring.size + place for place, card in enumerate(table)}
    suits = {
        suit: sorted((card for card in holders if card.suit == suit), key=lambda card: height(card, trump))
        for suit in dict.fromkeys(card.suit for card in holders)
    }
    patterns = {
        suit: (suit == trump, [(holders[card], ruleset.full_points(card, trump)) for card in its])
        for suit, its in suits.items()
    }
    cards = tuple(card for suit in sorted(suits, key=patterns.__getitem__) for card in suits[suit])
    number = {card: n for n, card in enumerate(cards)}
    keeps = ruleset["bare_jass"] == "on"
    ending = Endgame(
        hands=tuple(to_bits(number[card] for card in hands[seat]) for seat in seats),
        stated=tuple(number[card] for seat in seats for card in hands[seat]),
        table=tuple(number[card] for card in table),
        sides=tuple(sides.index(ring.side(seat)) for seat in seats),
        suits=tuple(_mark_cards(other.suit == card.suit for other in cards) for card in cards),
        above=tuple(
            _mark_cards(other.suit == card.suit and ruleset.beats(other, card, trump) for other in cards)
            for card in cards
        ),
        points=tuple(ruleset.full_points(card, trump) for card in cards),
        last=ruleset.last_points,
        trumps=_mark_cards(card.suit == trump for card in cards),
        keeper=_mark_cards(keeps and ruleset.is_jass(card, trump) for card in cards),
        over_ruff="beat-all" if trump == ALL_TRUMPS else ruleset["play"],
        beats_led={"beat": True, "follow": False}[ruleset["trump_led"]],
        partner_frees=ring.partnerships and ruleset["partner_frees"],
        beats_trumped=ruleset.has_option("trumped", "beat"),
    )
    return ending, EndgameNames(cards, seats, sides)


def encode_pack(ruleset: JackNineRuleset, trump: str) -> tuple[Endgame, dict[Card, int]]:
    """Encode the whole pack as the leader's hand, for a search through deals; with each card's number."""
    first, *others = ruleset.ring.seats
    hands = {first: ruleset.pack, **dict.fromkeys(others, ())}
    ending, names = encode_endgame(ruleset, hands, (), first, trump)
    return ending, {card: n for n, card in enumerate(names.cards)}


def _mark_cards(chosen: Iterable[bool]) -> int:
    """Collect the cards marked true in a set."""
    return sum(1 << card for card, is_in in enumerate(chosen) if is_in)


def to_bits(cards: Iterable[int]) -> int:
    """Collect cards in a set of bits."""
    return sum(1 << card for card in cards)


def list_cards(cards: int) -> Iterator[int]:
    """List the cards of a set, the lowest number first."""
    while cards:
        bit = cards & -cards
        cards ^= bit
        yield bit.bit_length() - 1


def build_duty_finder(ending: Endgame) -> Callable[[int, int, int, bool, int], int]:
    """Build a function from a hand, the suit led and the best card (-1: a lead) to the cards allowed.

    Its last arguments are whether the best card is a partner's, and the cards of the trick. The duties are
    those of `play.find_duty`, for sets of cards.
    """
    above, trumps, keeper, frees = ending.above, ending.trumps, ending.keeper, ending.partner_frees
    beats_led = ending.beats_led
    over, free = {
        "beat-trumps": (False, False),
        "over-ruff": (True, False),
        "ruff-if-higher": (True, True),
        "beat-all": (True, False),
    }[ending.over_ruff]
    beats_all, beats_trumped = ending.over_ruff == "beat-all", ending.beats_trumped

    def find_legal(hand: int, led: int, best: int, befriended: bool, lying: int) -> int:
        if best < 0:
            return hand
        if led == trumps:
            return beats_led and hand & above[best] or hand & trumps or hand
        if hand & led:
            if beats_trumped:
                best = (lying & led).bit_length() - 1
            return (beats_all and hand & led & above[best]) or hand & led
        ruffs = hand & trumps
        if not ruffs or ruffs == keeper or (frees and befriended):
            return hand
        if over and trumps >> best & 1:
            return ruffs & above[best] or (hand if free else ruffs)
        return ruffs

    return find_legal


def build_taking_finder(ending: Endgame) -> Callable[[int], int]:
    """Build a function from the best card of a trick (-1: a lead) to the cards that would take it."""
    plain = ~ending.trumps
    taking = [above | (ending.trumps if plain >> card & 1 else 0) for card, above in enumerate(ending.above)]
    taking.append(-1)
    return taking.__getitem__


class Position(NamedTuple):
    """A position: the cards left in hands, those at the start of the trick, the seat to play.

    Of the trick: the number of its cards, the suit led (0: none), the best card (-1: none), the seat that
    played it, and the points.
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
    """Find the position after one more card."""
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
    """Find the position to search from, with the cards of the table in the trick."""
    whole = sum(ending.hands) + to_bits(ending.table)
    at = Position(whole, whole, 0)
    for card in ending.table:
        at = play_card(ending, at, card)
    return at
