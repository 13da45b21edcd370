"""A deal as proof: a search for a deal that fits the stated facts, and tricks that show it.

First the points: kinds of cards are shared out among the sides' tricks (`piles`), trumps in such a way that
they can fall so (`trumps`). If that is impossible, no such deal exists.

Then the play: deals are played until one fits (`rehearsal`). If few piles fit, or all cards are known to lie
in one, hands and tricks are built that leave one of them (`arrangement`): either some are found, or no such
deal exists.

Anything between the two stays undecided.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice

from companion.jacknine.ruleset import JackNineRuleset

from .arrangement import Arranger
from .facts import DealFacts, Effort, SearchLimit
from .piles import Piles, PileSearch, TrumpSearch, is_contradictory, list_trick_numbers
from .rehearsal import Rehearsal, Tricks
from .renaming import Form, Renaming, rename_facts

MAX_PLAYS = 20_000
"""The limit of plays tried in building tricks."""
PLAYS_PER_PILES = 600
"""The limit of plays tried with one of the likely ways to lay the piles."""
SEASON, PLAYS_PER_REHEARSAL = 1_000, 5
"""The time for building tricks at once, if the piles are known, in rehearsals; the plays tried in each."""
LIKELY_PILES = 20
"""Likely ways to lay the piles that are tried."""
FEW_PILES = 400
"""The most ways to lay the piles for which all get their tricks built."""
PLAYS_PER_STEP = 2
"""Plays that take as long as one step."""
STEPS = 20_000
"""The limit of steps of a search for piles; a quarter of a second."""


@dataclass(frozen=True, slots=True)
class _SearchKey:
    """A rule set reduced to what matters here; rule sets that deal and play alike share results."""

    alike: tuple[object, ...]
    ruleset: JackNineRuleset = field(compare=False)


@lru_cache(maxsize=256)
def _make_search_key(ruleset: JackNineRuleset) -> _SearchKey:
    points = (
        ruleset.trump_points,
        ruleset.plain_points,
        ruleset.no_trumps_points,
        ruleset.all_trumps_points,
    )
    alike = (
        (ruleset.ring, ruleset.hand, ruleset.ranks, ruleset.orders.trump, ruleset.orders.plain),
        (ruleset.jass_rank, ruleset.nine_rank, ruleset.jass_points, ruleset.nine_points),
        tuple(tuple(sorted(values.items())) for values in points),
        (ruleset["play"], ruleset["trump_led"], ruleset["bare_jass"]),
        (ruleset.options.get("partner_frees"), ruleset.options.get("trumped")),
    )
    return _SearchKey(alike, ruleset)


def can_share_out(ruleset: JackNineRuleset, facts: DealFacts) -> tuple[bool, int]:
    """True if cards can be shared out so as to come to these points; with the steps that it took.

    Of the play only trumps are considered. A search that breaks off counts as a fit.
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
    arranged: int = 0
    likely: Iterator[Piles] | None = None
    turn: bool = False

    @cached_property
    def fits(self) -> bool:
        """True if such a deal is possible, as far as is known yet."""
        fits, work = can_share_out(self.ruleset, self.facts)
        self.work += work
        return fits

    @cached_property
    def arranger(self) -> Arranger:
        """The builder of tricks for piles."""
        facts = self.facts
        return Arranger(self.ruleset, facts.trump, facts.last, dict(facts.hands))

    @cached_property
    def piles(self) -> Piles | None:
        """The cards in each side's tricks; None unless those of all cards in play are known."""
        pinned = self.facts.pinned
        if len(pinned) < self.ruleset.in_play:
            return None
        return tuple(
            frozenset(card for card, owner in pinned if owner == side) for side in self.ruleset.ring.sides
        )

    @property
    def rehearsed(self) -> int:
        """The deals played, or playable in the time in which tricks were built for known piles."""
        return self.rehearsal.work if self.rehearsal else self.arranged

    @property
    def is_judged(self) -> bool:
        """True if `fits` has been worked out."""
        return "fits" in self.__dict__

    def rehearse(self) -> bool:
        """True if a deal is found in one season more, or by building tricks if the piles are known."""
        if self.piles is not None:
            self.arranged += SEASON
            self._arrange([self.piles], Effort(SEASON * PLAYS_PER_REHEARSAL))
            return self.tricks is not None
        if self.rehearsal is None:
            self.rehearsal = Rehearsal(self.ruleset, self.facts)
        afresh = self.rehearsal.work > 0 and self.rehearsal.near is None
        self.tricks = self.rehearsal.find_tricks(self._draw_piles() if afresh else None)
        return self.tricks is not None

    def _draw_piles(self) -> Piles | None:
        """Draw likely piles at every second call; None at the others, and if no more are left."""
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
        """True if tricks are found that leave one of the likeliest piles."""
        if self.piles is not None:
            return False
        effort = Effort(STEPS)
        likely = _list_likely_piles(self._start_pile_searches(effort))
        try:
            for piles in islice(likely, LIKELY_PILES):
                plays = Effort(PLAYS_PER_PILES)
                try:
                    self.tricks = self.arranger.arrange(piles, plays)
                except SearchLimit:
                    self.work += PLAYS_PER_PILES // PLAYS_PER_STEP
                if self.tricks is not None:
                    break
        except SearchLimit:
            pass
        self.work += STEPS - effort.left
        return self.tricks is not None

    def _start_pile_searches(self, effort: Effort) -> list[PileSearch]:
        """Start a search for each number of tricks that the sides may have taken."""
        trumps = TrumpSearch(self.ruleset, self.facts, effort)
        return [
            PileSearch(self.ruleset, self.facts, tricks, effort, trumps)
            for tricks in list_trick_numbers(self.ruleset, self.facts)
        ]

    def exhaust(self) -> None:
        """Build tricks for all piles that fit, if they are few: a deal is found, or none exists."""
        effort, plays = Effort(STEPS // 2), Effort(MAX_PLAYS)
        try:
            if self.piles is not None:
                found = [self.piles]
            else:
                found = list(islice(_list_all_piles(self._start_pile_searches(effort)), FEW_PILES + 1))
            if len(found) <= FEW_PILES:
                self._arrange(found, plays)
        except SearchLimit:
            pass
        self.work += STEPS // 2 - effort.left + (MAX_PLAYS - plays.left) // PLAYS_PER_STEP

    def _arrange(self, all_piles: Sequence[Piles], plays: Effort) -> None:
        """Build tricks that leave one of these piles, which are all that fit; without any, no deal exists."""
        try:
            self.tricks = next(
                filter(None, (self.arranger.arrange(piles, plays) for piles in all_piles)), None
            )
            self.fits = self.tricks is not None
        except SearchLimit:
            pass

    def restore_tricks(self) -> Tricks:
        """Restore the tricks found to the names of the hypothesis."""
        names = self.renaming
        return tuple(
            (names.restore_seat(leader), tuple(names.restore_card(card) for card in cards))
            for leader, cards in self.tricks or ()
        )


def start_search(ruleset: JackNineRuleset, hypothesis: DealFacts) -> tuple[Form, DealSearch]:
    """Start the search for a deal; with the facts without names: equal ones have the same results."""
    form, facts, renaming = rename_facts(ruleset, hypothesis)
    return form, DealSearch(ruleset, hypothesis, facts, renaming)


def _list_likely_piles(searches: Sequence[PileSearch]) -> Iterator[Piles]:
    """List some piles that fit, of all numbers of tricks, those that are easily played first."""
    for search in searches:
        for share in islice(search.find_shares(), 3):
            yield from islice(search.find_piles(share), 2)


def _list_all_piles(searches: Sequence[PileSearch]) -> Iterator[Piles]:
    """List all piles that fit."""
    for search in searches:
        for share in search.find_shares():
            yield from search.list_piles(share)
