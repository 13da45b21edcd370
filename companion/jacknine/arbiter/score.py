"""Rulings on the score: the result of a deal, calls, penalties, the winner."""

from collections.abc import Sequence
from dataclasses import replace

from companion.jacknine.deals import side_entries
from companion.jacknine.entries import (
    FREE_MELDS,
    check_held,
    collect_seats,
    collect_sides,
    explain_foreign_bid,
    has_calls,
    sum_false_melds,
)
from companion.jacknine.game_file import DEALING_OFFENCES
from companion.jacknine.phases import capot, contest, count, ending, penalties, settle, settle_bid
from companion.jacknine.phases.bela import explain_pairs
from companion.jacknine.phases.bidding import EVERY_TRICK, GENERALE, MAX_BID, Bid, drop_capot_bonus
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import ALL_TRUMPS, Suit
from companion.rules.errors import Missing, MissingFact, Unreadable
from companion.rules.message import Message, SideName, Word
from companion.rules.question import Judgement
from companion.rules.schema import Choice
from companion.rules.seats import Side

from . import questions


def rule_on_outcome(ruleset: JackNineRuleset, facts: questions.OutcomeFacts) -> Judgement:
    """Rule on the result of a deal, and on whether it ends the game.

    Rule keys: those of `settle_deal`, `find_game_end` and `find_next_game_dealer`, and `deal.void`.

    :raises MissingFact: for bela, a trick of the side without points, the last one or the dealer, if one of
        them decides.
    """
    facts, trickless = _find_trickless(ruleset, facts)
    _check_trickless(ruleset, facts)
    _check_sums(ruleset, facts)
    check_held(ruleset, facts.held, "held")
    if facts.false_melds and not ruleset.charges_false_melds:
        raise Unreadable("false_melds", Message("left out: {why}", why=FREE_MELDS))
    totals = facts.totals or ruleset.zeros()
    trump, bela = facts.trump or Suit.HEARTS, _find_belas(ruleset, facts)
    swept = ruleset.find_capot(trickless)
    bid = _read_bid(ruleset, facts.points, facts.double)
    counted = facts.made
    if bid is not None:
        bid = _complete_bid(ruleset, facts, bid, swept, bela)
        counted = drop_capot_bonus(ruleset, counted, bid.points, swept, trump)
    made = contest.pass_meld_points(ruleset, counted, bela, trickless)
    false_melds = sum_false_melds(ruleset, facts.false_melds)
    settlement = settle.settle_deal(
        ruleset,
        facts.declarer,
        made,
        facts.held,
        facts.dealer,
        bela=bela,
        false_melds=false_melds,
        bid=bid,
        trickless=dict.fromkeys(trickless, 1),
    )
    after = {side: totals[side] + settlement.scored[side] for side in ruleset.ring.sides}
    loser = ruleset.ring.side(facts.declarer) if settlement.result == "bait" else None
    denied = ending.find_denied(ruleset, after, bela, loser, trickless, ())
    end = ending.end_one_deal_game(ruleset, facts.declarer, settlement) or ending.find_game_end(
        ruleset, after, facts.declarer, trickless, facts.last, played=facts.played, denied=denied
    )
    if end.needs is not None:
        raise MissingFact(end.needs)
    result, scored = settlement.result, settlement.scored
    held, dealer = settlement.held, settlement.next_dealer
    side = ruleset.ring.side(facts.declarer)
    baited = ending.cite_baited_at_target(ruleset, settlement, totals[side] + made[side])
    keys, why = (*settlement.keys, *baited, *end.keys), settlement.why
    if end.verdict == "void":
        result, scored, held, dealer, after = "void", ruleset.zeros(), facts.held, facts.dealer, dict(totals)
        keys, why = (*end.keys, "deal.void"), end.why
    stakes = None
    if end.winner is not None:
        dealer, by = ending.find_next_game_dealer(ruleset, end.winner, dealer)
        keys += by
        why = Message("{what} {end}", what=why, end=end.why)
        if ruleset["party"] == "one-deal":
            stakes = ending.find_one_deal_stakes(ruleset, facts.declarer, result, end.winner)
    if dealer is None:
        raise MissingFact("dealer")
    if facts.bela and not bela:
        word = Word(ruleset.book.words["bela"])
        why = Message("{what} {bela} counts nothing in this deal.", what=why, bela=word)
        keys += ("bela.contracts",)
    answer: dict[str, object] = {
        "scored": dict(scored),
        "totals": after,
        "held": list(held),
        "next_dealer": dealer,
        "status": "finished" if end.winner else "playing",
        "winner": end.winner,
        "ended_by": end.ended_by,
        "may_finish": list(end.may_finish),
        "stakes": stakes,
    }
    if ruleset.describes_needed:
        answer |= {"needed": settle_bid.find_needed(ruleset, made, bid), "capot": swept}
        keys += ("score.capot",) if swept else ()
    return Judgement(result, answer, why, keys)


