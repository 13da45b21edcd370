"""Doubt about counts: the deal that proves them, or which statements exclude each other and what could be.

Rule key: `score.doubtful-count`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from itertools import islice
from typing import Any

from companion.jacknine.phases import count
from companion.jacknine.phases.declared_melds import read_declared_run
from companion.jacknine.phases.melds import find_overlap
from companion.jacknine.ruleset import JackNineRuleset, written
from companion.jacknine.solver.facts import UNKNOWN, CountFacts, DealFacts, RecordedFacts
from companion.rules.cards import Suit
from companion.rules.message import Message, SideName
from companion.rules.question import check_distinct
from companion.rules.schema import Unreadable, fields_of
from companion.rules.seats import Side

from . import construct
from .hypotheses import list_hypotheses, list_recorded_hypotheses
from .piles import Effort, SearchLimit

MOST_HYPOTHESES = 300
"""Ways to read what is told that are looked at; with more of them untried, counts are not refused."""
PATIENCE = 2
"""Readings for which piles but no play was found, before the piles alone are taken for proof."""
STEPS = 100_000
"""Steps of all searches for one part of an answer; a second."""
FAR = 40
"""How far from a count the nearest that could be is looked for."""
Points = Mapping[Side, int]


def check_facts(ruleset: JackNineRuleset, q: CountFacts) -> None:
    """Refuse what no table can tell. :raises Unreadable: at the field."""
    told = (q.tricks or {}).values()
    if sum(told) > ruleset.hand or (len(told) == len(ruleset.ring.sides) and sum(told) < ruleset.hand):
        raise Unreadable("tricks", Message("{hand} tricks in all", hand=ruleset.hand), sum(told))
    if q.shown is not None and not ruleset.shows_card:
        raise Unreadable("shown", Message("nothing, for all cards are dealt"), str(q.shown))
    if q.shown is not None and q.shown == q.turn_up:
        raise Unreadable("shown", Message("another card than the turned one"), str(q.shown))
    if q.exchanged not in (None, UNKNOWN) and ruleset["seven"] == "never":
        raise Unreadable("exchanged", Message("nobody, for the seven is never swapped here"), q.exchanged)
    for side, cards in (q.taken or {}).items():
        check_distinct(cards, f"taken.{side}")
    runs = [read_declared_run(ruleset, one, f"runs[{i}]") for i, one in enumerate(q.runs or ())]
    clash = find_overlap(ruleset, runs)
    if clash:
        raise Unreadable("runs", Message("runs that share no card"), str(clash[2]))


def find_deal_for(
    ruleset: JackNineRuleset, q: CountFacts, effort: Effort | None = None
) -> tuple[bool, DealFacts | None, construct.Proof | None]:
    """Whether a deal fits all that is told, and one that does; none where the search was too wide."""
    effort = effort or Effort(STEPS)
    tried, unsure = 0, False
    unplayed: list[tuple[DealFacts, construct.Proof]] = []
    try:
        for facts in islice(list_hypotheses(ruleset, q), MOST_HYPOTHESES):
            tried += 1
            sought = construct.find_deal(ruleset, facts)
            unsure = unsure or sought.broken_off
            if sought.proof is not None and sought.proof.tricks is not None:
                return True, facts, sought.proof
            if sought.proof is not None:
                unplayed.append((facts, sought.proof))
            if len(unplayed) == PATIENCE:
                break
            effort.spend(sought.work)
    except SearchLimit:
        unsure = True
    if unplayed:
        return True, *unplayed[0]
    return unsure or tried == MOST_HYPOTHESES, None, None


def describe_proof(ruleset: JackNineRuleset, facts: DealFacts, found: construct.Proof) -> dict[str, Any]:
    """A deal as an answer tells it: the cards in each side's tricks, those out of play, trumps, and the play.

    `leaders` are the seats that lead the `tricks`; both are empty where only the piles were found.
    """
    sides, ring = ruleset.ring.sides, ruleset.ring
    taken: dict[str, list[Any]] = {side: [] for side in sides}
    if found.tricks is None:
        for side, pile in zip(sides, found.piles, strict=True):
            taken[side] = [card for card in ruleset.pack if card in pile]
    leaders = [leader for leader, _ in found.tricks or ()]
    for number, (_, cards) in enumerate(found.tricks or ()):
        taker = ring.side(leaders[number + 1]) if number + 1 < len(leaders) else facts.last
        taken[taker] += cards
    played = frozenset[Any]().union(*found.piles)
    told: dict[str, Any] = {side: written(cards) for side, cards in taken.items()}
    told["out"] = written(card for card in ruleset.pack if card not in played)
    told["trump"] = str(facts.trump)
    told["leaders"] = leaders
    told["tricks"] = [written(cards) for _, cards in found.tricks or ()]
    return told


def find_conflict(ruleset: JackNineRuleset, q: CountFacts) -> list[str]:
    """Fields of which one has to go, and none without need; in the order of the request's shape."""
    told = [place.attribute for place in fields_of(CountFacts) if getattr(q, place.attribute) != place.absent]
    counts = [name for name in told if name in ("made", "count")]
    kept, effort = list(told), Effort(STEPS)
    for name in [*(one for one in told if one not in counts), *counts]:
        rest = [one for one in kept if one != name]
        if effort.left >= 0 and not _is_possible(ruleset, _keep_statements(q, rest), effort):
            kept = rest
    return kept or counts


