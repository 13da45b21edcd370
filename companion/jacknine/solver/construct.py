"""A deal as proof: whether any deal can be as it is stated, and tricks that show it.

First the points: kinds of cards are shared out among the sides' tricks (`piles`), trumps in such a way that
they can fall so (`trumps`). Where that cannot be, there is no such deal. Then the play: deals are played
until one fits (`rehearsal`). Where few piles fit, hands and tricks are built that leave one of them, from the
last trick to the first: either there are some, or there is no such deal. What a seat still holds at a trick
is what it plays later, so every play can be judged as soon as it is placed.

Between the two lies what is not decided.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice

from companion.jacknine.phases import play
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card
from companion.rules.seats import Seat, Side

from .facts import DealFacts, Effort, SearchLimit
from .piles import Piles, PileSearch, TrumpSearch, is_contradictory, list_trick_numbers
from .rehearsal import Rehearsal, Tricks
from .renaming import Form, Renaming, rename_facts

MAX_PLAYS = 4_000
"""Plays that are tried in building tricks before that is broken off."""
PLAYS_PER_PILES = 300
"""Plays that are tried with one of the likely ways to lay the piles."""
LIKELY_PILES = 20
"""Likely ways to lay the piles that are tried."""
FEW_PILES = 400
"""Ways to lay the piles for which tricks are built, where there are no more of them."""
WEIGHT = 4
"""Steps that one play takes as long as."""
STEPS = 20_000
"""Steps of a search for piles before it is broken off; a quarter of a second."""


@dataclass
class PlayBuilder:
    """Builds the play of one deal, backwards.

    `last` is the side of the last trick; `holder` says of some cards who was dealt them.
    """

    ruleset: JackNineRuleset
    trump: str
    last: Side
    holder: dict[Card, Seat]
    effort: Effort
    dead: set[object] = field(default_factory=set)
    height: dict[Card, int] = field(init=False)

    def __post_init__(self) -> None:
        orders, pack = self.ruleset.orders, self.ruleset.pack
        self.height = {card: orders.height(card, self.trump) * len(pack) + i for i, card in enumerate(pack)}

    def build(self, piles: Piles) -> Tricks | None:
        """Tricks that leave these piles; None where there are none.

        :raises SearchLimit: when the effort is spent.
        """
        self.dead.clear()
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
            self.effort.spend()
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

    Of the play only trumps are looked at. What could not be searched to its end is taken to fit.
    """
    return _can_share_out(_make_search_key(ruleset), facts)


@lru_cache(maxsize=4096)
def _can_share_out(key: _SearchKey, facts: DealFacts) -> tuple[bool, int]:
    ruleset = key.ruleset
    if is_contradictory(ruleset, facts):
        return False, 1
    effort = Effort(STEPS)
    trumps = TrumpSearch(ruleset, facts, effort)
    try:
        fits = any(
            any(True for _ in PileSearch(ruleset, facts, tricks, effort).find_shares())
            and any(True for _ in PileSearch(ruleset, facts, tricks, effort, trumps).find_shares())
            for tricks in list_trick_numbers(ruleset, facts)
        )
    except SearchLimit:
        fits = True
    return fits, STEPS - effort.left