def _complete_bid(
    ruleset: JackNineRuleset,
    facts: questions.OutcomeFacts,
    bid: Bid,
    swept: Side | None,
    bela: Sequence[Side],
) -> Bid:
    """The bid with what its amount depends on; `swept` is the side with every trick.

    :raises MissingFact: for what decides: whether the declarer took every trick alone, whose melds are in it.
    """
    side, trump = ruleset.ring.side(facts.declarer), facts.trump or Suit.HEARTS
    melds = sum(facts.made.values()) - ruleset.sum_deal(swept is not None, trump)
    melds -= ruleset.bela_points * len(bela)
    if bid.points == GENERALE and swept == side and facts.alone is None:
        raise MissingFact("alone")
    if facts.alone and bid.points == GENERALE and swept != side:
        raise Unreadable("alone", Message("false, as a trick was lost"), facts.alone)
    discounted = 0
    if ruleset["helps_bid"] != "all":
        discounted = ruleset.bela_points * bela.count(side)
    if ruleset["helps_bid"] == "cards" and melds and bid.points not in EVERY_TRICK:
        if facts.melds is None:
            raise MissingFact("melds")
        heir = swept == side and ruleset["trickless"] == "runs-pass"
        discounted += melds * (facts.melds == side or heir)
    return replace(
        bid,
        melds=melds,
        capot=swept,
        alone=bool(facts.alone),
        discounted=discounted,
        whole=ruleset.sum_deal(True, trump),
    )


def _read_bid(
    ruleset: JackNineRuleset, points: int | str | None, double: int, name: str = "points"
) -> Bid | None:
    """Read the bid; None if no points are bid.

    :raises MissingFact: if it is missing.
    :raises Unreadable: if it could not be bid at this table.
    """
    if not ruleset.bids_points:
        return None
    if points is None:
        raise MissingFact(name)
    for place, _key, why in explain_foreign_bid(ruleset, points, double):
        if place == "points" and type(points) is int and points > (ruleset["highest_bid"] or MAX_BID):
            raise Unreadable(name, Message("{most} at most, or capot", most=ruleset["highest_bid"]), points)
        if place == "points":
            raise Unreadable(name, Message("what can be bid here ({why})", why=why), points)
        raise Unreadable(place, Message("1, 2 or {times}", times=ruleset["redouble"]), double)
    return Bid(points, double)


