"""A deal that was played for a bid: the points needed, and those written if it was made or failed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.message import Message, SideName, Word
from companion.rules.seats import Side

from .bidding import CAPOT, EVERY_TRICK, Bid, counts_every_trick
from .settlement import CountedDeal, Settlement, settle_won
from .ties import settle_tie


def settle_bid(ruleset: JackNineRuleset, deal: CountedDeal, bid: Bid) -> Settlement:
    """Settle a deal that was played for a bid, before points are rounded."""
    side, made, bela = ruleset.ring.side(deal.declarer), deal.made, deal.bela
    (defender,) = ruleset.ring.others(side)
    needed = find_needed(ruleset, made, bid)
    reached = needed is not None and made[side] >= int(bid.points) + bid.discounted
    equal = reached and made[side] == made[defender] and ruleset["needs_more"]
    tied = settle_tie(ruleset, deal, [defender]) if equal else None
    if tied is not None and bid.double == 1:
        return replace(tied, keys=("score.needs", *tied.keys))
    makes = made[side] >= needed if needed is not None else _takes_every_trick(side, bid)
    if makes and (bid.double == 1 or ruleset["written"] == "bid"):
        key = "score.made"
    else:
        key = "score.doubled" if makes else "score.bait"
    winner = side if makes else defender
    scored = write_bid(ruleset, winner, made if makes else None, bela, bid)
    facts: dict[str, object] = {
        "bait": Word(ruleset.book.words["bait"]),
        "declarer": SideName(side),
        "bid": bid.show(ruleset),
        "own": made[side],
        "against": made[defender],
        "winner": SideName(winner),
        "points": scored[winner],
    }
    why = Message("{declarer} {declarer:makes|make} {bid}, {own} to {against}.", **facts)
    if not makes:
        why = Message("{declarer}: {bait}, {bid} with {own} to {against}.", **facts)
    if key != "score.made":
        why = Message("{what} {winner} {winner:writes|write} {points}.", what=why, **facts)
    keys: tuple[str, ...] = ("score.needs", key, *(("score.tie",) if equal else ()))
    if bid.points in EVERY_TRICK:
        keys += ("score.capot-bid" if bid.points == CAPOT else "score.generale",)
    if bid.double > 1 and ruleset["doubled"] == "bid" and ruleset["written"] != "bid":
        keys += ("score.doubled-bid",)
    loser = defender if makes else side
    if loser in bela and scored[loser]:
        word = Word(ruleset.book.words["bela"])
        why = Message("{what} {side} {side:keeps|keep} {bela}.", what=why, side=SideName(loser), bela=word)
        keys += ("bela.kept",)
    result = "made" if makes else "bait"
    return settle_won(ruleset, deal, result, scored, why, keys, [winner])


def find_needed(ruleset: JackNineRuleset, made: Mapping[Side, int], bid: Bid | None = None) -> int | None:
    """Find the least count that makes the deal for the declarer, of the same sum; None if tricks decide.

    Rule keys: `score.made`, `score.needs`.
    """
    if ruleset["needs"] == "points":
        return int(ruleset["needs_points"])
    ahead = 0 if ruleset["tie"] == "made" and (bid is None or bid.double == 1) else 1
    more = (sum(made.values()) + ahead + 1) // 2
    if bid is None:
        return more
    if bid.points in EVERY_TRICK:
        return None
    needed = int(bid.points) + bid.discounted
    return max(more, needed) if ruleset["needs_more"] else needed


def _takes_every_trick(side: Side, bid: Bid) -> bool:
    """True if a bid of every trick is made: by the side, or by the bidder alone."""
    return bid.capot == side and (bid.points == CAPOT or bid.alone)


def write_bid(
    ruleset: JackNineRuleset, winner: Side, made: Mapping[Side, int] | None, bela: Sequence[Side], bid: Bid
) -> dict[Side, int]:
    """Score a bid without points held; `made` is None if it failed.

    Rule keys: `score.made`, `score.doubled`, `score.bait`, `score.doubled-bid`, `score.capot-bid`,
    `score.generale`.
    """
    worth, in_one_sum = _value_bid(ruleset, bid.points)
    if ruleset["written"] == "bid":
        fall = ruleset["fall"] if made is None else 0
        return ruleset.zeros() | {winner: (fall + worth) * bid.double}
    all_doubled = {"all": True, "bid": False}[ruleset["doubled"]]
    if made is not None and (bid.double == 1 or not all_doubled):
        return {**made, winner: made[winner] - bid.whole * in_one_sum + worth * bid.double}
    if made is None:
        cards = ruleset["fall"]
    else:
        cards = ruleset.round_deal(bid.capot == winner and counts_every_trick(ruleset, bid.points))
    own = {side: ruleset.bela_points * bela.count(side) for side in ruleset.ring.sides}
    beside = bid.melds + own[winner] + (0 if in_one_sum else cards)
    return own | {winner: beside * (bid.double if all_doubled else 1) + worth * bid.double}


def _value_bid(ruleset: JackNineRuleset, points: int | str) -> tuple[int, bool]:
    """Value a bid, and tell whether that is written for cards, fall and bid in one sum."""
    match points:
        case "generale":
            return ruleset["generale_bid"], ruleset["generale_bid"] == 1000
        case "capot" if ruleset["capot_bid"] == 500:
            return 500, True
        case "capot":
            return ruleset.round_deal(True), False
        case _:
            return int(points), False
