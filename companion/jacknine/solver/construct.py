"""A deal as proof: whether any deal can be as it is stated, and hands and tricks that show it.

First the points: kinds of cards are shared out among the sides' tricks (`piles`). Then the play: hands and
tricks are built that leave such piles, every card rightly played, from the last trick to the first. What a
seat still holds at a trick is what it plays later, so every play can be judged as soon as it is placed.

Where no pile fits, or none of a few that do can be played, there is no such deal. Where so many piles fit
that not all can be tried, and none of those tried could be played, the counts are taken to be possible: what
could be is never refused.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from companion.jacknine.phases import play
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card
from companion.rules.seats import Seat, Side

from .effort import Effort, SearchLimit
from .facts import DealFacts
from .piles import Piles, PileSearch, is_contradictory, list_trick_numbers

MOST_PLAYS = 6000
"""Plays that are tried before the search for a deal is broken off."""
PLAYS_PER_PILES = 300
"""Plays that are tried with one way to lay the piles, while there are others."""
FEW_PILES = 400
"""Ways to lay the piles that are all tried, where there are no more of them."""
STEPS = 40_000
"""Steps of the search for piles before it is broken off; half a second."""

Tricks = tuple[tuple[Seat, tuple[Card, ...]], ...]
"""Tricks in order: who led, and the cards from the leader on."""


@dataclass
class PlayBuilder:
    """Builds the play of one deal, backwards.

    `last` is the side of the last trick; `holder` says of some cards who was dealt them. `work` counts the
    plays that were tried.
    """

    ruleset: JackNineRuleset
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

        :raises SearchLimit: when so many plays have been tried.
        """
        self.dead.clear()
        self.most = self.work + most
        later: dict[Seat, tuple[Card, ...]] = dict.fromkeys(self.ruleset.ring.seats, ())
        return self._build_before(list(piles), later, None)

    def _build_before(
        self, piles: list[frozenset[Card]], later: dict[Seat, tuple[Card, ...]], taker: Seat | None
    ) -> Tricks | None:
        """The tricks before those placed; `taker` has to take the one that comes next, seen from behind."""
        if not any(piles):
            return ()
        ring = self.ruleset.ring
        state = (tuple(piles), tuple(self._summarize_hand(later[seat]) for seat in ring.seats), taker)
        if state in self.dead:
            return None
        side = ring.side(taker) if taker else self.last
        number = ring.sides.index(side)
        takers = (taker,) if taker else tuple(seat for seat in ring.seats if ring.side(seat) == side)
        for seat in takers:
            for leader, cards in self._list_tricks(piles, number, later, seat):
                rest = list(piles)
                rest[number] = piles[number] - set(cards)
                if any(rest) and not rest[ring.sides.index(ring.side(leader))]:
                    continue
                held = {
                    seat: (*later[seat], card) for seat, card in zip(ring.around(leader), cards, strict=True)
                }
                tricks = self._build_before(rest, held, leader)
                if tricks is not None:
                    return (*tricks, (leader, cards))
        self.dead.add(state)
        return None

    def _summarize_hand(self, cards: Sequence[Card]) -> object:
        """All that matters of a hand to earlier duties: its suits, its highest trump, if it has others."""
        trumps = [self.height[card] for card in cards if card.suit == self.trump]
        return frozenset(card.suit for card in cards), max(trumps, default=0), len(trumps) == 1

    def _list_tricks(
        self, piles: Sequence[frozenset[Card]], number: int, later: dict[Seat, tuple[Card, ...]], taker: Seat
    ) -> Iterator[tuple[Seat, tuple[Card, ...]]]:
        """Every trick of cards from this pile that the seat can take, the awkward ones first."""
        ring = self.ruleset.ring
        pile = piles[number]
        if len(pile) < ring.size:
            return

        def count_left(seat: Seat) -> int:
            own = ring.sides.index(ring.side(seat))
            return len(piles[own]) - ring.size * (own == number)

        for leader in sorted(ring.around(taker), key=count_left, reverse=True):
            seats = ring.around(leader)
            for cards in self._list_plays(pile, later, taker, seats, ()):
                yield leader, cards

    def _list_plays(
        self,
        pile: frozenset[Card],
        later: dict[Seat, tuple[Card, ...]],
        taker: Seat,
        seats: Sequence[Seat],
        trick: tuple[Card, ...],
    ) -> Iterator[tuple[Card, ...]]:
        """Every way to complete a trick that the seat takes."""
        if not seats:
            yield trick
            return
        seat = seats[0]
        best = trick[play.find_winning_place(self.ruleset, trick, self.trump)] if trick else None
        taken = len(seats) <= self.ruleset.ring.size and taker not in seats[1:] and seat != taker
        for card in self._order_cards(pile, trick, seat == taker):
            if self.holder.get(card, seat) != seat:
                continue
            if best is not None:
                over = self.ruleset.beats(card, best, self.trump)
                if over != (seat == taker) and (seat == taker or taken):
                    continue
                if card not in play.find_duty(self.ruleset, (*later[seat], card), trick, self.trump).legal:
                    continue
            self.work += 1
            if self.work > self.most:
                raise SearchLimit
            yield from self._list_plays(pile - {card}, later, taker, seats[1:], (*trick, card))

    def _order_cards(self, pile: frozenset[Card], trick: Sequence[Card], takes: bool) -> list[Card]:
        """Cards in the order in which they are tried: odd ones of their suit first, then of the suit led."""
        size = self.ruleset.ring.size
        suits = [card.suit for card in (*pile, *trick)]
        odd = {suit: suits.count(suit) % size for suit in dict.fromkeys(suits)}
        for card in trick:
            odd[card.suit] -= 1
        awkward = any(n > 0 for n in odd.values()) and (not trick or odd[trick[0].suit] >= 0)

        def rate(card: Card) -> tuple[bool, bool, int]:
            high = -self.height[card] if takes and card.suit != self.trump else self.height[card]
            if awkward:
                return card not in self.holder, odd[card.suit] <= 0, high
            return bool(trick) and card.suit != trick[0].suit, card not in self.holder, high

        return sorted(pile, key=rate)


