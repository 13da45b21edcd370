"""Whether trumps can fall as counts would have it: who takes a trump follows from what all later hold.

Only trumps are looked at. A plain card may be any that its seat may play, so what cannot be here cannot be in
any deal; what can be here need not be in one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card

from .facts import DealFacts, Effort, SearchLimit

STEPS_PER_FALL = 3000
"""Plays that are tried for one way to share trumps out, before it is taken to be possible."""

Tops = tuple[int, ...]
"""By seat the highest trump that it plays later, by its height from 1; 0 where it plays none."""


@dataclass
class TrumpSearch:
    """A search for tricks that leave trumps where they are said to lie.

    `trumps` are those of the pack, the highest first.
    """

    ruleset: JackNineRuleset
    facts: DealFacts
    effort: Effort
    trumps: list[Card] = field(init=False)
    known: dict[object, bool] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        ring, height = self.ruleset.ring, self.ruleset.orders.height
        trump = self.facts.trump
        own = [card for card in self.ruleset.pack if card.suit == trump]
        self.trumps = sorted(own, key=lambda card: height(card, trump), reverse=True)
        self.sides = [ring.sides.index(ring.side(seat)) for seat in ring.seats]
        dealt = dict(self.facts.hands)
        # By height from 1: who was dealt the trump, None where nobody says.
        self.holders = [None, *(dealt.get(card) for card in reversed(self.trumps))]
        self.seats = [None if seat is None else ring.seats.index(seat) for seat in self.holders]
        self.must_overruff = self.ruleset["play"] != "beat-trumps"
        self.left = 0

    def can_fall(self, places: Sequence[int], tricks: Sequence[int]) -> bool:
        """Whether these trumps, highest first, can lie in these piles (by number) of so many tricks.

        A number beyond the last pile is out of play.
        """
        key = (tuple(places), tuple(tricks))
        if key not in self.known:
            self.piles = [0] * len(tricks)
            for height, pile in enumerate(reversed(places), 1):
                if pile < len(tricks):
                    self.piles[pile] |= 1 << height
            self.dead: set[object] = set()
            self.left = STEPS_PER_FALL
            try:
                self.known[key] = self._can_end(tuple(tricks))
            except SearchLimit:
                self.known[key] = True
            self.effort.spend(1 + (STEPS_PER_FALL - self.left) // 4)
        return self.known[key]

    def _can_end(self, tricks: tuple[int, ...]) -> bool:
        """Whether all tricks can be built, from the last to the first."""
        side = self.ruleset.ring.sides.index(self.facts.last)
        nothing: Tops = (0,) * len(self.sides)
        return any(
            self._can_build(sum(self.piles), nothing, tricks, seat)
            for seat, own in enumerate(self.sides)
            if own == side
        )

    def _can_build(self, left: int, tops: Tops, tricks: tuple[int, ...], taker: int) -> bool:
        """Whether so many tricks with the trumps left can come before, the last of them for the taker."""
        side = self.sides[taker]
        if not tricks[side]:
            return False
        state = (left, tops, tricks, taker)
        if state in self.dead:
            return False
        size = len(self.sides)
        fewer = tuple(n - (at == side) for at, n in enumerate(tricks))
        for leader, used, after in self._list_tricks(left & self.piles[side], tops, taker):
            rest = left & ~used
            if any((rest & pile).bit_count() > size * n for pile, n in zip(self.piles, fewer, strict=True)):
                continue
            if not any(fewer) or self._can_build(rest, after, fewer, leader):
                return True
        self.dead.add(state)
        return False

    def _list_tricks(self, own: int, tops: Tops, taker: int) -> Iterator[tuple[int, int, Tops]]:
        """Every trick that the seat takes: its leader, the trumps in it, the highest trumps from there on."""
        size = len(self.sides)
        for steps in range(size):
            leader = (taker + steps) % size
            around = [(leader + n) % size for n in range(size)]
            for used, after in self._list_plays(around, own, tops, taker, 0, False, 0):
                yield leader, used, after

    def _list_plays(
        self, seats: Sequence[int], own: int, tops: Tops, taker: int, best: int, led: bool, used: int
    ) -> Iterator[tuple[int, Tops]]:
        """Every way to go on with a trick: `best` is its highest trump so far, `led`: trumps were led."""
        if not seats:
            yield used, tops
            return
        self.left -= 1
        if self.left < 0:
            raise SearchLimit
        seat, later = seats[0], tops[seats[0]]
        leads = len(seats) == len(self.sides)
        passed = taker not in seats
        if not (led and later) and not (seat == taker and best):
            # Without a trump from the taker there must be none in the trick.
            rest = 0 if seat == taker else own
            yield from self._list_plays(seats[1:], rest, tops, taker, best, led, used)
        for height in range(own.bit_length() - 1, 0, -1):
            if not own >> height & 1 or self.seats[height] not in (None, seat):
                continue
            over = height > best
            if over and passed or not over and seat == taker:
                continue
            if not over and later > best and (led or self.must_overruff):
                continue
            more = tuple(max(top, height) if at == seat else top for at, top in enumerate(tops))
            yield from self._list_plays(
                seats[1:],
                own & ~(1 << height),
                more,
                taker,
                max(best, height),
                led or leads,
                used | 1 << height,
            )
