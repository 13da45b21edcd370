"""A proof for known piles: hands, and a legal play that leaves each side exactly these cards.

Tricks are built from the last to the first. The cards that a seat still holds at a trick are those it plays
later, so every play can be judged at once. If it is not known who was dealt which cards of a plain suit, the
cards of one pile are alike: of those in a trick, the taker plays the highest.

A search that runs long begins once more in another order; dead ends are remembered.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card
from companion.rules.seats import Seat, Side

from .endgame import build_duty_finder, build_taking_finder, encode_pack, list_cards, to_bits
from .facts import Effort, SearchLimit
from .piles import Piles
from .rehearsal import Line, Lot, Tricks, name_tricks

FIRST = 60
"""Plays tried in the first order; in every further order half as many again."""
NEW_SUIT, NEW_TRUMP, NOISE = 4, 10, 8
"""The delays of a card in a suit that its seat does not play later, and of such a trump; the random part."""


@dataclass
class Arranger:
    """A builder of the play of a deal, backwards.

    `last` is the side of the last trick; `holder` maps cards to the seats that were dealt them, as far as
    known. Cards, seats and sides are numbers, sets of cards are integers with a bit for each.
    """

    ruleset: JackNineRuleset
    trump: str
    last: Side
    holder: Mapping[Card, Seat]
    lot: Lot = field(default_factory=Lot)
    dead: set[object] = field(default_factory=set)
    limit: int = FIRST
    piles: tuple[int, ...] = ()
    effort: Effort = field(init=False)
    order: Effort = field(init=False)

    def __post_init__(self) -> None:
        ring = self.ruleset.ring
        self.ending, self.number = encode_pack(self.ruleset, self.trump)
        self.cards, self.size = tuple(self.number), ring.size
        self.sides = [ring.sides.index(ring.side(seat)) for seat in ring.seats]
        self.find_legal, self.find_taking = build_duty_finder(self.ending), build_taking_finder(self.ending)
        self.dealt = [
            to_bits(self.number[card] for card, holder in self.holder.items() if holder == seat)
            for seat in ring.seats
        ]
        self.known = sum(self.dealt)
        self.denied = [self.known & ~own for own in self.dealt]
        self.plain = [suit for suit in dict.fromkeys(self.ending.suits) if suit != self.ending.trumps]
        # Suits in which it matters how high a card is.
        beats_all = self.ending.over_ruff == "beat-all"
        self.beaten: list[int] = [*(self.plain if beats_all else ()), self.ending.trumps]
        self.alike = [suit for suit in self.plain if not (suit & self.known or beats_all)]
        self.distinct = ~sum(self.alike)

    def arrange(self, piles: Piles, effort: Effort) -> Tricks | None:
        """Build tricks that leave these piles; None if no tricks do. `effort` limits the plays tried.

        :raises SearchLimit: if the effort is spent; called again for the same piles, it searches on.
        """
        own = tuple(to_bits(self.number[card] for card in pile) for pile in piles)
        last = self.ruleset.ring.sides.index(self.last)
        takers = tuple(seat for seat, side in enumerate(self.sides) if side == last)
        if own != self.piles:
            self.piles, self.limit = own, FIRST
        self.effort = effort
        while True:
            self.order = Effort(self.limit)
            try:
                line = self._place(own, (0,) * self.size, takers)
                break
            except SearchLimit:
                if effort.left < 0:
                    raise
                self.limit += self.limit // 2
        return None if line is None else name_tricks(self.ruleset, self.cards, line)

    def _place(self, piles: tuple[int, ...], later: tuple[int, ...], takers: tuple[int, ...]) -> Line | None:
        """Build the earlier tricks, the last of them taken by one of these seats; None if impossible.

        `later` are by seat the cards it plays after them.
        """
        if not any(piles):
            return []
        state = self._describe(piles, later, takers)
        if state in self.dead:
            return None
        for taker in self._mix(takers):
            for leader, trick, rest in self._list_tricks(piles, later, taker):
                held = list(later)
                for step, card in enumerate(trick):
                    held[(leader + step) % self.size] |= 1 << card
                line = self._place(rest, tuple(held), (leader,))
                if line is not None:
                    return [*line, (leader, trick)]
        self.dead.add(state)
        return None

    def _describe(self, piles: Sequence[int], later: Sequence[int], takers: tuple[int, ...]) -> object:
        """Describe what matters to earlier tricks: a hand's suits, and top cards if they matter."""
        trumps, keeper = self.ending.trumps, self.ending.keeper
        numbers = [(pile & suit).bit_count() for pile in piles for suit in self.alike]
        suits = [bool(hand & suit) for hand in later for suit in self.plain]
        highest = [(hand & suit).bit_length() for hand in later for suit in self.beaten]
        bare = [hand & trumps == keeper for hand in later]
        return takers, *(pile & self.distinct for pile in piles), *numbers, *suits, *highest, *bare

    def _mix(self, seats: Iterable[int]) -> list[int]:
        """Shuffle the seats."""
        mixed = list(seats)
        self.lot.shuffle(mixed)
        return mixed

    def _list_tricks(
        self, piles: tuple[int, ...], later: Sequence[int], taker: int
    ) -> Iterator[tuple[int, list[int], tuple[int, ...]]]:
        """List every trick that the seat can take from its side’s pile: leader, cards, the piles before."""
        own, size = self.sides[taker], self.size
        pile = piles[own]
        if not pile:
            return
        before = [cards.bit_count() - size * (side == own) for side, cards in enumerate(piles)]
        leaders = [seat for seat, side in enumerate(self.sides) if before[side] or not any(before)]
        between = self._find_separators(piles, pile, later)
        for leader in self._mix(leaders):
            seats = [(leader + step) % size for step in range(size)]
            for trick in self._list_plays(pile, between, later, taker, seats, []):
                rest = pile & ~to_bits(trick)
                if all((rest & dealt).bit_count() * size <= rest.bit_count() for dealt in self.dealt):
                    yield leader, trick, (*piles[:own], rest, *piles[own + 1 :])

    def _find_separators(self, piles: Sequence[int], pile: int, later: Sequence[int]) -> int:
        """Find the cards by which others of a pile differ, one higher and one lower: few in plain suits."""
        tops = {(hand & suit).bit_length() for hand in later for suit in self.beaten} - {0}
        others = sum(piles) & ~pile | self.known | sum(1 << top - 1 for top in tops)
        return pile & self.known | sum(self.beaten) & others | self.ending.keeper

    def _list_plays(
        self,
        pile: int,
        between: int,
        later: Sequence[int],
        taker: int,
        seats: Sequence[int],
        trick: list[int],
    ) -> Iterator[list[int]]:
        """List every way to complete a trick that the seat takes."""
        step = len(trick)
        if step == self.size:
            yield trick
            return
        best = self._find_best(trick)
        befriended = step > 0 and self.sides[seats[trick.index(best)]] == self.sides[seats[step]]
        led = self.ending.suits[trick[0]] if trick else 0
        seat, taking = seats[step], self.find_taking(best)
        taken, lying = taker in seats[:step], to_bits(trick)
        for card in self._order_cards(pile & ~self.denied[seat], between, later[seat], seat == taker):
            over = taking >> card & 1
            if not over if seat == taker else over and taken:
                continue
            bit = 1 << card
            if self.find_legal(later[seat] | bit, led, best, befriended, lying) & bit:
                self._spend()
                yield from self._list_plays(pile & ~bit, between | bit, later, taker, seats, [*trick, card])

    def _find_best(self, trick: Sequence[int]) -> int:
        """Find the card that takes the trick so far; -1 if the trick is empty."""
        best = -1
        for card in trick:
            if self.find_taking(best) >> card & 1:
                best = card
        return best

    def _spend(self) -> None:
        """Count one more play. :raises SearchLimit: if this order, or the whole search, is used up."""
        self.effort.spend()
        self.order.spend()

    def _order_cards(self, pile: int, between: int, hand: int, takes: bool) -> list[int]:
        """List the cards of a pile that differ, in the order in which they are tried for a hand.

        Of neighbours the taker plays the highest, others the lowest.
        """
        draw, suits, trumps = self.lot.draw, self.ending.suits, self.ending.trumps
        chosen: list[tuple[int, int]] = []
        before = 0
        for card in list_cards(pile):
            bit, suit = 1 << card, suits[card]
            if before & suit and not between & (bit - before | bit):
                if takes:
                    chosen[-1] = (chosen[-1][0], card)
            else:
                late = 0 if hand & suit else NEW_TRUMP if suit == trumps else NEW_SUIT
                chosen.append((draw(NOISE) + late, card))
            before = bit
        chosen.sort()
        return [card for _, card in chosen]
