"""Rulings on the score: what a deal comes to, counts that cannot be, calls, penalties, who has won."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.jacknine.deals import side_entries
from companion.jacknine.entries import check_held, collect_sides, has_calls
from companion.jacknine.phases import contest, count, ending, melds, settle
from companion.jacknine.phases.declared_melds import read_declared_run
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.solver import plausibility
from companion.jacknine.solver.facts import UNKNOWN, CountFacts
from companion.jacknine.solver.hypotheses import find_trickless_sides
from companion.rules.cards import NO_TRUMPS, Card, Suit
from companion.rules.message import Message, SideName
from companion.rules.question import Judgement, check_distinct
from companion.rules.schema import Choice, MissingFact, Unreadable
from companion.rules.seats import Side

from . import questions


def rule_on_outcome(ruleset: JackNineRuleset, q: questions.OutcomeFacts) -> Judgement:
    """What a deal comes to, and whether it ends the game."""
    _check_trickless(ruleset, q)
    check_held(ruleset, q.held, "held")
    totals = q.totals or ruleset.zeros()
    made = dict(q.made)
    settled = settle.settle_deal(ruleset, q.declarer, made, q.held, q.dealer)
    after = {side: totals[side] + settled.scored[side] for side in ruleset.ring.sides}
    ended = ending.end_one_deal_game(ruleset, q.declarer, settled) or ending.find_game_end(
        ruleset, after, q.declarer, collect_sides(q.trickless), q.last
    )
    if ended.needs is not None:
        raise MissingFact(ended.needs)
    result, scored, held, dealer = settled.result, settled.scored, settled.held, settled.next_dealer
    side = ruleset.ring.side(q.declarer)
    baited = ending.cite_baited_at_target(ruleset, settled, totals[side] + made[side])
    keys, why = (*settled.keys, *baited, *ended.keys), settled.why
    if ended.verdict == "void":
        result, scored, held, dealer, after = "void", ruleset.zeros(), q.held, q.dealer, dict(totals)
        keys, why = (*ended.keys, "deal.void"), ended.why
    if dealer is None:
        raise MissingFact("dealer")
    stakes = None
    if ended.winner is not None:
        why = Message("{what} {end}", what=why, end=ended.why)
        if ruleset["party"] == "one-deal":
            stakes = ending.find_one_deal_stakes(ruleset, q.declarer, result, ended.winner)
    facts = {
        "scored": dict(scored),
        "totals": after,
        "held": list(held),
        "next_dealer": dealer,
        "status": "finished" if ended.winner else "playing",
        "winner": ended.winner,
        "ended_by": ended.ended_by,
        "may_finish": list(ended.may_finish),
        "stakes": stakes,
    }
    return Judgement(result, facts, why, keys)


def _check_trickless(ruleset: JackNineRuleset, q: questions.OutcomeFacts) -> None:
    """A side without a trick cannot have the last one, nor words where they need a trick."""
    for side in sorted(collect_sides(q.trickless)):
        if side == q.last:
            raise Unreadable("trickless", Message("a side that did not take the last trick"), side)
        if ruleset["words_need_trick"] and q.made[side]:
            raise Unreadable(
                f"made.{side}", Message("0, for without a trick there are no words"), q.made[side]
            )


def rule_on_finish(ruleset: JackNineRuleset, q: questions.FinishFacts) -> Judgement:
    """Whether a call in mid-deal, or when the result is written, ends the game, and for whom."""
    side = ruleset.ring.side(q.caller)
    if q.at == "result":
        called = ending.judge_call_at_result(ruleset, side, q.totals[side])
    elif not has_calls(ruleset):
        called = ending.judge_call_in_play(ruleset, side, 0, 0, tricks=1, took_trick=True, next_card=False)
    else:
        timely = not (q.next_card or q.after_trick == 0 or q.took_trick is False)
        if timely and ruleset["finish"] == "announced" and q.after_trick == ruleset.hand:
            timely = False
        called = ending.judge_call_in_play(
            ruleset,
            side,
            q.totals[side],
            _count_so_far(ruleset, q) if timely else 0,
            tricks=q.after_trick or 0,
            took_trick=timely or q.next_card,
            next_card=q.next_card,
        )
    facts = {"came_to": called.came_to, "needed": called.needed, "winner": called.winner}
    return Judgement(called.verdict, facts, called.why, called.keys)


def _count_so_far(ruleset: JackNineRuleset, q: questions.FinishFacts) -> int:
    """What the caller has at that moment; held points are never in it."""
    for name in ("after_trick", "took_trick", "cards"):
        if getattr(q, name) is None:
            raise MissingFact(name)
    words = q.jass * ruleset.jass_points + q.nine * ruleset.nine_points + q.bela * ruleset.bela_points
    last = ruleset.last_points if q.after_trick == ruleset.hand else 0
    return (q.cards or 0) + words + q.runs + last


def rule_on_winner(ruleset: JackNineRuleset, q: questions.WinnerFacts) -> Judgement:
    """Who has won with these totals."""
    ended = ending.find_game_end(ruleset, q.totals, q.declarer, collect_sides(q.trickless), q.last)
    if ended.needs is not None:
        raise MissingFact(ended.needs)
    sets = None
    keys = ended.keys
    if ended.winner is not None and ruleset.counts_sets:
        won = ending.count_sets(ruleset, q.totals, ended.winner, ended.ended_by)
        sets = ruleset.zeros() | {ended.winner: won}
        keys += ending.cite_sets(ruleset)
    facts: dict[str, Any] = {
        "winner": ended.winner,
        "ended_by": ended.ended_by,
        "may_finish": list(ended.may_finish),
        "sets": sets,
    }
    return Judgement(ended.verdict, facts, ended.why, keys)


def rule_on_pencil(ruleset: JackNineRuleset, q: questions.PencilFacts) -> Judgement:
    """What a wrong writing moves."""
    if q.wrote == q.should:
        raise Unreadable("should", Message("another number than was written"), q.should)
    under = q.wrote < q.should and q.should - q.wrote != ruleset["plain_error"]
    if under and q.cut is None and ruleset["underwrite"] == "stands":
        raise MissingFact("cut")
    moved, keys = side_entries.correct_pencil(ruleset, q.by, q.wrote, q.should, cut=bool(q.cut))
    told = {"by": SideName(q.by), "wrote": q.wrote, "should": q.should}
    if not any(moved.values()):
        why = Message("{by} wrote {wrote} for {should}; the next deal has been cut, so it stands.", **told)
        return Judgement("stands", {"corrections": moved}, why, keys)
    why = Message("{by} wrote {wrote} and should have written {should}.", **told)
    return Judgement("corrected", {"corrections": moved}, why, keys)


def rule_on_dive(ruleset: JackNineRuleset, q: questions.DiveFacts) -> Judgement:
    """Whether a side may offer to double, and what refusing and accepting would cost."""
    good = side_entries.may_dive(ruleset, q.by, q.doubled_last)
    mars = q.stake * 4 if ruleset["mars"] == "on" else None
    facts = {"refused": q.stake, "accepted": q.stake * 2, "accepted_mars": mars}
    told = {"by": SideName(q.by), "stake": q.stake, "double": q.stake * 2}
    if good:
        why = Message(
            "{by} may offer: refused it costs {stake}, accepted the game is worth {double}.", **told
        )
        return Judgement("may-offer", facts, why, ("dive.offer", "dive.refuse", "dive.accept"))
    if ruleset["dive"] == "off":
        why = Message("At this table nobody doubles.")
    else:
        why = Message("{by} doubled last, so only the opponent may offer now.", **told)
    return Judgement("may-not-offer", facts, why, ("dive.offer",))


def rule_on_penalty(ruleset: JackNineRuleset, q: questions.PenaltyFacts) -> Judgement:
    """What an offence costs."""
    check_held(ruleset, q.held, "held")
    own_runs = tuple(ruleset["offences_runs"])
    Choice((*ruleset["offences"], *own_runs)).read(q.offence, "offence", ruleset.table)
    if q.taken_back:
        facts: dict[str, Any] = {"scored": None, "held": list(q.held), "next_dealer": None}
        why = Message("The card was taken back before the trick was turned, so it costs nothing.")
        return Judgement("no-penalty", facts, why, ("penalty.revoke",))
    if q.offence in own_runs:
        facts = {"scored": None, "held": list(q.held), "next_dealer": None}
        why = Message("{by} forfeits the runs; the opponent’s count.", by=SideName(q.by))
        return Judgement("runs-lost", facts, why, (f"run.{q.offence}",))
    points = q.points.cards
    if settle.penalty_takes_melds(ruleset):
        points += q.points.runs + q.points.bela
    settled = settle.settle_penalty(ruleset, q.by, points, q.held, q.dealer, q.offence)
    verdict, facts = settle.describe_penalty(settled)
    return Judgement(verdict, facts, settled.why, settled.keys)


def rule_on_count(ruleset: JackNineRuleset, q: CountFacts) -> Judgement:
    """Whether a deal can carry these counts."""
    if (q.made is None) == (q.count is None):
        raise Unreadable("made", Message("either made or count"))
    check_distinct(q.out, "out")
    plausibility.check_facts(ruleset, q)
    trumps = [q.trump] if q.trump else [*Suit, *([NO_TRUMPS] if ruleset.no_trumps else [])]
    made: Mapping[Side, int] | None = None
    total: int | None = None
    if q.count is not None:
        trumps = _list_fitting_trumps(ruleset, q.count, q.out, trumps)
        tallies = [_complete_count(ruleset, q.count, q.last, trump) for trump in trumps]
        counts = {tuple(one.made(ruleset).items()) for one in tallies}
        if len(counts) > 1:
            raise MissingFact("trump")
        made = dict(*counts)
        total = sum(made.values())
        checked = zip(tallies, trumps, strict=True)
        bounds = {count.check_card_count(ruleset, told, q.out, trump) for told, trump in checked}
    else:
        assert q.made is not None
        known = _find_known_melds(ruleset, q)
        if known.runs and known.bela:
            total = sum(q.made.values()) - sum(known.points.values())
        bounds = {count.check_whole_counts(ruleset, q.made, known, q.last, q.out, trump) for trump in trumps}
    if len(bounds) > 1:
        raise MissingFact("trump")
    (bound,) = bounds
    told: dict[str, Any] = {"proof": None, "conflict": []}
    if bound is None:
        can_be, facts, found = plausibility.find_deal_for(ruleset, q)
        why = Message("Cards that come to these counts can have been played.")
        if found is not None and facts is not None:
            told["proof"] = plausibility.describe_proof(ruleset, facts, found)
    else:
        can_be, why = False, bound.reason
    if not can_be:
        told["conflict"] = plausibility.find_conflict(ruleset, q)
    if not can_be and bound is None:
        bound = plausibility.find_bound(ruleset, q) if {"made", "count"} & set(told["conflict"]) else None
        why = plausibility.explain_bound(bound)
    answer = {
        "sum": total,
        "bound": None if bound is None else {"what": bound.what, "min": bound.least, "max": bound.most},
        "nearest": None if bound is None else bound.nearest,
        "made": None if made is None else dict(made),
        **told,
    }
    return Judgement("possible" if can_be else "impossible", answer, why, ("score.doubtful-count",))


def _complete_count(
    ruleset: JackNineRuleset, told: count.CardCount, last: Side | None, trump: str
) -> count.CardCount:
    """The itemised count of a whole deal, nothing left out."""
    cards = count.complete_card_points(ruleset, told.cards, trump)
    for side in ruleset.ring.sides:
        if side not in cards:
            raise MissingFact(f"count.cards.{side}")
    if told.last is None and last is None:
        raise MissingFact("count.last")
    if told.last and last not in (None, told.last):
        raise Unreadable("last", Message("the side that the count names"), last)
    for word in ruleset.honours(trump):
        if ruleset.all_dealt and getattr(told, word) is None:
            raise MissingFact(f"count.{word}")
    return count.CardCount(cards, told.jass, told.nine, told.last or last)


def _list_fitting_trumps(
    ruleset: JackNineRuleset, told: count.CardCount, out: Collection[Card], trumps: Sequence[str]
) -> list[str]:
    """What can be trumps while no side has the word of a card that is out of play, or is none."""
    fitting = list(trumps)
    for trump in trumps:
        honours = ruleset.honours(trump)
        for word in ("jass", "nine"):
            card = honours.get(word)
            if getattr(told, word) is not None and (card is None or card in out):
                fitting = [one for one in fitting if one != trump]
                refused = Unreadable(
                    f"count.{word}", Message("null, for {card} was out of play", card=card or word)
                )
    if not fitting:
        raise refused
    return fitting


def _find_known_melds(ruleset: JackNineRuleset, q: CountFacts) -> count.KnownMelds:
    """What is known of the runs and bela in whole counts; runs that elder hand would decide are not."""
    runs = tuple(read_declared_run(ruleset, one, f"runs[{i}]") for i, one in enumerate(q.runs or ()))
    clash = melds.find_overlap(ruleset, runs)
    if clash:
        raise Unreadable("runs", Message("runs that share no card"), str(clash[2]))
    without = find_trickless_sides(ruleset, q)
    standing = contest.compare_melds(ruleset, runs, None, q.trump or NO_TRUMPS, without)
    words = dict(standing.points)
    if q.bela not in (None, UNKNOWN):
        words[ruleset.ring.side(q.bela)] += ruleset.bela_points
    if ruleset["words_need_trick"]:
        words |= dict.fromkeys(without, 0)
    told = q.runs is not None and standing.needs is None and not ruleset.fours
    return count.KnownMelds(words, runs=told, bela=q.bela != UNKNOWN)
