"""The plausibility of counts: a deal that proves them, or the facts that conflict, and possible counts.

Rule key: `score.doubtful-count`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import Any

from companion.jacknine.entries import collect_sides
from companion.jacknine.phases import count
from companion.jacknine.phases.melds import (
    find_worthless_fours,
    read_declared_fours,
    read_declared_run,
    refuse_shared_cards,
)
from companion.jacknine.ruleset import JackNineRuleset, write_cards
from companion.rules.cards import Card, Suit
from companion.rules.errors import Unreadable
from companion.rules.message import Message, SideName
from companion.rules.question import check_distinct
from companion.rules.schema import fields_of
from companion.rules.seats import Side

from . import construct
from .facts import UNKNOWN, CountFacts, DealFacts, Effort, RecordedFacts, SearchLimit
from .hypotheses import list_hypotheses, list_recorded_hypotheses
from .renaming import Form

MAX_HYPOTHESES = 300
"""The limit of hypotheses looked at; with more of them untried, counts are not refused."""
REHEARSALS = 20_000
"""The limit of deals played for all hypotheses together; half a second."""
FEW_HYPOTHESES = 4
"""The limit up to which hypotheses are searched to their end."""
BUILT = 2
"""The number of hypotheses for which tricks are built."""
STEPS = 40_000
"""The limit of steps of all searches for one part of an answer, rehearsals left out; a third of a second."""
HEAD, LISTED = 200, 12
"""The steps that it takes to list hypotheses, and each of them."""
FAR = 40
"""The distance from a count within which the nearest possible one is looked for."""

Points = Mapping[Side, int]


def check_facts(ruleset: JackNineRuleset, facts: CountFacts) -> None:
    """Refuse facts that no table can state. :raises Unreadable: at the field."""
    for side in sorted(collect_sides(facts.trickless)):
        if side == (facts.last or (facts.count.last if facts.count else None)) or (facts.tricks or {}).get(
            side
        ):
            raise Unreadable("trickless", Message("a side without a trick"), side)
    tricks = (facts.known_tricks or {}).values()
    if sum(tricks) > ruleset.hand or (len(tricks) == len(ruleset.ring.sides) and sum(tricks) < ruleset.hand):
        raise Unreadable("tricks", Message("{hand} tricks in all", hand=ruleset.hand), sum(tricks))
    if facts.shown is not None and not ruleset.shows_card:
        raise Unreadable("shown", Message("left out, as all cards are dealt"), str(facts.shown))
    if facts.shown is not None and facts.shown == facts.turn_up:
        raise Unreadable("shown", Message("a card other than the turned one"), str(facts.shown))
    if facts.exchanged not in (None, UNKNOWN) and ruleset["seven"] == "never":
        raise Unreadable(
            "exchanged", Message("left out, as the seven is never swapped here"), facts.exchanged
        )
    for side, cards in (facts.taken or {}).items():
        check_distinct(cards, f"taken.{side}")
    runs = [read_declared_run(ruleset, run, f"runs[{i}]") for i, run in enumerate(facts.runs or ())]
    fours = read_declared_fours(ruleset, facts.fours or (), "fours")
    refuse_shared_cards(ruleset, [*runs, *fours], find_worthless_fours(ruleset, facts.fours or ()), "runs")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a search: no deal fits (`refuted`), or one that does; neither if it was broken off.

    `found` is the search that found the deal; `work` are the steps of all.
    """

    refuted: bool
    found: construct.DealSearch | None
    work: int


def find_deal_for(
    ruleset: JackNineRuleset, facts: CountFacts, rehearsals: int = REHEARSALS, steps: int = STEPS
) -> Finding:
    """Find a deal that fits all these facts, or refute them, within the limits of rehearsals and other steps.

    Facts that differ only in the names of suits and seats have the same answer.
    """
    searches, listed = _start_searches(ruleset, facts)
    budget = _Budget(searches, HEAD + LISTED * listed, steps)
    provable = [
        search for known in ("known", "example") for search in searches if search.facts.melds == known
    ]
    binding = [search for search in searches if search.facts.melds != "example"]

    # Most deals are found in a first round. What is left then is refuted, if it can be; else it is played on.
    found = _find_at_first(budget, provable, playing=rehearsals > 0)
    if found is not None:
        return Finding(False, found, budget.count_steps())
    left = list(islice(filter(budget.may_fit, binding), FEW_HYPOTHESES + 1))
    # Of cards laid away not all are tried, so nothing is refuted.
    whole = listed < MAX_HYPOTHESES and len(left) <= FEW_HYPOTHESES and not ruleset.discards
    if whole:
        found = _exhaust(budget, left, provable)
    if found is None and any(map(budget.may_fit, left)):
        found = _play_on(budget, provable, rehearsals)
    refuted = found is None and whole and not any(map(budget.may_fit, left))
    return Finding(refuted, found, budget.count_steps())


