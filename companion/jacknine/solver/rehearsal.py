"""Proof by playing: a deal is played by habit; cards and habits are changed until it fits the facts.

A habit is an order of all cards: each seat plays the first legal card of it. So every rehearsal is legal,
whatever the habit, and only its result can be wrong. A change that brings it nearer is kept; one that spoils
it a little is sometimes kept too, at first more often than later.

The random numbers that decide between changes are always the same: the same facts have the same answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, log1p
from typing import Any

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card
from companion.rules.seats import Seat

from .endgame import encode_pack
from .facts import DealFacts
from .piles import Piles

Tricks = tuple[tuple[Seat, tuple[Card, ...]], ...]
"""Tricks in order: the leader, and the cards from the leader on."""
Line = list[tuple[int, list[int]]]
"""The same in numbers: the seat that led, the cards from its own on."""


def name_tricks(ruleset: JackNineRuleset, cards: Sequence[Card], line: Line) -> Tricks:
    """Name the seats and cards of a line of tricks."""
    seats = ruleset.ring.seats
    return tuple((seats[leader], tuple(cards[card] for card in trick)) for leader, trick in line)


SEASON = 1000
"""The number of changes from one beginning."""
AGAIN, NEAR, TIMES = 600, 250, 6
"""The changes of a further season, the badness from which one is tried, and the limit of such seasons."""
POINTS_OFF = [round(48 * log1p(n)) for n in range(1000)]
"""The badness of a side's points by their distance; the last few weigh most."""
TRICK_OFF, CARD_OFF, LAST_OFF = 120, 180, 200
"""The badness of a trick too many, a card in the wrong tricks, the last trick on the wrong side."""
HEAT, MILD, COOL = 24, 14, 4
"""The badness that a change may add and be kept more often than not: at first, in later seasons, at last."""
CHANCES = [round(-64 * log((n + 0.5) / 256)) for n in range(256)]
"""The badness that a change may add and be kept, in 64ths of the heat: one of these at random."""