def _find_trickless(
    ruleset: JackNineRuleset, facts: questions.OutcomeFacts
) -> tuple[questions.OutcomeFacts, frozenset[Side]]:
    """The facts, with a capot counted in full, and the sides without a trick.

    These are as stated or, in games that count a capot, as the sum shows.

    :raises MissingFact: if they are unknown, and for bela if that depends on the sum.
    """
    trickless = collect_sides(facts.trickless)
    if not ruleset.has_capot:
        return facts, trickless
    trump, bela = facts.trump or Suit.HEARTS, _find_belas(ruleset, facts)
    own = {side: ruleset.bela_points * bela.count(side) for side in ruleset.ring.sides}
    if not ruleset.all_dealt:
        bare = [side for side in ruleset.ring.sides if facts.made[side] <= own[side] and side != facts.last]
        if bare and facts.trickless == ():
            raise MissingFact("trickless", capot.explain_unknown_tricks(ruleset, bare[:1]))
        return facts, trickless
    known = count.KnownMelds(own, runs=not ruleset.run_points, bela=bool(bela))
    if len(ruleset.ring.sides) > 2:
        return _find_trickless_of_several(ruleset, facts, known, trump)
    takers = () if facts.last is None else (facts.last,)
    sweep = capot.find_sweep(ruleset, facts.made, known, trump, takers)
    if not ruleset.run_points:
        sums, more = count.find_deal_sums(ruleset, trump=trump), range(len(bela), len(ruleset.pairs(trump)))
        if any(sum(facts.made.values()) - ruleset.bela_points * (n + 1) in sums for n in more):
            raise MissingFact("bela")
    if sweep is None or facts.trickless is None:
        return facts, trickless
    if trickless:
        if trickless == sweep.others:
            facts = replace(facts, made=capot.add_last_of_all(facts.made, sweep.side, sweep.missing))
        return facts, trickless
    if sweep.is_capot:
        made = capot.add_last_of_all(facts.made, sweep.side, sweep.missing)
        return replace(facts, made=made), sweep.others
    if capot.hangs_on_tricks(ruleset, sweep, facts.made, facts.points, bela):
        raise MissingFact("trickless", capot.explain_sweep(ruleset, sweep, trump))
    return facts, trickless


def _find_belas(ruleset: JackNineRuleset, facts: questions.OutcomeFacts) -> tuple[Side, ...]:
    """The side of each bela that counts with these trumps.

    :raises MissingFact: for trumps, if several are told.
    :raises Unreadable: if more are told than there are pairs.
    """
    stated, trump = collect_seats(facts.bela), facts.trump or Suit.HEARTS
    pairs = len(ruleset.pairs(trump))
    if facts.trump is None and len(stated) > 1:
        raise MissingFact("trump")
    if len(stated) > pairs and trump != ALL_TRUMPS:
        why, key = explain_pairs(ruleset, trump)
        expected = Message("one for each pair of trumps: {why} ({rule})", why=why, rule=ruleset.cite_one(key))
        raise Unreadable("bela", expected, list(stated))
    return tuple(map(ruleset.ring.side, stated[:pairs]))


def _find_trickless_of_several(
    ruleset: JackNineRuleset, facts: questions.OutcomeFacts, known: count.KnownMelds, trump: str
) -> tuple[questions.OutcomeFacts, frozenset[Side]]:
    """The facts of a deal among several sides, with a capot counted in full, and the sides without a trick.

    :raises MissingFact: if all but one side may be without a trick.
    """
    sides, trickless = ruleset.ring.sides, collect_sides(facts.trickless)
    plain, every = capot.fit_last_trick(ruleset, facts.made, known, trump)
    bare = [side for side in sides if facts.made[side] <= known.points[side] and side != facts.last]
    if facts.trickless == () and len(bare) == len(sides) - 1:
        if plain or not every:
            raise MissingFact("trickless", capot.explain_unknown_tricks(ruleset, bare))
        trickless = frozenset(bare)
    swept = ruleset.find_capot(trickless)
    if swept is not None and plain and not every:
        facts = replace(facts, made=capot.add_last_of_all(facts.made, swept, ruleset.capot_extra(trump)))
    return facts, trickless


def _know_no_melds(ruleset: JackNineRuleset) -> count.KnownMelds:
    """Find the known melds in whole counts that state none."""
    return count.KnownMelds(ruleset.zeros(), runs=not ruleset.run_points, bela=False)


def _check_trickless(ruleset: JackNineRuleset, facts: questions.OutcomeFacts) -> None:
    """Refuse a side without a trick that has the last one, or points that only tricks bring."""
    unknown = _know_no_melds(ruleset)
    _check_last(facts)
    for side in sorted(collect_sides(facts.trickless)):
        possible = count.find_trickless_sums(ruleset, side, unknown, facts.trump or Suit.HEARTS)
        if {*possible} == {0} and facts.made[side]:
            raise Unreadable(
                f"made.{side}", Message("0, because without a trick there are no words"), facts.made[side]
            )
        if facts.made[side] not in possible:
            nearest = count.find_nearest(possible, facts.made[side])
            only = Message("what melds alone can bring without a trick, such as {points}", points=nearest)
            raise Unreadable(f"made.{side}", only, facts.made[side])


