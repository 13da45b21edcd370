"""Rulings on counts: whether a deal can have them, with a deal as proof."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from companion.jacknine.entries import check_card_count
from companion.jacknine.phases import capot, contest, count
from companion.jacknine.phases.melds import (
    Four,
    describe_worthless_fours,
    loses_melds_without_trick,
    read_declared_fours,
    read_declared_run,
    resolve_overlaps,
)
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.solver import plausibility
from companion.jacknine.solver.facts import UNKNOWN, CountFacts, knows_melds
from companion.jacknine.solver.hypotheses import find_trickless_sides
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message
from companion.rules.question import Judgement, check_distinct
from companion.rules.seats import Side


def rule_on_count(ruleset: JackNineRuleset, facts: CountFacts) -> Judgement:
    """Rule on whether a deal can have these counts.

    Verdict `possible` with a deal as proof, `impossible` with the facts that exclude each other, else
    `undecided`.

    Rule keys: `score.doubtful-count`, `score.rest`, `fours.values`.
    """
    if (facts.made is None) == (facts.count is None):
        raise Unreadable("made", Message("given without count, or left out beside it"))
    if facts.trump is None and ruleset.no_trumps and ruleset.no_trumps_fours and facts.fours:
        raise MissingFact("trump")
    if facts.trump is None and len(facts.belas) > 1:  # which there are with all trumps alone
        facts = replace(facts, trump=ALL_TRUMPS)
    ruleset = ruleset.at(facts.trump)
    is_counted = facts.count is not None
    if facts.count is not None:
        check_card_count(ruleset, facts.count, "count")
        facts = _restate_points(ruleset, facts, facts.count)
    facts = _complete_capot(ruleset, facts)
    check_distinct(facts.out, "out")
    plausibility.check_facts(ruleset, facts)
    facts = _drop_excluded(ruleset, facts)
    trumps = [facts.trump] if facts.trump else [*Suit, *ruleset.table.further_trumps]
    made, total, bounds = (
        _check_whole_counts(ruleset, facts, trumps)
        if facts.count is None
        else _check_card_counts(ruleset, facts, facts.count, trumps)
    )
    if len(bounds) > 1:
        raise MissingFact("trump")
    made = facts.made if is_counted and made is None else made
    (bound,) = bounds
    described: dict[str, object] | None = None
    conflict: list[str] = []
    possible, proved = False, True
    if bound is None:
        finding = plausibility.find_deal_for(ruleset, facts)
        possible, proved = not finding.refuted, finding.refuted
        why = Message("Whether cards that come to these counts can have been played could not be decided.")
        if finding.found is not None:
            proved, described = True, plausibility.describe_proof(ruleset, finding.found)
            why = Message("Cards that come to these counts can have been played.")
    else:
        why = bound.reason
    if not possible:
        conflict = _find_conflict(ruleset, facts, is_counted=is_counted)
    if not possible and bound is None:
        bound = plausibility.find_bound(ruleset, facts) if {"made", "count"} & set(conflict) else None
        why = plausibility.explain_bound(bound)
    answer = {
        "sum": total,
        "bound": None if bound is None else {"what": bound.what, "min": bound.least, "max": bound.most},
        "nearest": None if bound is None else bound.nearest,
        "made": None if made is None else dict(made),
        "proved": proved,
        "proof": described,
        "conflict": conflict,
    }
    why, of_fours = describe_worthless_fours(ruleset, facts.fours or (), why)
    rest = ("score.rest",) if _is_filled_in(ruleset, facts) else ()
    keys = ("score.doubtful-count", *rest, *of_fours)
    verdict = "impossible" if not possible else "possible" if proved else "undecided"
    return Judgement(verdict, answer, why, keys)


def _restate_points(ruleset: JackNineRuleset, facts: CountFacts, counted: count.CardCount) -> CountFacts:
    """Restate the question in whole counts without melds, if all that tricks bring was counted."""
    if counted.points is None:
        return facts
    trump = facts.trump or Suit.HEARTS
    if facts.trump is None and ruleset.all_trumps and len(set(map(ruleset.sum_cards, ruleset.suits))) > 1:
        raise MissingFact("trump")
    made = count.complete_points(ruleset, counted.points, trump)
    for side in ruleset.ring.sides:
        if side not in made:
            raise MissingFact(f"count.points.{side}")
    made = ruleset.scale_sides(made, trump)
    return replace(facts, count=None, made=made, runs=(), fours=(), bela=None)


def _find_conflict(ruleset: JackNineRuleset, facts: CountFacts, *, is_counted: bool) -> list[str]:
    """Find the fields of which one must be wrong, as stated: a count by points was restated without melds."""
    conflict = plausibility.find_conflict(ruleset, facts)
    if not is_counted or facts.made is None:
        return conflict
    stated = [name for name in conflict if name not in ("runs", "fours", "bela")]
    return ["count" if name == "made" else name for name in stated]


def _complete_capot(ruleset: JackNineRuleset, facts: CountFacts) -> CountFacts:
    """Restate the question in whole counts with a capot counted in full."""
    trickless = frozenset(find_trickless_sides(ruleset, facts.known_tricks))
    if not ruleset.has_capot or facts.made is None or not trickless:
        return facts
    known = _find_known_melds(ruleset, facts)
    sweep = capot.find_sweep(ruleset, facts.made, known, facts.trump or Suit.HEARTS)
    if sweep is None or sweep.others != trickless:
        return facts
    return replace(facts, made=capot.add_last_of_all(facts.made, sweep.side, sweep.missing))


def _drop_excluded(ruleset: JackNineRuleset, facts: CountFacts) -> CountFacts:
    """Restate the question without the melds that count nothing beside others of their hand."""
    runs = [read_declared_run(ruleset, run, f"runs[{i}]") for i, run in enumerate(facts.runs or ())]
    fours = read_declared_fours(ruleset, facts.fours or (), "fours")
    _counting, excluded = resolve_overlaps(ruleset, [*runs, *fours])
    if not excluded:
        return facts
    declared = zip(facts.runs or (), runs, strict=True)
    counted_runs = tuple(run for run, meld in declared if not any(meld is other for other in excluded))
    counted_fours = tuple(four for four in facts.fours or () if Four(four.seat, four.rank) not in excluded)
    return replace(facts, runs=counted_runs, fours=None if facts.fours is None else counted_fours)


CheckedCounts = tuple[Mapping[Side, int] | None, int | None, set[count.CountBound | None]]
"""The points of each side, the sum of the cards, and the bounds that exclude the counts; None if unknown."""


def _check_card_counts(
    ruleset: JackNineRuleset, facts: CountFacts, counted: count.CardCount, trumps: Sequence[str]
) -> CheckedCounts:
    """Check counts of cards and honours by themselves.

    :raises MissingFact: for trumps, if they decide.
    """
    trumps = _list_fitting_trumps(ruleset, counted, facts.out, trumps)
    counts = [_complete_count(ruleset, counted, facts.last, trump) for trump in trumps]
    every = ruleset.find_capot(find_trickless_sides(ruleset, facts.known_tricks)) is not None
    totals = {
        tuple(ruleset.scale_sides(cards.made(ruleset, trump, capot=every), trump).items())
        for cards, trump in zip(counts, trumps, strict=True)
    }
    if len(totals) > 1:
        raise MissingFact("trump")
    made: Mapping[Side, int] = dict(*totals)
    bounds = {
        count.check_card_count(ruleset, cards, facts.out, trump, capot=every)
        for cards, trump in zip(counts, trumps, strict=True)
    }
    return made, sum(made.values()), bounds


def _check_whole_counts(ruleset: JackNineRuleset, facts: CountFacts, trumps: Sequence[str]) -> CheckedCounts:
    """Check counts with melds and bela in them by themselves."""
    assert facts.made is not None
    known = _find_known_melds(ruleset, facts)
    total = sum(facts.made.values()) - sum(known.points.values()) if known.runs and known.bela else None
    trickless = find_trickless_sides(ruleset, facts.known_tricks)
    bounds = {
        count.check_whole_counts(
            ruleset,
            facts.made,
            known,
            facts.last,
            facts.out,
            trump,
            trickless,
            shared=facts.trickless is None,
        )
        for trump in trumps
    }
    return None, total, bounds


def _is_filled_in(ruleset: JackNineRuleset, facts: CountFacts) -> bool:
    """True if the card points of one side follow from the other's."""
    return facts.count is not None and len(facts.count.card_points) < len(ruleset.ring.sides)


