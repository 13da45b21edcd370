"""The cards that can lie in each side's tricks: piles of given points, found by classes of cards.

Cards that count the same, and of which the same is known, are one class; only the number of cards of a class
in each pile matters to the points. A search over classes is therefore small, and finds every way there is.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations, product
from operator import sub

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card, Suit
from companion.rules.seats import Seat, Side

from .facts import DealFacts, Effort, SearchLimit

Piles = tuple[frozenset[Card], ...]
"""The cards in the tricks of each side, in the order of sides; the other cards are out of play."""


@dataclass(frozen=True, slots=True)
class CardClass:
    """Cards that are alike: their points, the seat dealt them, the piles (by number) they may lie in."""

    value: int
    seat: Seat | None
    places: tuple[int, ...]
    cards: tuple[Card, ...]


def is_contradictory(ruleset: JackNineRuleset, facts: DealFacts) -> bool:
    """True if a card is known to be in two places, a hand to hold too much, or tricks not to add up."""
    owners = [
        *facts.pinned,
        *((card, ruleset.ring.side(seat)) for card, seat in _find_safe_trumps(ruleset, facts)),
    ]
    piles: dict[Card, Side] = {}
    hands: dict[Card, Seat] = {}
    if any(piles.setdefault(card, side) != side for card, side in owners):
        return True
    if any(hands.setdefault(card, seat) != seat for card, seat in facts.hands):
        return True
    held = list(hands.values())
    if any(held.count(seat) > ruleset.hand for seat in ruleset.ring.seats):
        return True
    if facts.out & (piles.keys() | hands.keys()):
        return True
    if len(facts.out) > len(ruleset.pack) - ruleset.in_play:
        return True
    return not any(list_trick_numbers(ruleset, facts))


def list_trick_numbers(ruleset: JackNineRuleset, facts: DealFacts) -> list[tuple[int, ...]]:
    """List the numbers of tricks each side may have taken, those that fit the points best first."""
    sides = ruleset.ring.sides
    known = facts.tricks or (None,) * len(sides)
    ranges = [range(ruleset.hand + 1) if n is None else (n,) for n in known]
    last = sides.index(facts.last)
    takers = {last, *(sides.index(side) for side in facts.takers)}
    options = [
        numbers
        for numbers in product(*ranges)
        if sum(numbers) == ruleset.hand and all(numbers[side] for side in takers)
    ]
    points = [n + EASY for n in facts.points or (0,) * len(sides)]
    whole = sum(points)  # in whole numbers: what is equally near is so in every Python
    even = [ruleset.hand * n for n in points]
    return sorted(options, key=lambda way: sum((n * whole - e) ** 2 for n, e in zip(way, even, strict=True)))


def _find_safe_trumps(ruleset: JackNineRuleset, facts: DealFacts) -> Iterator[tuple[Card, Seat]]:
    """Find cards that the holder's side surely keeps: trumps with none above them in other hands."""
    holder = dict(facts.hands)
    side = ruleset.ring.side
    trumps = [card for card in ruleset.pack if card.suit == facts.trump]
    owner: set[Side] = set()
    for card in sorted(trumps, key=lambda card: ruleset.orders.height(card, facts.trump), reverse=True):
        if card in facts.out:
            continue
        if card not in holder or owner - {side(holder[card])}:
            return
        owner.add(side(holder[card]))
        yield card, holder[card]


Split = tuple[int, ...]
"""The number of cards of one class in each pile, and then out of play."""
Share = tuple[Split, ...]
"""A split of each class, in the order of classes."""
EASY = 25
"""Points added to each side's: tricks without points are common."""


STEPS_PER_FALL = 3000
"""The limit of plays tried for one way to share trumps out, before it counts as possible."""

Tops = tuple[int, ...]
"""By seat the highest trump that it plays later, by its height from 1; 0 if it plays none."""


@dataclass
class TrumpSearch:
    """A search for tricks that leave trumps in the given piles.

    Only trumps are considered. A plain card may be any that its seat may play, so anything impossible here is
    impossible in any deal; what is possible here may still be impossible in a deal.

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
        frees = ring.partnerships and self.ruleset["partner_frees"]
        self.beats_led = self.ruleset["trump_led"] == "beat"
        self.must_overruff = self.ruleset["play"] != "beat-trumps" and not frees
        self.left = 0

    def can_fall(self, places: Sequence[int], tricks: Sequence[int]) -> bool:
        """True if these trumps, highest first, can lie in these piles (by number) of so many tricks.

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
        """True if all tricks can be built, from the last to the first."""
        side = self.ruleset.ring.sides.index(self.facts.last)
        nothing: Tops = (0,) * len(self.sides)
        return any(
            self._can_build(sum(self.piles), nothing, tricks, seat)
            for seat, own in enumerate(self.sides)
            if own == side
        )

    def _can_build(self, left: int, tops: Tops, tricks: tuple[int, ...], taker: int) -> bool:
        """True if these tricks with the trumps left can come before, the last of them for the taker."""
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
        """List every trick that the seat takes: its leader, the trumps in it, the highest trumps after it."""
        size = len(self.sides)
        for steps in range(size):
            leader = (taker + steps) % size
            around = [(leader + n) % size for n in range(size)]
            for used, after in self._list_plays(around, own, tops, taker, 0, False, 0):
                yield leader, used, after

    def _list_plays(
        self, seats: Sequence[int], own: int, tops: Tops, taker: int, best: int, led: bool, used: int
    ) -> Iterator[tuple[int, Tops]]:
        """List every way to go on with a trick, by its highest trump so far; `led`: trumps were led."""
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
            if not over and later > best and (self.beats_led if led else self.must_overruff):
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