def _check_last(facts: questions.OutcomeFacts | questions.WinnerFacts) -> None:
    """Refuse a side without a trick that has the last one."""
    if facts.last in collect_sides(facts.trickless):
        raise Unreadable("trickless", Message("a side that did not take the last trick"), facts.last)


def _check_sums(ruleset: JackNineRuleset, facts: questions.OutcomeFacts) -> None:
    """Refuse counts that no deal can carry, whatever its melds and trumps, as a record does."""
    unknown, trickless = _know_no_melds(ruleset), collect_sides(facts.trickless)
    trumps = [facts.trump or Suit.HEARTS]
    if facts.trump is None and not ruleset.all_trumps:
        trumps += ruleset.table.further_trumps
    bounds = [
        count.check_whole_counts(
            ruleset, facts.made, unknown, facts.last, (), trump, trickless, shared=facts.trickless is None
        )
        for trump in trumps
    ]
    bound = bounds[0]
    if bound is None or None in bounds:
        return
    place = "made" if bound.what == "sum" else f"made.{bound.what}"
    raise Unreadable(place, Message("what a deal can bring ({why})", why=bound.reason))


def rule_on_finish(ruleset: JackNineRuleset, facts: questions.FinishFacts) -> Judgement:
    """Rule on whether a call in mid-deal, or with the written result, ends the game, and for whom.

    Rule keys: `end.finish`, `end.count`, `end.false`, `end.finish-when`.
    """
    check_held(ruleset, facts.held, "held")
    side = ruleset.ring.side(facts.caller)
    if facts.at == "result":
        ruling = ending.judge_call_at_result(ruleset, side, facts.totals[side])
    else:
        if (facts.after_trick or 0) > ruleset.hand:
            expected = Message("a whole number from {least} to {most}", least=0, most=ruleset.hand)
            raise Unreadable("after_trick", expected, facts.after_trick)
        too_late = facts.next_card or facts.after_trick == 0 or facts.took_trick is False
        timely = has_calls(ruleset) and not too_late
        if timely and ruleset["finish"] == "announced" and facts.after_trick == ruleset.hand:
            timely = False
        ruling = ending.judge_call_in_play(
            ruleset,
            side,
            facts.totals[side],
            _count_so_far(ruleset, facts) if timely else 0,
            tricks=facts.after_trick or 0,
            took_trick=timely or facts.next_card,
            next_card=facts.next_card,
        )
    answer = {"came_to": ruling.came_to, "needed": ruling.needed, "winner": ruling.winner}
    return Judgement(ruling.verdict, answer, ruling.why, ruling.keys)


def _count_so_far(ruleset: JackNineRuleset, facts: questions.FinishFacts) -> int:
    """Count the caller's points at that moment; held points never count."""
    for name in ("after_trick", "took_trick", "cards"):
        if getattr(facts, name) is None:
            raise MissingFact(name)
    words = (
        facts.jass * ruleset.jass_points + facts.nine * ruleset.nine_points + facts.bela * ruleset.bela_points
    )
    last = ruleset.last_points if facts.after_trick == ruleset.hand else 0
    return (facts.cards or 0) + words + facts.runs + last