@dataclass(frozen=True, slots=True)
class _Budget:
    """The work allowed to all searches together; `listing` are the steps that listed their hypotheses."""

    searches: list[construct.DealSearch]
    listing: int
    steps: int

    def count_steps(self) -> int:
        return self.listing + sum(search.work for search in self.searches)

    def may_fit(self, search: construct.DealSearch) -> bool:
        """True if a deal may fit the hypothesis; assumed if no steps are left to tell."""
        return search.fits if search.is_judged or self.count_steps() < self.steps else True


def _start_searches(ruleset: JackNineRuleset, facts: CountFacts) -> tuple[list[construct.DealSearch], int]:
    """Start one search for all hypotheses of the same form; with the number of hypotheses listed."""
    by_form: dict[Form, construct.DealSearch] = {}
    listed = 0
    for hypothesis in islice(list_hypotheses(ruleset, facts), MAX_HYPOTHESES):
        listed += 1
        form, search = construct.start_search(ruleset.without_discards, hypothesis)
        by_form.setdefault(form, search)
    return [search for _, search in sorted(by_form.items(), key=itemgetter(0))], listed


def _find_at_first(
    budget: _Budget, provable: list[construct.DealSearch], *, playing: bool
) -> construct.DealSearch | None:
    """Find the first search that brings a deal, each rehearsed once."""
    most = FEW_HYPOTHESES if playing else 1
    for number, search in enumerate(islice(filter(budget.may_fit, provable), most)):
        if search.rehearse() or (playing and number < BUILT and search.build()):
            return search
    return None


def _exhaust(
    budget: _Budget, left: list[construct.DealSearch], provable: list[construct.DealSearch]
) -> construct.DealSearch | None:
    """Find the search that brings a deal when all are followed to the end."""
    for search in left:
        if budget.count_steps() < budget.steps:
            search.exhaust()
        if search.tricks and search in provable:
            return search
    return None


def _play_on(
    budget: _Budget, provable: list[construct.DealSearch], rehearsals: int
) -> construct.DealSearch | None:
    """Find the search that brings a deal when they are rehearsed in turn, up to the limit in all."""
    live = list(islice(filter(budget.may_fit, provable), FEW_HYPOTHESES))
    while live and sum(search.rehearsed for search in live) < rehearsals:
        for search in live:
            if search.rehearse():
                return search
        live = [search for search in live if budget.may_fit(search)]
    return None


def describe_proof(ruleset: JackNineRuleset, found: construct.DealSearch) -> dict[str, object]:
    """Describe a deal in JSON: the cards in each side's tricks, those out of play, trumps, and the play.

    `leaders` are the seats that lead the `tricks`.
    """
    tricks, last = found.restore_tricks(), found.hypothesis.last
    takers = [ruleset.ring.side(leader) for leader, _ in tricks[1:]] + [last]
    taken: dict[Side, list[Card]] = {side: [] for side in ruleset.ring.sides}
    for taker, (_, cards) in zip(takers, tricks, strict=True):
        taken[taker] += cards
    played = {card for _, cards in tricks for card in cards}
    return {
        **{side: write_cards(cards) for side, cards in taken.items()},
        "out": write_cards(card for card in ruleset.pack if card not in played),
        "trump": str(found.hypothesis.trump),
        "leaders": [leader for leader, _ in tricks],
        "tricks": [write_cards(cards) for _, cards in tricks],
    }


def find_conflict(ruleset: JackNineRuleset, facts: CountFacts) -> list[str]:
    """Find the fields of which one must be wrong, and no others; in the order of the request's fields."""
    stated = [
        place.attribute for place in fields_of(CountFacts) if getattr(facts, place.attribute) != place.absent
    ]
    counts = [name for name in stated if name in ("made", "count")]
    conflict, effort = list(stated), Effort(STEPS)
    for name in [*(name for name in stated if name not in counts), *counts]:
        rest = [other for other in conflict if other != name]
        if effort.left >= 0 and _is_refuted(ruleset, _keep_fields(facts, rest), effort):
            conflict = rest
    return conflict or counts


def _keep_fields(facts: CountFacts, names: list[str]) -> CountFacts:
    """Keep only these fields of the question."""
    absent: dict[str, Any] = {place.name: place.default for place in fields(facts) if place.name not in names}
    return replace(facts, **absent)


def _is_refuted(ruleset: JackNineRuleset, facts: CountFacts, effort: Effort) -> bool:
    """True if no deal fits; none does for points above those of the richest deal."""
    if facts.made is not None and facts.runs is None and sum(facts.made.values()) > ruleset.max_points:
        return True
    finding = find_deal_for(ruleset, facts, rehearsals=0, steps=effort.left)
    effort.left -= finding.work
    return finding.refuted


def find_bound(ruleset: JackNineRuleset, facts: CountFacts) -> count.CountBound | None:
    """Find the smallest change of one count that makes the counts possible, as far as it can be found.

    None if there is no such change, or the search takes too long.
    """
    made, effort = _declared_totals(ruleset, facts), Effort(STEPS)

    def is_possible(other: Points) -> bool:
        restated = _restate(ruleset, facts, made, other)
        effort.spend()
        return restated is not None and not _is_refuted(ruleset, restated, effort)

    def has_cards(other: Points) -> bool:
        restated = _restate(ruleset, facts, made, other)
        return restated is not None and _any_fits(ruleset, list_hypotheses(ruleset, restated), effort)

    try:
        return _find_smallest_change(ruleset, made, is_possible, has_cards)
    except SearchLimit:
        return None


