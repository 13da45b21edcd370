"""Rulings around a hand: swapping the lowest trump, and who deals and begins the next one."""

from companion.beating import talon, turn
from companion.beating.ruleset import BeatingRuleset
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message, SeatName
from companion.rules.question import Judgement
from companion.rules.seats import Seat

from . import questions


def rule_on_six(ruleset: BeatingRuleset, q: questions.SixFacts) -> Judgement:
    """May the lowest trump be swapped for the turn-up? Verdict `allowed` or `not-allowed`.

    The answer has the card to `take`. Rule keys: six.exchange, severnyi.change, severnyi.deal.
    """
    six = ruleset.six(q.turn_up.suit)
    if q.turn_up == six:
        raise Unreadable(
            "turn_up", Message("a card other than the lowest trump, which a player received"), str(six)
        )
    players = ruleset.ring.size if ruleset.seated else min(ruleset.sizes)
    most = len(ruleset.pack) - ruleset.hand * players
    if q.talon > most:
        raise Unreadable("talon", Message("at most {most}, as the hands hold the rest", most=most), q.talon)
    if q.exhausting_round and q.talon:
        raise Unreadable("exhausting_round", Message("false while the talon has cards"), True)
    claim = talon.SwapClaim(q.got, q.turn_up, q.talon, q.exhausting_round, q.next_bout_begun)
    refusal = talon.swap_refusal(ruleset, claim)
    if refusal is not None:
        return Judgement("not-allowed", {"take": None}, refusal.why, (refusal.key,))
    why = Message("{six} was dealt or drawn, and may be swapped for {card}.", six=six, card=q.turn_up)
    keys = ("six.exchange", *(["severnyi.deal"] if ruleset["severnyi"] else []))
    return Judgement("allowed", {"take": str(q.turn_up)}, why, keys)


def rule_on_next_hand(ruleset: BeatingRuleset, q: questions.NextHandFacts) -> Judgement:
    """Who deals the next hand, and who attacks whom in it? Verdict `next`.

    The answer has `dealer`, `attacker` and `defender`. Rule keys: deal.first, deal.loser, deal.draw,
    start.next, start.lowest-trump, start.no-trump.
    """
    ring = ruleset.ring
    if q.deals is not None and (q.result != "loss" or not ring.partnerships):
        raise Unreadable("deals", Message("left out: only a team that lost names who deals"), q.deals)
    if q.loser is not None and q.result != "loss":
        raise Unreadable("loser", Message("left out: nobody has lost"), q.loser)
    if q.lot is not None and not _is_for_the_lot(ruleset, q):
        raise Unreadable("lot", Message("left out: it does not decide who attacks first"), q.lot)
    match q.result:
        case "loss":
            start = turn.later_hand_start(ruleset, _losing_dealer(ruleset, q), "deal.loser")
        case _ if q.dealer is None:
            raise MissingFact("dealer")
        case "draw":
            start = turn.later_hand_start(ruleset, q.dealer, "deal.draw")
        case _:
            if q.lowest_trump == questions.UNKNOWN and ruleset["first_hand"] == "lowest-trump":
                raise MissingFact("lowest_trump")
            holder = None if q.lowest_trump == questions.UNKNOWN else q.lowest_trump
            start = turn.first_hand_start(ruleset, q.dealer, holder, lot=q.lot)
            if start.attacker is None:
                raise MissingFact("lot")
    seats = {"dealer": start.dealer, "attacker": start.attacker, "defender": start.defender}
    return Judgement("next", seats, _describe_start(ruleset, q, start), start.keys)


def _is_for_the_lot(ruleset: BeatingRuleset, q: questions.NextHandFacts) -> bool:
    """Whether the lot decides who attacks first."""
    by_trump = q.result == "first" and q.lowest_trump is None and ruleset["first_hand"] == "lowest-trump"
    return by_trump and ruleset["no_trump_start"] == "lot"


def _describe_start(ruleset: BeatingRuleset, q: questions.NextHandFacts, start: turn.HandStart) -> Message:
    facts: dict[str, object] = {"dealer": SeatName(start.dealer), "attacker": SeatName(start.attacker or "")}
    if q.result == "first":
        if start.attacker == q.lowest_trump and "start.lowest-trump" in start.keys:
            return Message("{attacker} holds the lowest trump and attacks first.", **facts)
        if start.attacker == q.lot:
            return Message("Nobody holds a trump: {attacker} was chosen by lot and attacks first.", **facts)
        if "start.lowest-trump" in start.keys:
            return Message("Nobody holds a trump: {attacker}, on the dealer’s left, attacks first.", **facts)
        return Message("{attacker} sits on the dealer’s left and attacks first.", **facts)
    on_the_left = start.attacker == ruleset.ring.left(start.dealer)
    facts["where"] = Message("on the left") if on_the_left else Message("on the right")
    if q.result == "draw":
        return Message("After a draw {dealer} deals again; {attacker}, {where}, attacks.", **facts)
    if ruleset.ring.partnerships:
        return Message("{dealer} deals for the team that lost; {attacker}, {where}, attacks.", **facts)
    return Message("{dealer} lost and deals; {attacker}, {where}, attacks.", **facts)


def _losing_dealer(ruleset: BeatingRuleset, q: questions.NextHandFacts) -> Seat:
    if q.loser is None:
        raise MissingFact("loser")
    if not ruleset.ring.partnerships:
        return q.loser
    if q.deals is None:
        raise MissingFact("deals")
    if ruleset.ring.side(q.deals) != q.loser:
        raise Unreadable("deals", Message("a player of the losing team"), q.deals)
    return q.deals