@dataclass
class DealSearch:
    """The search for a deal that fits a hypothesis, under other names: `facts`.

    `tricks` are those of a deal that was found; `work` are the steps so far, rehearsals left out.
    """

    ruleset: JackNineRuleset
    hypothesis: DealFacts
    facts: DealFacts
    renaming: Renaming
    tricks: Tricks | None = None
    work: int = 0
    rehearsal: Rehearsal | None = None
    likely: Iterator[Piles] | None = None
    turn: bool = False

    @cached_property
    def fits(self) -> bool:
        """Whether there may be such a deal, as far as is known yet."""
        fits, work = can_share_out(self.ruleset, self.facts)
        self.work += work
        return fits

    @property
    def rehearsed(self) -> int:
        """How many deals were played."""
        return self.rehearsal.work if self.rehearsal else 0

    @property
    def is_judged(self) -> bool:
        """Whether it has been looked at whether there may be such a deal."""
        return "fits" in self.__dict__

    def rehearse(self) -> bool:
        """Whether a deal is found by playing one season more."""
        if self.rehearsal is None:
            self.rehearsal = Rehearsal(self.ruleset, self.facts)
        afresh = self.rehearsal.work > 0 and self.rehearsal.near is None
        self.tricks = self.rehearsal.find_tricks(self._draw_piles() if afresh else None)
        return self.tricks is not None

    def _draw_piles(self) -> Piles | None:
        """Every second time piles that are likely to be played, where there are more."""
        self.turn = not self.turn
        if not self.turn:
            return None
        if self.likely is None:
            self.likely = _list_likely_piles(self._start_pile_searches(Effort(STEPS)))
        try:
            return next(self.likely, None)
        except SearchLimit:
            return None

    def build(self) -> bool:
        """Whether tricks are found that leave one of the likeliest piles."""
        facts, effort = self.facts, Effort(STEPS)
        likely = _list_likely_piles(self._start_pile_searches(effort))
        builder = PlayBuilder(self.ruleset, facts.trump, facts.last, dict(facts.hands), Effort(0))
        try:
            for piles in islice(likely, LIKELY_PILES):
                builder.effort = Effort(PLAYS_PER_PILES)
                try:
                    self.tricks = builder.build(piles)
                except SearchLimit:
                    self.work += WEIGHT * PLAYS_PER_PILES
                if self.tricks is not None:
                    break
        except SearchLimit:
            pass
        self.work += STEPS - effort.left
        return self.tricks is not None

    def _start_pile_searches(self, effort: Effort) -> list[PileSearch]:
        """A search for each number of tricks that the sides may have taken."""
        trumps = TrumpSearch(self.ruleset, self.facts, effort)
        return [
            PileSearch(self.ruleset, self.facts, tricks, effort, trumps)
            for tricks in list_trick_numbers(self.ruleset, self.facts)
        ]

    def exhaust(self) -> None:
        """Build tricks for each of the piles that fit, where they are few: a deal, or there is none."""
        facts, effort = self.facts, Effort(STEPS // 2)
        builder = PlayBuilder(self.ruleset, facts.trump, facts.last, dict(facts.hands), Effort(MAX_PLAYS))
        searches = self._start_pile_searches(effort)
        try:
            found = list(islice(_list_all_piles(searches), FEW_PILES + 1))
            if len(found) <= FEW_PILES:
                self.tricks = next(filter(None, map(builder.build, found)), None)
                self.fits = self.tricks is not None
        except SearchLimit:
            pass
        self.work += STEPS // 2 - effort.left + WEIGHT * (MAX_PLAYS - builder.effort.left)

    def restore_tricks(self) -> Tricks:
        """The tricks that were found, under the names of the hypothesis."""
        names = self.renaming
        return tuple(
            (names.restore_seat(leader), tuple(names.restore_card(card) for card in cards))
            for leader, cards in self.tricks or ()
        )


def start_search(ruleset: JackNineRuleset, hypothesis: DealFacts) -> tuple[Form, DealSearch]:
    """The search for a deal, and what is searched without names: for equal ones there is the same to find."""
    form, facts, renaming = rename_facts(ruleset, hypothesis)
    return form, DealSearch(ruleset, hypothesis, facts, renaming)


def _list_likely_piles(searches: Sequence[PileSearch]) -> Iterator[Piles]:
    """Some piles that fit, of all numbers of tricks, those that are easily played first."""
    for search in searches:
        for share in islice(search.find_shares(), 3):
            yield from islice(search.find_piles(share), 2)


def _list_all_piles(searches: Sequence[PileSearch]) -> Iterator[Piles]:
    """All piles that fit."""
    for search in searches:
        for share in search.find_shares():
            yield from search.list_piles(share)
