"""Whether any deal can be as it is told: cards, hands and tricks that fit everything known, found as proof.

First the points: kinds of cards are shared out among the sides' tricks (`piles`). Then the play: hands and
tricks are built that leave such piles, every card rightly played (`witness`). Where no pile fits, or none of
a few that do can be played, there is no such deal. Where so many piles fit that not all can be tried, and
none of those tried could be played, the counts are taken to be possible: what could be is never refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from ..ruleset import Ruleset
from .piles import Facts, Piles, Search, contradiction, trick_numbers
from .witness import Builder, Tricks, Weary

WORK = 6000
"""Plays that are tried before the search for a deal is broken off."""
ONE = 300
"""Plays that are tried with one way to lay the piles, while there are others."""
FEW = 400
"""Ways to lay the piles that are all tried, where there are no more of them."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A deal that fits: the piles of the sides, and the tricks that leave them where they were found."""

    piles: Piles
    tricks: Tricks | None


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


def fits(ruleset: Ruleset, facts: Facts) -> bool:
    """Whether cards can be shared out so as to come to these points; the play is not looked at."""
    return _fits(_way(ruleset), facts)


@lru_cache(maxsize=4096)
def _fits(way: _Way, facts: Facts) -> bool:
    if contradiction(way.ruleset, facts):
        return False
    return any(any(True for _ in one.shares()) for one in _searches(way.ruleset, facts))


def find(ruleset: Ruleset, facts: Facts) -> Proof | None:
    """A deal that fits all facts; None where there is none."""
    return _find(_way(ruleset), facts)


@lru_cache(maxsize=1024)
def _find(way: _Way, facts: Facts) -> Proof | None:
    ruleset = way.ruleset
    if not _fits(way, facts):
        return None
    builder = Builder(ruleset, facts.trump, facts.last, dict(facts.hands))
    first: Piles | None = None
    for piles in _likely(ruleset, facts):
        first = first or piles
        try:
            tricks = builder.build(piles, ONE)
        except Weary:
            tricks = None
        if tricks is not None:
            return Proof(piles, tricks)
        if builder.work > WORK:
            break
    if len(list(islice(_all(ruleset, facts), FEW + 1))) <= FEW:
        try:
            for piles in _all(ruleset, facts):
                tricks = builder.build(piles, WORK)
                if tricks is not None:
                    return Proof(piles, tricks)
        except Weary:
            return Proof(piles, None)
        return None
    assert first is not None
    return Proof(first, None)


def _searches(ruleset: Ruleset, facts: Facts) -> Iterator[Search]:
    for tricks in trick_numbers(ruleset, facts):
        yield Search(ruleset, facts, tricks)


def _likely(ruleset: Ruleset, facts: Facts) -> Iterator[Piles]:
    """Some piles that fit, of all numbers of tricks, those that are easily played first."""
    for search in _searches(ruleset, facts):
        for share in islice(search.shares(), 3):
            yield from islice(search.piles(share), 2)


def _all(ruleset: Ruleset, facts: Facts) -> Iterator[Piles]:
    """All piles that fit."""
    for search in _searches(ruleset, facts):
        for share in search.shares():
            yield from search.piles(share)


def forget() -> None:
    """Forget what was found before, as a measurement wants it."""
    _fits.cache_clear()
    _find.cache_clear()