def _complete_count(
    ruleset: JackNineRuleset, counted: count.CardCount, last: Side | None, trump: str
) -> count.CardCount:
    """Complete the itemised count of a whole deal.

    :raises MissingFact: if something is left out.
    """
    cards = count.complete_card_points(ruleset, counted.card_points, trump)
    for side in ruleset.ring.sides:
        if side not in cards:
            raise MissingFact(f"count.cards.{side}")
    if counted.last is None and last is None:
        raise MissingFact("count.last")
    if counted.last and last not in (None, counted.last):
        raise Unreadable("last", Message("the side that the count names"), last)
    for word in ruleset.honours(trump):
        if ruleset.all_dealt and getattr(counted, word) is None:
            raise MissingFact(f"count.{word}")
    return count.CardCount(cards, counted.jass, counted.nine, counted.last or last)


def _list_fitting_trumps(
    ruleset: JackNineRuleset, counted: count.CardCount, out: Collection[Card], trumps: Sequence[str]
) -> list[str]:
    """List possible trumps: no side can have the word of a card that is out of play."""
    fitting = list(trumps)
    for trump in trumps:
        honours = ruleset.honours(trump)
        for word in ("jass", "nine"):
            card = honours.get(word)
            if getattr(counted, word) is not None and (card is None or card in out):
                fitting = [other for other in fitting if other != trump]
                refused = Unreadable(
                    f"count.{word}", Message("null, as {card} was out of play", card=card or word)
                )
    if not fitting:
        raise refused
    return fitting