@dataclass
class Lot:
    """A source of random numbers that are the same in every run."""

    state: int = 1

    def draw(self, number: int) -> int:
        """Draw a number from 0 to below `number`."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & 0xFFFF_FFFF_FFFF_FFFF
        return (self.state >> 33) % number

    def shuffle(self, things: list[Any]) -> None:
        """Shuffle a list in place."""
        for last in range(len(things) - 1, 0, -1):
            other = self.draw(last + 1)
            things[last], things[other] = things[other], things[last]


@dataclass(frozen=True, slots=True)
class Habits:
    """A deal and its play: by card the seat that holds it, the order of play, the first leader.

    Cards out of play are held by one seat more than there are.
    """

    holders: list[int]
    order: list[int]
    leader: int


@dataclass
class Rehearsal:
    """The search for a deal that fits the facts. `work` counts the deals that were played for it."""

    ruleset: JackNineRuleset
    facts: DealFacts
    work: int = 0
    lot: Lot = field(default_factory=Lot)
    near: Habits | None = None
    times: int = 0

    def __post_init__(self) -> None:
        ruleset, facts, ring = self.ruleset, self.facts, self.ruleset.ring
        self.ending, number = encode_pack(ruleset, facts.trump)
        self.cards = tuple(number)
        self.sides = [ring.sides.index(ring.side(seat)) for seat in ring.seats]
        self.dealt = {number[card]: ring.seats.index(seat) for card, seat in facts.hands}
        self.out = [number[card] for card in facts.out]
        self.pinned = [0] * len(ring.sides)
        for card, side in facts.pinned:
            self.pinned[ring.sides.index(side)] |= 1 << number[card]
        self.last = ring.sides.index(facts.last)
        self.tricks = facts.tricks or (None,) * len(ring.sides)
        self.takers = [ring.sides.index(side) for side in facts.takers]
        inside = sum(self.pinned)
        free = [n for n in range(len(self.cards)) if n not in self.dealt and n not in self.out]
        self.movable = free
        self.droppable = [n for n in free if not inside >> n & 1]

    def find_tricks(self, piles: Piles | None = None) -> Tricks | None:
        """Find the tricks of a deal that fits; None if one more season does not bring one.

        It goes on from a deal that is near; else it begins with one that may leave these piles, or with any.
        """
        if self.near is not None:
            line = self._rehearse(self.near, MILD, AGAIN)
        elif piles is None:
            line = self._rehearse(self._begin_anyhow(), HEAT, SEASON)
        else:
            line = self._rehearse(self._begin_with(piles), MILD, SEASON)
        return None if line is None else name_tricks(self.ruleset, self.cards, line)

    def _rehearse(self, habits: Habits | None, warm: int, season: int) -> Line | None:
        """Rehearse one season: change a deal step by step until one fits; None if none does."""
        if habits is None:
            self.work += season
            return None
        lot = self.lot
        wrong, line = self._play(habits)
        for step in range(season):
            if not wrong:
                return line
            changed = self._change(habits)
            if changed is None:
                continue
            more, played = self._play(changed)
            heat = warm * (season - step) // season + COOL
            if 64 * (more - wrong) <= heat * CHANCES[lot.draw(256)]:
                habits, wrong, line = changed, more, played
        if not wrong:
            return line
        self.times = self.times + 1 if wrong <= NEAR and self.times < TIMES else 0
        self.near = habits if self.times else None
        return None

    # --- deals and their changes -----------------------------------------------------------------

    def _begin_anyhow(self) -> Habits | None:
        """Draw any deal with the right points in play, and any habit; None if the points are impossible."""
        deal, order = self._deal(), list(range(len(self.cards)))
        self.lot.shuffle(order)
        return None if deal is None else Habits(deal, order, self.lot.draw(self.ruleset.ring.size))

    def _begin_with(self, piles: Piles) -> Habits:
        """Draw a deal whose play may leave these piles, were every plan for a trick to come true."""
        size, lot, sides = self.ruleset.ring.size, self.lot, [*self.ruleset.ring.sides]
        number = {card: n for n, card in enumerate(self.cards)}
        holders, plans = [size] * len(self.cards), list[tuple[int, list[int]]]()
        for side, pile in enumerate(piles):
            plans += [(side, plan) for plan in self._plan_tricks([number[card] for card in pile])]
        lot.shuffle(plans)
        end = next(plan for plan in plans if plan[0] == self.last)
        plans.sort(key=lambda plan: plan is end)
        for side, plan in plans:
            takers = [seat for seat, own in enumerate(self.sides) if own == side]
            taker = takers[lot.draw(len(takers))]
            for step, card in enumerate(plan):
                holders[card] = (taker + step) % size
        for card, seat in self.dealt.items():
            if holders[card] != seat:
                others = [n for n in self.movable if holders[n] == seat]
                if others:
                    other = others[lot.draw(len(others))]
                    holders[other], holders[card] = holders[card], seat
        played = [card for _, plan in plans for card in plan]
        out = [card for card in range(len(self.cards)) if card not in played]
        return Habits(holders, played + out, lot.draw(len(sides)))

    def _plan_tricks(self, pile: list[int]) -> list[list[int]]:
        """Plan the tricks of a pile, the highest card first: of one suit as far as that goes, then any."""
        size, suits = self.ruleset.ring.size, self.ending.suits
        plans, odd = [], []
        for suit in sorted({suits[card] for card in pile}):
            own = sorted((card for card in pile if suits[card] == suit), reverse=True)
            whole = len(own) // size
            low = own[whole : whole * size]
            plans += [[own[n], *low[n::whole]] for n in range(whole)]
            odd += own[whole * size :]
        odd.sort(key=lambda card: (not self.ending.trumps >> card & 1, suits[card]))
        return plans + [odd[n :: len(odd) // size] for n in range(len(odd) // size)]

    def _deal(self) -> list[int] | None:
        """Draw a deal at random with the right points in play; None if they are impossible."""
        ring, hand = self.ruleset.ring, self.ruleset.hand
        out = self._draw_out()
        if out is None:
            return None
        holders = [-1] * len(self.cards)
        for card in (*self.out, *out):
            holders[card] = ring.size
        room = [hand] * ring.size
        for card, seat in self.dealt.items():
            holders[card] = seat
            room[seat] -= 1
        places = [seat for seat in range(ring.size) for _ in range(room[seat])]
        self.lot.shuffle(places)
        for card, seat in zip([n for n, holder in enumerate(holders) if holder < 0], places, strict=True):
            holders[card] = seat
        return holders

    def _draw_out(self) -> list[int] | None:
        """Draw the cards out of play beside those known to be; None if the points are impossible."""
        cards, points = self.droppable[:], self.ending.points
        wanted = len(self.cards) - self.ruleset.in_play - len(self.out)
        self.lot.shuffle(cards)
        if wanted > len(cards):
            return None
        if self.facts.points is None:
            return cards[:wanted]
        left = sum(points) - sum(self.facts.points) - sum(points[card] for card in self.out)
        # Bit p of the number k of these says that k of the cards from there on can count p.
        reach = [[1] + [0] * wanted]
        for card in reversed(cards):
            after = reach[-1]
            reach.append([n | (after[k - 1] << points[card] if k else 0) for k, n in enumerate(after)])
        if left < 0 or not reach.pop()[wanted] >> left & 1:
            return None
        drawn = []
        for card in cards:
            after = reach.pop()
            if wanted and left >= points[card] and after[wanted - 1] >> (left - points[card]) & 1:
                drawn.append(card)
                wanted, left = wanted - 1, left - points[card]
        return drawn

    def _change(self, habits: Habits) -> Habits | None:
        """Change the deal or the habit a little; None if the change drawn changes nothing."""
        lot, what = self.lot, self.lot.draw(10)
        if what == 9:
            return Habits(habits.holders, habits.order, lot.draw(self.ruleset.ring.size))
        if what < 5 and len(self.movable) > 1:
            return self._swap_cards(habits)
        seat, order = lot.draw(self.ruleset.ring.size), habits.order[:]
        own = [place for place, card in enumerate(order) if habits.holders[card] == seat]
        one, other = own[lot.draw(len(own))], own[lot.draw(len(own))]
        if one == other:
            return None
        if lot.draw(2):
            order[one], order[other] = order[other], order[one]
        else:
            order.insert(other, order.pop(one))
        return Habits(habits.holders, order, habits.leader)

    def _swap_cards(self, habits: Habits) -> Habits | None:
        """Swap two cards between hands, sometimes in the order of play too; None if they are in one hand."""
        lot, outside = self.lot, self.ruleset.ring.size
        one, other = (self.movable[lot.draw(len(self.movable))] for _ in range(2))
        holders = habits.holders[:]
        if holders[one] == holders[other]:
            return None
        if holders[one] == outside:
            one, other = other, one
        holders[one], holders[other] = holders[other], holders[one]
        if holders[one] == outside and not self._balance(holders, one, other):
            return None
        order = habits.order
        if lot.draw(2):
            order = order[:]
            first, second = order.index(one), order.index(other)
            order[first], order[second] = other, one
        return Habits(holders, order, habits.leader)

    def _balance(self, holders: list[int], out: int, back: int) -> bool:
        """True if the points in play are as before, if need be after another swap with cards out of play."""
        points, outside = self.ending.points, self.ruleset.ring.size
        if out not in self.droppable:
            return False
        more = points[out] - points[back]
        if not more or self.facts.points is None:
            return True
        pairs = [
            (held, other)
            for held in self.droppable
            if holders[held] != outside and held != back
            for other in self.droppable
            if holders[other] == outside and other != out and points[other] - points[held] == more
        ]
        if not pairs:
            return False
        one, other = pairs[self.lot.draw(len(pairs))]
        holders[one], holders[other] = outside, holders[one]
        return True

    # --- play ------------------------------------------------------------------------------------

    def _play(self, habits: Habits) -> tuple[int, Line]:
        """Play a deal by habit: return its badness, and its tricks.

        The duties are those of `endgame.build_duty_finder`, written out here for speed.
        """
        self.work += 1
        ending, size, hand = self.ending, self.ruleset.ring.size, self.ruleset.hand
        above, suits, worths = ending.above, ending.suits, ending.points
        trumps, keeper, frees = ending.trumps, ending.keeper, ending.partner_frees
        over, free = ending.over_ruff != "beat-trumps", ending.over_ruff == "ruff-if-higher"
        beats_all = ending.over_ruff == "beat-all"
        hands: list[list[int]] = [[] for _ in range(size + 1)]
        held = [0] * (size + 1)
        for card in habits.order:
            seat = habits.holders[card]
            hands[seat].append(card)
            held[seat] |= 1 << card
        piles, points, numbers = ([0] * len(self.pinned) for _ in range(3))
        line: Line = []
        leader = habits.leader
        for _ in range(hand):
            best = led = taker = worth = cards = 0
            trick: list[int] = []
            for seat in AROUND[size][leader]:
                left = held[seat]
                if not trick:
                    legal = left
                elif left & led:
                    legal = left & led
                    if beats_all or led == trumps and ending.beats_led:
                        top = (cards & led).bit_length() - 1 if ending.beats_trumped else best
                        legal = legal & above[top] or legal
                else:
                    ruffs = left & trumps
                    freed = frees and self.sides[taker] == self.sides[seat]
                    if not ruffs or ruffs == keeper or led == trumps or freed:
                        legal = left
                    elif over and trumps >> best & 1:
                        legal = ruffs & above[best] or (left if free else ruffs)
                    else:
                        legal = ruffs
                own = hands[seat]
                place = 0
                while not legal >> own[place] & 1:
                    place += 1
                card = own.pop(place)
                held[seat] = left ^ (1 << card)
                if not trick:
                    led, best, taker = suits[card], card, seat
                elif above[best] >> card & 1 or (trumps >> card & 1 and not trumps >> best & 1):
                    best, taker = card, seat
                worth += worths[card]
                cards |= 1 << card
                trick.append(card)
            line.append((leader, trick))
            leader, side = taker, self.sides[taker]
            piles[side] |= cards
            points[side] += worth
            numbers[side] += 1
        return self._judge(piles, points, numbers, side), line

    def _judge(self, piles: Sequence[int], points: Sequence[int], numbers: Sequence[int], last: int) -> int:
        """Count how far the results of the sides are from the facts; 0 if they fit."""
        wrong = 0 if last == self.last else LAST_OFF
        if self.facts.points is not None:
            for found, wanted in zip(points, self.facts.points, strict=True):
                wrong += POINTS_OFF[abs(found - wanted)]
        for found, wanted in zip(piles, self.pinned, strict=True):
            if wanted & ~found:
                wrong += CARD_OFF * (wanted & ~found).bit_count()
        for number, stated in zip(numbers, self.tricks, strict=True):
            if stated is not None:
                wrong += TRICK_OFF * abs(number - stated)
        for side in self.takers:
            if not numbers[side]:
                wrong += TRICK_OFF
        return wrong


AROUND = [[[(leader + n) % size for n in range(size)] for leader in range(size)] for size in range(7)]
"""By the number of seats and the leader, the seats in the order of play."""
