"""Whether any deal can be as it is told: cards, hands and tricks that fit everything known, found as proof.

First the points: kinds of cards are shared out among the sides' tricks (`piles`). Then the play: hands and
tricks are built that leave such piles, every card rightly played (`witness`). Where no pile fits, or none of
a few that do can be played, there is no such deal. Where so many piles fit that not all can be tried, and
none of those tried could be played, the counts are taken to be possible: what could be is never refused.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from companion.jacknine.ruleset import Ruleset

from .construct import Builder, Tricks
from .piles import Effort, Facts, Piles, Search, Weary, contradiction, trick_numbers

WORK = 6000
"""Plays that are tried before the search for a deal is broken off."""
ONE = 300
"""Plays that are tried with one way to lay the piles, while there are others."""
FEW = 400
"""Ways to lay the piles that are all tried, where there are no more of them."""
STEPS = 40_000
"""Steps of the search for piles before it is broken off; half a second."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A deal that fits: the piles of the sides, and the tricks that leave them where they were found."""

    piles: Piles
    tricks: Tricks | None


@dataclass(frozen=True, slots=True)
class Sought:
    """What a search came to: a deal, or none; neither where it was `broken_off`; and what it took."""

    proof: Proof | None
    work: int
    broken_off: bool = False


@dataclass(frozen=True, slots=True)
class _Way:
    """A rule set as far as it matters here; rule sets that deal and play alike share what was found."""

    alike: tuple[object, ...]
    ruleset: Ruleset = field(compare=False)


@lru_cache(maxsize=256)
def _way(ruleset: Ruleset) -> _Way:
    points = (ruleset.trump_points, ruleset.plain_points)
    alike = (
        (ruleset.ring, ruleset.hand, ruleset.ranks, ruleset.orders.trump, ruleset.orders.plain),
        (ruleset.jass_rank, ruleset.nine_rank, ruleset.jass_points, ruleset.nine_points),
        tuple(tuple(sorted(one.items())) for one in points),
        (ruleset["play"], ruleset["bare_jass"]),
    )
    return _Way(alike, ruleset)


def fits(ruleset: Ruleset, facts: Facts) -> tuple[bool, int]:
    """Whether cards can be shared out so as to come to these points, and what it took to see it.

    The play is not looked at. What could not be searched to its end is taken to fit.
    """
    return _fits(_way(ruleset), facts)


@lru_cache(maxsize=4096)
def _fits(way: _Way, facts: Facts) -> tuple[bool, int]:
    if contradiction(way.ruleset, facts):
        return False, 1
    effort = Effort(STEPS)
    try:
        found = any(any(True for _ in one.shares()) for one in _searches(way.ruleset, facts, effort))
    except Weary:
        found = True
    return found, STEPS - effort.left


def find(ruleset: Ruleset, facts: Facts) -> Sought:
    """A deal that fits all facts, if there is one."""
    return _find(_way(ruleset), facts)


@lru_cache(maxsize=1024)
def _find(way: _Way, facts: Facts) -> Sought:
    ruleset, effort = way.ruleset, Effort(STEPS)
    if contradiction(ruleset, facts):
        return Sought(None, 1)
    builder = Builder(ruleset, facts.trump, facts.last, dict(facts.hands))
    searches = list(_searches(ruleset, facts, effort))
    first: Piles | None = None

    def sought(proof: Proof | None, broken_off: bool = False) -> Sought:
        return Sought(proof, STEPS - effort.left + builder.work, broken_off)

    try:
        for piles in _likely(searches):
            first = first or piles
            try:
                tricks = builder.build(piles, ONE)
            except Weary:
                tricks = None
            if tricks is not None:
                return sought(Proof(piles, tricks))
            if builder.work > WORK:
                break
        if first is None:
            return sought(None)
        if len(list(islice(_all(searches), FEW + 1))) <= FEW:
            for piles in _all(searches):
                tricks = builder.build(piles, WORK)
                if tricks is not None:
                    return sought(Proof(piles, tricks))
            return sought(None)
    except Weary:
        pass
    return sought(None, True) if first is None else sought(Proof(first, None))


def _searches(ruleset: Ruleset, facts: Facts, effort: Effort) -> Iterator[Search]:
    for tricks in trick_numbers(ruleset, facts):
        yield Search(ruleset, facts, tricks, effort)


def _likely(searches: Sequence[Search]) -> Iterator[Piles]:
    """Some piles that fit, of all numbers of tricks, those that are easily played first."""
    for search in searches:
        for share in islice(search.shares(), 3):
            yield from islice(search.piles(share), 2)


def _all(searches: Sequence[Search]) -> Iterator[Piles]:
    """All piles that fit."""
    for search in searches:
        for share in search.shares():
            yield from search.piles(share)


def forget() -> None:
    """Forget what was found before, as a measurement wants it."""
    _fits.cache_clear()
    _find.cache_clear()
