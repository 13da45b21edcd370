"""A deal as proof: hands and tricks, every card rightly played, that leave given piles.

It is built from the last trick to the first. What a seat still holds at a trick is what it plays later, so
every play can be judged as soon as it is placed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.jacknine.phases import play
from companion.jacknine.ruleset import Ruleset
from companion.rules.cards import Card
from companion.rules.seats import Seat, Side

from .piles import Piles, Weary

Tricks = tuple[tuple[Seat, tuple[Card, ...]], ...]
"""Tricks in order: who led, and the cards from the leader on."""


@dataclass
class Builder:
    """Builds the play of one deal, backwards; `holder` are cards of which it is known who was dealt them."""

    ruleset: Ruleset
    trump: str
    last: Side
    holder: dict[Card, Seat]
    work: int = 0
    most: int = 0
    dead: set[object] = field(default_factory=set)
    height: dict[Card, int] = field(init=False)

    def __post_init__(self) -> None:
        orders, pack = self.ruleset.orders, self.ruleset.pack
        self.height = {card: orders.height(card, self.trump) * len(pack) + i for i, card in enumerate(pack)}

    def build(self, piles: Piles, most: int) -> Tricks | None:
        """Tricks that leave these piles; None where there are none.

        :raises Weary: when so many plays have been tried.
        """
        self.dead.clear()
        self.most = self.work + most
        nothing: dict[Seat, tuple[Card, ...]] = dict.fromkeys(self.ruleset.ring.seats, ())
        return self._before(list(piles), nothing, None)

    def _before(
        self, piles: list[frozenset[Card]], later: dict[Seat, tuple[Card, ...]], taker: Seat | None
    ) -> Tricks | None:
        """The tricks before those placed; `taker` has to take the one that comes next, seen from behind."""
        if not any(piles):
            return ()
        ring = self.ruleset.ring
        state = (tuple(piles), tuple(self._outlook(later[seat]) for seat in ring.seats), taker)
        if state in self.dead:
            return None
        side = ring.side(taker) if taker else self.last
        number = ring.sides.index(side)
        takers = (taker,) if taker else tuple(seat for seat in ring.seats if ring.side(seat) == side)
        for one in takers:
            for leader, cards in self._tricks(piles, number, later, one):
                rest = list(piles)
                rest[number] = piles[number] - set(cards)
                if any(rest) and not rest[ring.sides.index(ring.side(leader))]:
                    continue
                held = {
                    seat: (*later[seat], card) for seat, card in zip(ring.around(leader), cards, strict=True)
                }
                found = self._before(rest, held, leader)
                if found is not None:
                    return (*found, (leader, cards))
        self.dead.add(state)
        return None

    def _outlook(self, cards: Sequence[Card]) -> object:
        """All that matters of a hand to earlier duties: its suits, and its highest trump."""
        trumps = [self.height[card] for card in cards if card.suit == self.trump]
        return frozenset(card.suit for card in cards), max(trumps, default=0), len(trumps) == 1

    def _tricks(
        self, piles: Sequence[frozenset[Card]], number: int, later: dict[Seat, tuple[Card, ...]], taker: Seat
    ) -> Iterator[tuple[Seat, tuple[Card, ...]]]:
        """Every trick of cards from this pile that the seat can take, the awkward ones first."""
        ring = self.ruleset.ring
        pile = piles[number]
        if len(pile) < ring.size:
            return

        def left(seat: Seat) -> int:
            own = ring.sides.index(ring.side(seat))
            return len(piles[own]) - ring.size * (own == number)

        for leader in sorted(ring.around(taker), key=left, reverse=True):
            seats = ring.around(leader)
            for cards in self._plays(pile, later, taker, seats, ()):
                yield leader, cards

    def _plays(
        self,
        pile: frozenset[Card],
        later: dict[Seat, tuple[Card, ...]],
        taker: Seat,
        seats: Sequence[Seat],
        trick: tuple[Card, ...],
    ) -> Iterator[tuple[Card, ...]]:
        if not seats:
            yield trick
            return
        seat = seats[0]
        best = trick[play.winning(self.ruleset, trick, self.trump)] if trick else None
        taken = len(seats) <= self.ruleset.ring.size and taker not in seats[1:] and seat != taker
        for card in self._order(pile, trick, seat == taker):
            if self.holder.get(card, seat) != seat:
                continue
            if best is not None:
                over = self.ruleset.beats(card, best, self.trump)
                if over != (seat == taker) and (seat == taker or taken):
                    continue
                if card not in play.duty(self.ruleset, (*later[seat], card), trick, self.trump).legal:
                    continue
            self.work += 1
            if self.work > self.most:
                raise Weary
            yield from self._plays(pile - {card}, later, taker, seats[1:], (*trick, card))

    def _order(self, pile: frozenset[Card], trick: Sequence[Card], takes: bool) -> list[Card]:
        """Cards in the order in which they are tried: odd ones of their suit first, then of the suit led."""
        size = self.ruleset.ring.size
        suits = [card.suit for card in (*pile, *trick)]
        odd = {suit: suits.count(suit) % size for suit in dict.fromkeys(suits)}
        for card in trick:
            odd[card.suit] -= 1
        awkward = any(n > 0 for n in odd.values()) and (not trick or odd[trick[0].suit] >= 0)

        def key(card: Card) -> tuple[bool, bool, int]:
            high = -self.height[card] if takes and card.suit != self.trump else self.height[card]
            if awkward:
                return card not in self.holder, odd[card.suit] <= 0, high
            return bool(trick) and card.suit != trick[0].suit, card not in self.holder, high

        return sorted(pile, key=key)