def _find_known_melds(ruleset: JackNineRuleset, facts: CountFacts) -> count.KnownMelds:
    """Find the known runs and bela in whole counts, without runs that elder hand would decide."""
    runs = tuple(read_declared_run(ruleset, run, f"runs[{i}]") for i, run in enumerate(facts.runs or ()))
    trickless = find_trickless_sides(ruleset, facts.known_tricks)
    fours = read_declared_fours(ruleset, facts.fours or (), "fours")
    decision = contest.compare_melds(ruleset, [*runs, *fours], None, facts.trump or NO_TRUMPS, trickless)
    points = dict(decision.points)
    pairs = len(ruleset.pairs(facts.trump or Suit.HEARTS))
    for seat in facts.belas[:pairs]:
        points[ruleset.ring.side(seat)] += ruleset.bela_points
    if ruleset["words_need_trick"]:
        points |= dict.fromkeys(trickless, 0)
    runs_known = knows_melds(ruleset, facts) and decision.needs is None
    bela_known = facts.bela != UNKNOWN
    for side in ruleset.ring.sides:
        # A side with so little may have no trick, and then not what is lost with that.
        poor = facts.made is not None and facts.made[side] <= ruleset.bela_points
        if poor and side not in (facts.known_tricks or {}) and loses_melds_without_trick(ruleset):
            runs_known = runs_known and not decision.points[side]
            points[side] -= decision.points[side]
            if ruleset["words_need_trick"]:
                bela_known, points[side] = bela_known and not points[side], 0
    return count.KnownMelds(points, runs=runs_known, bela=bela_known)