def rule_on_winner(ruleset: JackNineRuleset, facts: questions.WinnerFacts) -> Judgement:
    """Rule on who has won with these totals, and on the number of sets.

    Rule keys: those of `find_game_end`, `sets.win`, `sets.mars`.
    """
    _check_last(facts)
    end = ending.find_game_end(
        ruleset,
        facts.totals,
        facts.declarer,
        collect_sides(facts.trickless),
        facts.last,
        played=facts.played,
        denied=collect_sides(facts.by_belote) | collect_sides(facts.by_bela)
        if ruleset.has_option("bela_out", "trick")
        else (),
    )
    if end.needs is not None:
        raise MissingFact(end.needs)
    sets = None
    keys = end.keys
    if end.winner is not None and ruleset.counts_sets:
        won = ending.count_sets(ruleset, facts.totals, end.winner, end.ended_by)
        sets = ruleset.zeros() | {end.winner: won}
        keys += ending.cite_sets(ruleset)
    answer: dict[str, object] = {
        "winner": end.winner,
        "ended_by": end.ended_by,
        "may_finish": list(end.may_finish),
        "sets": sets,
    }
    return Judgement(end.verdict, answer, end.why, keys)


def rule_on_pencil(ruleset: JackNineRuleset, facts: questions.PencilFacts) -> Judgement:
    """Rule on the correction of a writing mistake.

    Rule keys: `penalty.pencil`, `penalty.hundreds`, `penalty.corrections`.
    """
    if facts.wrote == facts.should:
        why = Message("{by} wrote {wrote}, as it should be.", by=SideName(facts.by), wrote=facts.wrote)
        return Judgement("stands", {"corrections": ruleset.zeros()}, why, ("penalty.corrections",))
    under = facts.wrote < facts.should and facts.should - facts.wrote != ruleset["plain_error"]
    if under and facts.cut is None and ruleset["underwrite"] == "stands":
        raise MissingFact("cut")
    moved, keys = side_entries.correct_pencil(
        ruleset, facts.by, facts.wrote, facts.should, cut=bool(facts.cut)
    )
    numbers = {"by": SideName(facts.by), "wrote": facts.wrote, "should": facts.should}
    if not any(moved.values()):
        why = Message("{by} wrote {wrote} for {should}; the next deal has been cut, so it stands.", **numbers)
        return Judgement("stands", {"corrections": moved}, why, keys)
    why = Message("{by} wrote {wrote} and should have written {should}.", **numbers)
    return Judgement("corrected", {"corrections": moved}, why, keys)


def rule_on_dive(ruleset: JackNineRuleset, facts: questions.DiveFacts) -> Judgement:
    """Rule on whether a side may offer to double, and on the cost of refusing and accepting.

    Rule keys: `dive.offer`, `dive.refuse`, `dive.accept`; `sets.win` or `end.one-deal` if nobody doubles
    here.
    """
    allowed = side_entries.may_dive(ruleset, facts.by, facts.doubled_last)
    mars = facts.stake * 4 if ruleset["mars"] == "on" else None
    answer = {"refused": facts.stake, "accepted": facts.stake * 2, "accepted_mars": mars}
    numbers = {"by": SideName(facts.by), "stake": facts.stake, "double": facts.stake * 2}
    if allowed:
        why = Message(
            "{by} may offer: if refused it costs {stake}, if accepted the game is worth {double}.", **numbers
        )
        return Judgement("may-offer", answer, why, ("dive.offer", "dive.refuse", "dive.accept"))
    if ruleset["dive"] == "off":
        why = Message("At this table nobody doubles.")
        return Judgement("may-not-offer", answer, why, (side_entries.cite_plain_stake(ruleset),))
    why = Message("{by} doubled last, so only the opponent may offer now.", **numbers)
    return Judgement("may-not-offer", answer, why, ("dive.offer",))