def _any_fits(ruleset: JackNineRuleset, hypotheses: Iterable[DealFacts], effort: Effort) -> bool:
    """True if cards can be shared out by any hypothesis. :raises SearchLimit: if the effort is spent."""
    for hypothesis in hypotheses:
        fits, work = construct.can_share_out(ruleset, hypothesis)
        effort.spend(work)
        if fits:
            return True
    return False


def _find_smallest_change(
    ruleset: JackNineRuleset,
    made: Points,
    is_possible: Callable[[Points], bool],
    has_cards: Callable[[Points], bool],
) -> count.CountBound | None:
    """Find the smallest change of one count that makes the counts possible, and the bounds of that count.

    `is_possible` tells whether a deal can come to given counts, `has_cards` the same of cards without play.
    """
    change: tuple[int, Side, int] | None = None
    for side in ruleset.ring.sides:
        near = range(max(made[side] - FAR, 0), made[side] + FAR + 1)
        for n in sorted(near, key=lambda n: (abs(n - made[side]), -n))[1:]:
            if change is not None and abs(n - made[side]) >= change[0]:
                break
            if is_possible(_change_count(ruleset, made, side, n)):
                change = (abs(n - made[side]), side, n)
    if change is None:
        return None
    _, side, n = change
    most = max(ruleset.max_points, n)
    lower = (least for least in range(n) if has_cards(_change_count(ruleset, made, side, least)))
    higher = (top for top in range(most, n, -1) if has_cards(_change_count(ruleset, made, side, top)))
    return count.CountBound(side, next(lower, n), next(higher, n), n, made[side])


def _change_count(ruleset: JackNineRuleset, made: Points, side: Side, n: int) -> Points:
    """Change the count of one side; if all cards are dealt, its opponents get the rest."""
    if not ruleset.all_dealt:
        return {**made, side: n}
    other = ruleset.ring.others(side)[0]
    return {**made, side: n, other: made[other] + made[side] - n}


@lru_cache(maxsize=4096)
def find_inconsistency(
    ruleset: JackNineRuleset, points: tuple[int, ...], recorded: RecordedFacts, meld_points: tuple[int, ...]
) -> tuple[Side | None, Message] | None:
    """Find what is wrong with a recorded deal if no cards come to its counts; None if some do.

    Return the side whose count would have to change, None if no single change helps, and the reason. `points`
    by side are of cards, honours and last trick, `meld_points` those of melds and bela.
    """
    if ruleset.discards:
        return None  # which cards were laid away, and count for the declarer, is not stated
    sides = ruleset.ring.sides
    made, effort = dict(zip(sides, points, strict=True)), Effort(STEPS)

    def has_cards(made: Points) -> bool:
        return _any_fits(ruleset, list_recorded_hypotheses(ruleset, tuple(made.values()), recorded), effort)

    try:
        if has_cards(made):
            return None
    except SearchLimit:
        return None
    try:
        bound = _find_smallest_change(ruleset, made, has_cards, lambda made: False)
    except SearchLimit:
        bound = None
    if bound is None:
        return None, explain_bound(None)
    more = meld_points[sides.index(bound.what)]
    return bound.what, explain_bound(replace(bound, found=bound.found + more, nearest=bound.nearest + more))


def explain_bound(bound: count.CountBound | None) -> Message:
    """Explain that no deal fits, though each number by itself is possible."""
    if bound is None:
        return Message("The cards cannot have been dealt and played in any way that makes all of this true.")
    return Message(
        "{found} for {side} is not possible with everything else that is stated; {nearest} is.",
        found=bound.found,
        side=SideName(bound.what),
        nearest=bound.nearest,
    )


def _declared_totals(ruleset: JackNineRuleset, facts: CountFacts) -> Points:
    """Add up the points of each side as they were counted."""
    if facts.made is not None:
        return facts.made
    assert facts.count is not None
    cards = count.complete_card_points(ruleset, facts.count.card_points, facts.trump or Suit.HEARTS)
    return count.CardCount(cards, facts.count.jass, facts.count.nine, facts.count.last or facts.last).made(
        ruleset
    )


def _restate(ruleset: JackNineRuleset, facts: CountFacts, made: Points, other: Points) -> CountFacts | None:
    """Restate the question with other counts; None if cards would have to count less than nothing."""
    if min(other.values()) < 0:
        return None
    if facts.made is not None:
        return replace(facts, made=other)
    assert facts.count is not None
    counted = count.complete_card_points(ruleset, facts.count.card_points, facts.trump or Suit.HEARTS)
    cards = {side: counted[side] + other[side] - made[side] for side in ruleset.ring.sides}
    return None if min(cards.values()) < 0 else replace(facts, count=replace(facts.count, cards=cards))