def _keep_statements(q: CountFacts, names: list[str]) -> CountFacts:
    """The same question with these statements and no others."""
    absent: dict[str, Any] = {one.name: one.default for one in fields(q) if one.name not in names}
    return replace(q, **absent)


def _is_possible(ruleset: JackNineRuleset, q: CountFacts, effort: Effort) -> bool:
    """Whether any deal fits, the richest deal there is not left out of account."""
    if q.made is not None and q.runs is None and sum(q.made.values()) > ruleset.all_told_most:
        return False
    return find_deal_for(ruleset, q, effort)[0]


def find_bound(ruleset: JackNineRuleset, q: CountFacts) -> count.CountBound | None:
    """The side whose count is mended with the smallest change, all else being right.

    None where there is none, or looking for it takes too long.
    """
    made, effort = _find_made(ruleset, q), Effort(STEPS)

    def could(other: Points) -> bool:
        one = _restate(ruleset, q, made, other)
        can = one is not None and _is_possible(ruleset, one, effort)
        effort.spend()
        return can

    def carried(other: Points) -> bool:
        one = _restate(ruleset, q, made, other)
        return one is not None and _any_fits(ruleset, list_hypotheses(ruleset, one), effort)

    try:
        return _find_smallest_change(ruleset, made, could, carried)
    except SearchLimit:
        return None


def _any_fits(ruleset: JackNineRuleset, ways: Iterable[DealFacts], effort: Effort) -> bool:
    """Whether cards can be shared out by any of these readings. :raises Weary: when the effort is spent."""
    for facts in ways:
        found, work = construct.can_share_out(ruleset, facts)
        effort.spend(work)
        if found:
            return True
    return False


def _find_smallest_change(
    ruleset: JackNineRuleset, made: Points, could: Callable[[Points], bool], carried: Callable[[Points], bool]
) -> count.CountBound | None:
    """The count that is mended with the smallest change, and from where to where that side’s could be."""
    found: tuple[int, str, int] | None = None
    for side in ruleset.ring.sides:
        near = range(max(made[side] - FAR, 0), made[side] + FAR + 1)
        for n in sorted(near, key=lambda n: (abs(n - made[side]), -n))[1:]:
            if found is not None and abs(n - made[side]) >= found[0]:
                break
            if could(_change_count(ruleset, made, side, n)):
                found = (abs(n - made[side]), side, n)
    if found is None:
        return None
    _, side, n = found
    most = max(ruleset.all_told_most, n)
    lower = (one for one in range(n) if carried(_change_count(ruleset, made, side, one)))
    higher = (one for one in range(most, n, -1) if carried(_change_count(ruleset, made, side, one)))
    return count.CountBound(side, next(lower, n), next(higher, n), n, made[side])


def _change_count(ruleset: JackNineRuleset, made: Points, side: Side, n: int) -> Points:
    """Another count for one side; where all cards are dealt its opponents have the rest."""
    if not ruleset.all_dealt:
        return {**made, side: n}
    other = ruleset.ring.others(side)[0]
    return {**made, side: n, other: made[other] + made[side] - n}


@lru_cache(maxsize=4096)
def find_inconsistency(
    ruleset: JackNineRuleset, points: tuple[int, ...], told: RecordedFacts, words: tuple[int, ...]
) -> tuple[Side | None, Message] | None:
    """What is wrong with a recorded deal that no cards carry: the side to mend, and why; None if nothing is.

    `points` by side are of cards, honours and last trick, `words` what melds bring beside them.
    """
    sides = ruleset.ring.sides

    made, effort = dict(zip(sides, points, strict=True)), Effort(STEPS)

    def fits(made: Points) -> bool:
        return _any_fits(ruleset, list_recorded_hypotheses(ruleset, tuple(made.values()), told), effort)

    try:
        if fits(made):
            return None
    except SearchLimit:
        return None
    try:
        found = _find_smallest_change(ruleset, made, fits, lambda made: False)
    except SearchLimit:
        found = None
    if found is None:
        return None, explain_bound(None)
    more = words[sides.index(found.what)]
    return found.what, explain_bound(replace(found, found=found.found + more, nearest=found.nearest + more))


def explain_bound(bound: count.CountBound | None) -> Message:
    """Why no deal fits, though each number by itself could be."""
    if bound is None:
        return Message("No cards can have been dealt and played so that all of this is true.")
    return Message(
        "{found} for {side} cannot be with all else that is told; {nearest} could.",
        found=bound.found,
        side=SideName(bound.what),
        nearest=bound.nearest,
    )


def _find_made(ruleset: JackNineRuleset, q: CountFacts) -> Points:
    if q.made is not None:
        return q.made
    assert q.count is not None
    cards = count.complete_card_points(ruleset, q.count.cards, q.trump or Suit.HEARTS)
    return count.CardCount(cards, q.count.jass, q.count.nine, q.count.last or q.last).made(ruleset)


def _restate(ruleset: JackNineRuleset, q: CountFacts, made: Points, other: Points) -> CountFacts | None:
    """The same question about other counts; None where cards would have to count less than nothing."""
    if min(other.values()) < 0:
        return None
    if q.made is not None:
        return replace(q, made=other)
    assert q.count is not None
    told = count.complete_card_points(ruleset, q.count.cards, q.trump or Suit.HEARTS)
    cards = {side: told[side] + other[side] - made[side] for side in ruleset.ring.sides}
    return None if min(cards.values()) < 0 else replace(q, count=replace(q.count, cards=cards))