def rule_on_penalty(ruleset: JackNineRuleset, facts: questions.PenaltyFacts) -> Judgement:
    """Rule on the cost of an offence.

    Rule keys: those of `settle_penalty`, `run.rost-needless` if it costs only runs, and `deal.wrong` for a
    wrong deal that is found too late.
    """
    check_held(ruleset, facts.held, "held")
    own_runs = tuple(ruleset["offences_runs"])
    Choice((*ruleset["offences"], *own_runs)).read(facts.offence, "offence", ruleset.table)
    answer: dict[str, object] = {"scored": None, "held": list(facts.held), "next_dealer": None}
    if facts.taken_back and facts.offence not in DEALING_OFFENCES:
        why = Message("The card was taken back before the trick was turned, so it costs nothing.")
        return Judgement("no-penalty", answer, why, ("penalty.revoke",))
    if facts.offence in own_runs:
        why = Message("Whoever asked without need forfeits their own runs; the other runs stand.")
        return Judgement("runs-lost", answer, why, (f"run.{facts.offence}",))
    if facts.offence in DEALING_OFFENCES and facts.played and ruleset.book.knows("deal.wrong"):
        why = Message("A card had been played, so the deal stands unless all agree to a new one.")
        return Judgement("no-penalty", answer, why, ("deal.wrong",))
    if facts.offence in DEALING_OFFENCES:
        return _rule_on_misdeal(ruleset, facts)
    points, bela = _find_stock(ruleset, facts), tuple(map(ruleset.ring.side, collect_seats(facts.bela)))
    bid = _read_bid(ruleset, facts.points_bid, facts.double, "points_bid")
    if bid is not None and facts.points is not None:
        bid = replace(bid, melds=facts.points.runs)
    own = {side: ruleset.bela_points * bela.count(side) for side in bela}
    settlement = penalties.settle_penalty(
        ruleset, facts.by, points, facts.held, facts.dealer, facts.offence, bela, bid, melds=own
    )
    return Judgement(*penalties.describe_penalty(settlement), settlement.why, settlement.keys)


def _rule_on_misdeal(ruleset: JackNineRuleset, facts: questions.PenaltyFacts) -> Judgement:
    """Rule on the cost of a wrong deal; at some tables only one found after the bidding costs points.

    :raises MissingFact: for the bid, or whether the bidding was over.
    """
    bid = None
    if ruleset.has_option("misdeal", "after-bid") and facts.taken is not False:
        if not ruleset.bids_points and facts.taken is None:
            raise MissingFact("taken")
        bid = _read_bid(ruleset, facts.points_bid, facts.double, "points_bid")
    again = ruleset.has_option("misdeal", "after-bid") and facts.taken is False
    settled = (
        penalties.deal_again(ruleset, facts.by, facts.held, facts.dealer, facts.offence)
        if again
        else penalties.settle_penalty(ruleset, facts.by, 0, facts.held, facts.dealer, facts.offence, bid=bid)
    )
    verdict, answer = penalties.describe_penalty(settled)
    return Judgement(verdict, answer, settled.why, settled.keys)


def _find_stock(ruleset: JackNineRuleset, facts: questions.PenaltyFacts) -> int:
    """All points of the deal that a penalty hands over.

    :raises MissingFact: if they are not always the same, or it is unknown whose bela is among them.
    """
    stock = facts.points
    if stock is None and not ruleset.holds_same_sum:
        raise Missing("points")
    if stock is None:
        return ruleset.sum_deal(capot=False) + ruleset.bela_points * len(collect_seats(facts.bela))
    cards = _check_stock(ruleset, stock.cards)
    if stock.runs and ruleset["penalty"] == "share-cards":
        raise Unreadable("points.runs", Message("left out, as the others write their own"), stock.runs)
    if not penalties.penalty_takes_melds(ruleset):
        return cards
    keeps = ruleset["bela_kept"] == "on" or ruleset["penalty"] == "share-cards"
    if stock.bela and facts.bela is None and keeps:
        raise MissingFact("bela")
    return cards + stock.runs + stock.bela


def _check_stock(ruleset: JackNineRuleset, cards: int) -> int:
    """Check the card points that a penalty hands over, leaving out what taking every trick adds.

    :raises Unreadable: if all cards of this game have a fixed sum, and this is another.
    """
    if not ruleset.holds_same_sum:
        return cards
    trumps = (Suit.HEARTS, *ruleset.table.further_trumps)
    sums = frozenset().union(*(count.find_deal_sums(ruleset, trump=trump) for trump in trumps))
    bound = count.check_sum(sums, cards)
    if bound is not None:
        raise Unreadable("points.cards", Message("what a deal can bring ({why})", why=bound.reason), cards)
    return ruleset.sum_deal(capot=False)