@dataclass
class PileSearch:
    """A search for piles that fit the known facts, each side having taken a given number of tricks.

    With `trumps` these are looked at one by one, and must be able to fall so.
    """

    ruleset: JackNineRuleset
    facts: DealFacts
    tricks: tuple[int, ...]
    effort: Effort
    trumps: TrumpSearch | None = None
    classes: list[CardClass] = field(init=False)
    values: list[list[int]] = field(init=False)
    dead: set[object] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        separate = self.trumps.trumps if self.trumps else []
        self.classes = _classify_cards(self.ruleset, self.facts, separate)
        self.separate = len(separate)
        self.values = []
        for at in range(len(self.classes) + 1):
            rest = sorted((c.value for c in self.classes[at:] for _ in c.cards), reverse=True)
            self.values.append([0, *accumulate(rest)])

    @property
    def counted(self) -> bool:
        """True if the points of the piles are known."""
        return self.facts.points is not None

    def find_shares(self) -> Iterator[Share]:
        """Find every way to share the classes out: of each class in turn, the number of cards in each pile.

        :raises SearchLimit: if the effort is spent.
        """
        sides = len(self.tricks)
        goal = self.facts.points or (0,) * sides
        held = (0,) * (len(self.ruleset.ring.seats) * sides)
        room = tuple(n * self.ruleset.ring.size for n in self.tricks)
        yield from self._find_shares(0, goal, room, held, ())

    def _find_shares(
        self, at: int, goal: tuple[int, ...], room: tuple[int, ...], held: tuple[int, ...], fallen: Split
    ) -> Iterator[Share]:
        """Find the shares from this class on: `goal` and `room` are points and cards that each pile lacks.

        `held` counts cards by the seat dealt them and by pile; `fallen` are the piles of the trumps looked at
        singly.
        """
        if at == len(self.classes):
            if not any(room) and not any(goal):
                yield ()
            return
        self.effort.spend()
        state = (at, goal, room, held)
        if state in self.dead or not self._can_fit(at, goal, room):
            return
        if at == self.separate and self.trumps and not self.trumps.can_fall(fallen, self.tricks):
            return
        cards, fits = self.classes[at], False
        for split in self._list_splits(cards, room, goal):
            lacking = goal
            if self.counted:
                lacking = tuple(lack - cards.value * n for lack, n in zip(goal, split, strict=False))
            dealt = self._count_dealt(cards, split, held)
            if dealt is None:
                continue
            lies = (*fallen, split.index(1)) if at < self.separate else fallen
            for more in self._find_shares(at + 1, lacking, tuple(map(sub, room, split)), dealt, lies):
                fits = True
                yield (split, *more)
        if not fits and at >= self.separate:
            self.dead.add(state)

    def _can_fit(self, at: int, goal: tuple[int, ...], room: tuple[int, ...]) -> bool:
        """True if the cards from this class on are enough, and neither too rich nor too poor."""
        values, wanted = self.values[at], sum(room)
        if wanted > len(values) - 1:
            return False
        if not self.counted:
            return True
        if not values[-1] - values[len(values) - 1 - wanted] <= sum(goal) <= values[wanted]:
            return False
        return all(0 <= lack <= values[n] for lack, n in zip(goal, room, strict=True))

    def _count_dealt(self, cards: CardClass, split: Split, held: tuple[int, ...]) -> tuple[int, ...] | None:
        """Count the cards dealt to each seat by pile; None if a seat would have played two to one trick."""
        if cards.seat is None:
            return held
        sides, tricks = len(self.tricks), self.tricks
        first = self.ruleset.ring.seats.index(cards.seat) * sides
        dealt = list(held)
        for pile, n in enumerate(split[:sides]):
            dealt[first + pile] += n
            if dealt[first + pile] > tricks[pile]:
                return None
        return tuple(dealt)

    def _list_splits(self, cards: CardClass, room: tuple[int, ...], goal: tuple[int, ...]) -> list[Split]:
        """List every way to share alike cards out, by pile, out of play last; the most even first."""
        number, sides = len(cards.cards), len(room)
        splits = []
        ranges = [
            range(
                min(number, room[i], goal[i] // cards.value if self.counted and cards.value else number) + 1
            )
            if i in cards.places
            else range(1)
            for i in range(sides)
        ]
        for piles in product(*ranges):
            left = number - sum(piles)
            if left == 0 or (left > 0 and sides in cards.places):
                splits.append((*piles, left))
        # As many as is likely, in whole numbers: what is equally near is so in every Python.
        shares = goal if self.counted else (1,) * sides
        whole = len(self.ruleset.pack) * (sum(shares) or 1)
        even = [number * self.ruleset.in_play * share for share in shares]
        splits.reverse()  # of those that are equally near the last one found comes first
        return sorted(
            splits, key=lambda split: sum((n * whole - e) ** 2 for n, e in zip(split, even, strict=False))
        )

    def find_piles(self, share: Share) -> Iterator[Piles]:
        """Find every way to lay out cards by one share; first those that fill the piles suit by suit."""
        seen: set[Piles] = set()
        for turn in range(len(Suit)):
            piles = self._lay_by_suits(share, turn)
            if piles not in seen:
                seen.add(piles)
                yield piles
        for piles in self.list_piles(share):
            if piles not in seen:
                yield piles

    def _lay_by_suits(self, share: Share, turn: int) -> Piles:
        """Lay piles with as many tricks of one suit as possible, cards of one hand spread over tricks."""
        piles: list[list[Card]] = [[] for _ in self.tricks]
        classes = zip(self.classes, share, strict=True)
        for cards, numbers in sorted(classes, key=lambda pair: pair[0].seat is None):
            left = list(cards.cards)
            for pile, n in zip(piles, numbers, strict=False):
                for _ in range(n):
                    best = self._pick_card(pile, left, turn)
                    left.remove(best)
                    pile.append(best)
        return tuple(frozenset(pile) for pile in piles)

    def _pick_card(self, pile: Sequence[Card], left: Sequence[Card], turn: int) -> Card:
        """Pick the card left that makes the pile easiest to play; of equals, suits by turns."""
        size, holder, suits = self.ruleset.ring.size, dict(self.facts.hands), [*Suit]
        have = Counter(card.suit for card in pile)
        free = Counter(card.suit for card in left)
        held = Counter((holder[card], card.suit) for card in pile if card in holder)
        short = {suit for (_, suit), n in held.items() if size * n > have[suit]}

        def rate(card: Card) -> tuple[bool, int, bool, int, int]:
            suit, odd = card.suit, have[card.suit] % size
            late = (suits.index(suit) - turn) % len(suits)
            return suit in short, odd, free[suit] + odd >= size, free[suit], -late

        return max(left, key=rate)

    def list_piles(self, share: Share) -> Iterator[Piles]:
        """List every way to lay out cards by one share, in no particular order."""
        yield from self._lay_out(share, 0, (frozenset(),) * len(self.ruleset.ring.sides))

    def _lay_out(self, share: Sequence[Sequence[int]], at: int, piles: Piles) -> Iterator[Piles]:
        """List every way to lay out the cards from this class on, onto the piles so far."""
        if at == len(self.classes):
            yield piles
            return
        for cards in _split_cards(self.classes[at].cards, share[at][: len(piles)]):
            grown = tuple(pile | more for pile, more in zip(piles, cards, strict=True))
            yield from self._lay_out(share, at + 1, grown)


def _split_cards(cards: Sequence[Card], numbers: Sequence[int]) -> Iterator[tuple[frozenset[Card], ...]]:
    """List every way to give each pile its number of these cards."""
    if not numbers:
        yield ()
        return
    for chosen in combinations(cards, numbers[0]):
        rest = [card for card in cards if card not in chosen]
        for more in _split_cards(rest, numbers[1:]):
            yield (frozenset(chosen), *more)


def _classify_cards(ruleset: JackNineRuleset, facts: DealFacts, separate: Sequence[Card]) -> list[CardClass]:
    """Sort the pack into classes: `separate` cards one by one, of the rest the most valuable first."""
    sides = ruleset.ring.sides
    holder, pinned = dict(facts.hands), dict(facts.pinned)
    pinned |= {card: ruleset.ring.side(seat) for card, seat in _find_safe_trumps(ruleset, facts)}
    everywhere = tuple(range(len(sides) + 1))
    classes: dict[tuple[int, Seat | None, tuple[int, ...]], list[Card]] = {}
    alone = []
    for card in (*separate, *(card for card in ruleset.pack if card not in separate)):
        places = everywhere
        if card in facts.out:
            places = everywhere[-1:]
        elif card in pinned:
            places = (sides.index(pinned[card]),)
        elif card in holder or ruleset.all_dealt:
            places = everywhere[:-1]
        key = (ruleset.full_points(card, facts.trump), holder.get(card), places)
        if card in separate:
            alone.append(CardClass(*key, (card,)))
        else:
            classes.setdefault(key, []).append(card)
    return alone + [
        CardClass(value, seat, places, tuple(cards))
        for (value, seat, places), cards in sorted(
            classes.items(), key=lambda pair: (-pair[0][0], len(pair[0][2]), str(pair[0]))
        )
    ]
