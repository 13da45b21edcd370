"""Rulings on the score: what a deal comes to, counts that cannot be, calls, penalties, who has won."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..rules.cards import Card, Suit
from ..rules.message import Message
from ..rules.seats import Side
from ..rules.shapes import Choice, Missing, Unreadable
from . import count, melds, questions, settle
from .entries import Count, read_declared
from .finding import Found, distinct
from .ruleset import Ruleset


def what_it_comes_to(ruleset: Ruleset, q: questions.Outcome) -> Found:
    """What a deal comes to, and whether it ends the game."""
    _check_trickless(ruleset, q)
    totals = q.totals or ruleset.zeros()
    made = dict(q.made)
    settled = settle.settle(ruleset, q.declarer, made, q.held, q.dealer)
    after = {side: totals[side] + settled.scored[side] for side in ruleset.ring.sides}
    ended = settle.ending(ruleset, after, q.declarer, q.trickless)
    assert ended is not None  # the declarer is known
    result, scored, held, dealer = settled.result, settled.scored, settled.held, settled.next_dealer
    keys, why = (*settled.keys, *ended.keys), settled.why
    if ended.verdict == "void":
        result, scored, held, dealer, after = "void", ruleset.zeros(), q.held, q.dealer, dict(totals)
        keys, why = (*ended.keys, "deal.void"), ended.why
    if dealer is None:
        raise Missing("dealer")
    if ended.winner is not None:
        why = Message("{what} {end}", what=why, end=ended.why)
    facts = {
        "scored": dict(scored),
        "totals": after,
        "held": list(held),
        "next_dealer": dealer,
        "status": "finished" if ended.winner else "playing",
        "winner": ended.winner,
        "ended_by": ended.ended_by,
        "may_finish": [],
        "stakes": None,
    }
    return Found(result, facts, why, keys)


def _check_trickless(ruleset: Ruleset, q: questions.Outcome) -> None:
    """A side without a trick cannot have the last one, nor words where they need a trick."""
    if q.trickless is None:
        return
    if q.trickless == q.last:
        raise Unreadable("trickless", Message("a side that did not take the last trick"), q.trickless)
    if ruleset["words_need_trick"] and q.made[q.trickless]:
        raise Unreadable(
            f"made.{q.trickless}", Message("0, for without a trick there are no words"), q.made[q.trickless]
        )


def is_it_enough(ruleset: Ruleset, q: questions.Finish) -> Found:
    """Whether a call in mid-deal ends the game, and for whom."""
    side = ruleset.ring.side(q.caller)
    if q.at == "result":
        why = Message("A call is made during play; written totals speak for themselves.")
        facts: dict[str, Any] = {"came_to": None, "needed": ruleset["target"], "winner": None}
        return Found("no-call", facts, why, ("end.finish-when",))
    if q.next_card or q.after_trick == 0 or q.took_trick is False:
        timely, made = False, 0
    else:
        timely, made = True, _so_far(ruleset, q)
    called = settle.finish_call(
        ruleset, side, q.totals[side], made, took_trick=timely or q.next_card, next_card=q.next_card
    )
    facts = {"came_to": called.came_to, "needed": called.needed, "winner": called.winner}
    return Found(called.verdict, facts, called.why, called.keys)


def _so_far(ruleset: Ruleset, q: questions.Finish) -> int:
    """What the caller has at that moment; held points are never in it."""
    for name in ("after_trick", "took_trick", "cards"):
        if getattr(q, name) is None:
            raise Missing(name)
    words = q.jass * ruleset.jass_points + q.nine * ruleset.nine_points + q.bela * ruleset.bela_points
    last = ruleset.last_points if q.after_trick == ruleset.hand else 0
    return (q.cards or 0) + words + q.runs + last


def who_has_won(ruleset: Ruleset, q: questions.Winner) -> Found:
    """Who has won with these totals."""
    ended = settle.ending(ruleset, q.totals, q.declarer, q.trickless)
    if ended is None:
        raise Missing("declarer")
    facts: dict[str, Any] = {
        "winner": ended.winner,
        "ended_by": ended.ended_by,
        "may_finish": [],
        "sets": None,
    }
    return Found(ended.verdict, facts, ended.why, ended.keys)


def what_it_costs(ruleset: Ruleset, q: questions.Penalty) -> Found:
    """What an offence costs."""
    Choice(tuple(ruleset["offences"])).read(q.offence, "offence", ruleset.table)
    if q.taken_back:
        facts: dict[str, Any] = {"scored": None, "held": list(q.held), "next_dealer": None}
        why = Message("The card was taken back before the trick was turned, so it costs nothing.")
        return Found("no-penalty", facts, why, ("penalty.revoke",))
    points = q.points.cards + q.points.runs + q.points.bela
    settled = settle.penalty(ruleset, q.by, points, q.held, q.dealer)
    void = settled.result == "void"
    facts = {
        "scored": dict(settled.scored),
        "held": list(settled.held),
        "next_dealer": settled.next_dealer,
    }
    return Found("replay" if void else "bait-on-cards", facts, settled.why, settled.keys)


def can_it_be(ruleset: Ruleset, q: questions.Counts) -> Found:
    """Whether a deal can carry these counts."""
    if (q.made is None) == (q.count is None):
        raise Unreadable("made", Message("either made or count"))
    distinct(q.out, "out")
    suits = [Suit(q.trump)] if q.trump else list(Suit)
    made: Mapping[Side, int] | None = None
    total: int | None = None
    if q.count is not None:
        told = _told(ruleset, q.count, q.last)
        suits = _without_honours_out(ruleset, q.count, q.out, suits)
        made = told.made(ruleset)
        total = sum(made.values())
        bounds = {count.check_tally(ruleset, told, q.out, trump) for trump in suits}
    else:
        assert q.made is not None
        known = _known(ruleset, q)
        if known.runs and known.bela:
            total = sum(q.made.values()) - sum(known.words.values())
        bounds = {count.check_made(ruleset, q.made, known, q.last, q.out, trump) for trump in suits}
    if len(bounds) > 1:
        raise Missing("trump")
    (bound,) = bounds
    facts = {
        "sum": total,
        "bound": None if bound is None else {"what": bound.what, "min": bound.least, "max": bound.most},
        "nearest": None if bound is None else bound.nearest,
        "made": None if made is None else dict(made),
    }
    why = bound.reason if bound else Message("Cards that come to these counts can have been played.")
    return Found("impossible" if bound else "possible", facts, why, ("score.doubtful-count",))


def _told(ruleset: Ruleset, told: Count, last: Side | None) -> count.Tally:
    """The itemised count of a whole deal, nothing left out."""
    for side in ruleset.ring.sides:
        if side not in told.cards:
            raise Missing(f"count.cards.{side}")
    if told.last is None and last is None:
        raise Missing("count.last")
    if told.last and last not in (None, told.last):
        raise Unreadable("last", Message("the side that the count names"), last)
    return count.Tally(told.cards, told.jass, told.nine, told.last or last)


def _without_honours_out(
    ruleset: Ruleset, told: Count, out: Collection[Card], suits: Sequence[Suit]
) -> list[Suit]:
    """The suits that can be trumps while no side has the word of a card that is out of play."""
    fitting = list(suits)
    for trump in suits:
        for word, card in ruleset.honours(trump).items():
            if getattr(told, word) is not None and card in out:
                fitting = [suit for suit in fitting if suit != trump]
                refused = Unreadable(f"count.{word}", Message("null, for {card} was out of play", card=card))
    if not fitting:
        raise refused
    return fitting


def _known(ruleset: Ruleset, q: questions.Counts) -> count.Known:
    """What is known of the runs and bela in whole counts; runs that elder hand would decide are not."""
    runs = tuple(read_declared(ruleset, one, f"runs[{i}]") for i, one in enumerate(q.runs or ()))
    clash = melds.overlapping(ruleset, runs)
    if clash:
        raise Unreadable("runs", Message("runs that share no card"), str(clash[2]))
    standing = melds.contest(ruleset, runs, None)
    words = dict(standing.points)
    if q.bela not in (None, questions.UNKNOWN):
        words[ruleset.ring.side(q.bela)] += ruleset.bela_points
    told = q.runs is not None and not standing.needs_elder
    return count.Known(words, runs=told, bela=q.bela != questions.UNKNOWN)