@dataclass(frozen=True, slots=True)
class Proof:
    """A deal that fits: the piles of the sides, and the tricks that leave them where they were found."""

    piles: Piles
    tricks: Tricks | None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search came to: a deal as proof, or None: there is none, or it was `broken_off`; its steps."""

    proof: Proof | None
    work: int
    broken_off: bool = False


@dataclass(frozen=True, slots=True)
class _SearchKey:
    """A rule set as far as it matters here; rule sets that deal and play alike share what was found."""

    alike: tuple[object, ...]
    ruleset: JackNineRuleset = field(compare=False)


@lru_cache(maxsize=256)
def _make_search_key(ruleset: JackNineRuleset) -> _SearchKey:
    points = (ruleset.trump_points, ruleset.plain_points)
    alike = (
        (ruleset.ring, ruleset.hand, ruleset.ranks, ruleset.orders.trump, ruleset.orders.plain),
        (ruleset.jass_rank, ruleset.nine_rank, ruleset.jass_points, ruleset.nine_points),
        tuple(tuple(sorted(values.items())) for values in points),
        (ruleset["play"], ruleset["bare_jass"]),
    )
    return _SearchKey(alike, ruleset)


def can_share_out(ruleset: JackNineRuleset, facts: DealFacts) -> tuple[bool, int]:
    """Whether cards can be shared out so as to come to these points, and the steps it took to see it.

    The play is not looked at. What could not be searched to its end is taken to fit.
    """
    return _can_share_out(_make_search_key(ruleset), facts)


@lru_cache(maxsize=4096)
def _can_share_out(key: _SearchKey, facts: DealFacts) -> tuple[bool, int]:
    if is_contradictory(key.ruleset, facts):
        return False, 1
    effort = Effort(STEPS)
    try:
        searches = _start_searches(key.ruleset, facts, effort)
        fits = any(any(True for _ in search.find_shares()) for search in searches)
    except SearchLimit:
        fits = True
    return fits, STEPS - effort.left


def find_deal(ruleset: JackNineRuleset, facts: DealFacts) -> SearchResult:
    """A deal that fits all facts, if there is one."""
    return _find_deal(_make_search_key(ruleset), facts)


@lru_cache(maxsize=1024)
def _find_deal(key: _SearchKey, facts: DealFacts) -> SearchResult:
    ruleset, effort = key.ruleset, Effort(STEPS)
    if is_contradictory(ruleset, facts):
        return SearchResult(None, 1)
    builder = PlayBuilder(ruleset, facts.trump, facts.last, dict(facts.hands))
    searches = list(_start_searches(ruleset, facts, effort))
    first: Piles | None = None

    def conclude(proof: Proof | None, broken_off: bool = False) -> SearchResult:
        return SearchResult(proof, STEPS - effort.left + builder.work, broken_off)

    try:
        for piles in _list_likely_piles(searches):
            first = first or piles
            try:
                tricks = builder.build(piles, PLAYS_PER_PILES)
            except SearchLimit:
                tricks = None
            if tricks is not None:
                return conclude(Proof(piles, tricks))
            if builder.work > MOST_PLAYS:
                break
        if first is None:
            return conclude(None)
        if len(list(islice(_list_all_piles(searches), FEW_PILES + 1))) <= FEW_PILES:
            for piles in _list_all_piles(searches):
                tricks = builder.build(piles, MOST_PLAYS)
                if tricks is not None:
                    return conclude(Proof(piles, tricks))
            return conclude(None)
    except SearchLimit:
        pass
    return conclude(None, True) if first is None else conclude(Proof(first, None))


def _start_searches(ruleset: JackNineRuleset, facts: DealFacts, effort: Effort) -> Iterator[PileSearch]:
    """A search for each number of tricks that the sides may have taken."""
    for tricks in list_trick_numbers(ruleset, facts):
        yield PileSearch(ruleset, facts, tricks, effort)


def _list_likely_piles(searches: Sequence[PileSearch]) -> Iterator[Piles]:
    """Some piles that fit, of all numbers of tricks, those that are easily played first."""
    for search in searches:
        for share in islice(search.find_shares(), 3):
            yield from islice(search.find_piles(share), 2)


def _list_all_piles(searches: Sequence[PileSearch]) -> Iterator[Piles]:
    """All piles that fit."""
    for search in searches:
        for share in search.find_shares():
            yield from search.find_piles(share)


def forget_searches() -> None:
    """Forget what was found before, as a measurement wants it."""
    _can_share_out.cache_clear()
    _find_deal.cache_clear()
