"""Auditing a deal that was told card by card: all that was wrong in it, what each costs, how it is mended.

The same functions that check a deal when it is written find what is wrong here; a table that looks back at
its cards sees what the pencil would have refused.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from companion.jacknine.deals import side_entries
from companion.jacknine.deals.read import read_deal
from companion.jacknine.deals.reading import DealReading
from companion.jacknine.entries import (
    BIDS,
    Contract,
    Deal,
    Offence,
    check_deal,
    check_held,
)
from companion.jacknine.phases import declarations, play
from companion.jacknine.phases.declared_melds import DeclaredRun, read_declared_fours, read_declared_run
from companion.jacknine.phases.melds import Four, Meld
from companion.jacknine.phases.settle import describe_penalty, settle_penalty
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card
from companion.rules.message import Message
from companion.rules.question import Judgement
from companion.rules.schema import MissingFact, Unreadable, to_json
from companion.rules.seats import Seat, Side

from . import questions
from .irregularities import Inquiry, Irregularity, deal_path, find_irregularities, find_wrong_counts


def rule_on_audit(ruleset: JackNineRuleset, facts: questions.AuditFacts) -> Judgement:
    """Everything that was wrong in a deal of which every card is told, to its end.

    Rule keys: those of what was broken, and of what each costs.
    """
    check_held(ruleset, facts.held, "held")
    inquiry = _open_inquiry(ruleset, facts.deal)
    wrongs = find_irregularities(inquiry, facts.asked_rost)
    mended = _mend_deal(inquiry, wrongs)
    made = _count_made(ruleset, mended, inquiry.dealer)
    wrongs += find_wrong_counts(ruleset, facts.made, made)
    costs = [_price_irregularity(inquiry, one, mended, facts.held) for one in wrongs]
    answer = {
        "made": dict(made),
        "irregularities": [
            {
                "kind": one.kind,
                **one.facts,
                "rule": ruleset.cite_one(one.key),
                "why": one.why,
                "cost": cost | {"rule": ruleset.cite_one(keys[0])},
            }
            for one, (cost, keys) in zip(wrongs, costs, strict=True)
        ],
        "apply": _propose_deal(ruleset, facts, wrongs, mended),
    }
    broken = [key for one, (_, keys) in zip(wrongs, costs, strict=True) for key in (one.key, *keys)]
    if not wrongs:
        why = Message("Every card was played by the rules, and nothing else was wrong.")
        followed = ("play.trick", "cards.values", "words.taken")
        return Judgement("clean", answer, why, followed)
    why = wrongs[0].why
    if len(wrongs) > 1:
        why = Message("{what} Found besides: {count}.", what=why, count=len(wrongs) - 1)
    return Judgement("irregular", answer, why, tuple(dict.fromkeys(broken)))


# --- reading the deal ----------------------------------------------------------------------------


def _open_inquiry(ruleset: JackNineRuleset, deal: Deal) -> Inquiry:
    """The deal read, with every hand.

    :raises Unreadable: at the path of what is missing, or does not agree with the rest.
    """
    if all(getattr(deal, name) is None for name in BIDS):
        raise MissingFact(deal_path("contract"))
    check_deal(ruleset, deal, "deal")
    for name in ("redeal", "thrown_in", "offer", "call"):
        if getattr(deal, name) is not None:
            raise Unreadable(deal_path(name), Message("a deal that was played to the end"))
    if deal.dealer is None:
        raise MissingFact(deal_path("dealer"))
    tricks = _read_all_tricks(ruleset, deal)
    reading = read_deal(ruleset, replace(deal, penalty=None), 1, deal.dealer)
    if reading.status != "contract" or reading.declarer is None or reading.trump is None:
        for problem in reading.problems:
            raise _report_contradiction(problem.field, problem.reason)
        raise Unreadable(deal_path("auction"), Message("the bidding of a deal that was played"))
    taken = play.resolve_tricks(ruleset, tricks, reading.elder, reading.trump)
    hands = play.collect_hands(ruleset, taken)
    told: tuple[Meld, ...] = tuple(
        read_declared_run(ruleset, one, deal_path("runs")) for one in deal.runs or ()
    )
    told += read_declared_fours(deal.fours or (), deal_path("fours"), ruleset.fours)
    return Inquiry(
        ruleset=ruleset,
        deal=deal,
        dealer=deal.dealer,
        elder=reading.elder,
        trump=reading.trump,
        turned=reading.turned,
        contract=Contract(reading.declarer, reading.trump, reading.turned),
        taken=taken,
        hands=hands,
        told=told,
        held=declarations.find_held_melds(ruleset, told, hands, reading.trump),
    )


def _read_all_tricks(ruleset: JackNineRuleset, deal: Deal) -> tuple[tuple[Card, ...], ...]:
    """The tricks of a deal. :raises Unreadable: where they are not all there, or a card falls twice."""
    tricks = deal.tricks or ()
    if not tricks:
        raise MissingFact(deal_path("tricks"))
    for number, trick in enumerate(tricks):
        place = deal_path(f"tricks[{number}]")
        if number >= ruleset.hand:
            raise Unreadable(place, Message("{count} tricks and no more", count=ruleset.hand))
        if len(trick) < ruleset.ring.size:
            raise MissingFact(f"{place}[{len(trick)}]")
        if len(trick) > ruleset.ring.size:
            raise Unreadable(place, Message("{size} cards", size=ruleset.ring.size), len(trick))
    if len(tricks) < ruleset.hand:
        raise MissingFact(f"deal.tricks[{len(tricks)}]")
    twice = play.find_repeated_card(tricks)
    if twice:
        raise Unreadable(
            deal_path(f"tricks[{twice[0]}][{twice[1]}]"), Message("every card once"), str(twice[2])
        )
    return tricks


def _report_contradiction(field: str, reason: Message) -> Unreadable:
    """What is wrong in a deal and no irregularity: facts that cannot all be true."""
    return Unreadable(
        deal_path(field.removeprefix("entries[0].")), Message("facts that agree ({why})", why=reason)
    )


def _count_made(ruleset: JackNineRuleset, deal: Deal, dealer: Seat) -> Mapping[Side, int]:
    """What the sides made in a deal that is right but for its plays.

    :raises Unreadable: where its answer do not agree.
    """
    reading: DealReading = read_deal(ruleset, deal, 1, dealer)
    for problem in reading.problems:
        if not problem.field.startswith("entries[0].tricks["):
            raise _report_contradiction(problem.field, problem.reason)
    assert reading.made is not None  # every trick is there
    return reading.made


# --- what it costs, and the deal as it should stand ----------------------------------------------


def _mend_deal(inquiry: Inquiry, wrongs: Collection[Irregularity]) -> Deal:
    """The deal without what does not count: the false declarations, the wrong swap, forfeited runs."""
    deal, ruleset = inquiry.deal, inquiry.ruleset
    kept = list(zip(inquiry.told, inquiry.held, strict=True))
    runs = [(one, held) for one, (_, held) in zip(deal.runs or (), kept, strict=False) if held is not None]
    fours = [
        one
        for one in deal.fours or ()
        if any(isinstance(held, Four) and held.rank == one.rank for held in inquiry.genuine)
    ]
    kinds = {one.kind for one in wrongs}
    lost = [one.by for one in wrongs if one.kind == "rost-needless"]
    mended = replace(
        deal,
        penalty=None,
        runs=None if deal.runs is None else tuple(_fill_in_suit(one, held) for one, held in runs),
        fours=None if deal.fours is None else tuple(fours),
        bela=None if "bela-false" in kinds else deal.bela,
        forfeits=tuple(dict.fromkeys((*(deal.forfeits or ()), *lost))) or deal.forfeits,
    )
    if "wrong-exchange" not in kinds:
        return mended
    mended = replace(mended, exchanged=None)
    if ruleset.turned_card == "out" and (
        inquiry.player(deal.shown) or inquiry.player(_find_turned_card(deal))
    ):
        # A card that lay open was played, so how it lay cannot be told beside the tricks.
        return replace(mended, auction=None, contract=inquiry.contract, turn_up=None, shown=None)
    return mended


def _find_turned_card(deal: Deal) -> Card | None:
    return deal.turn_up if isinstance(deal.turn_up, Card) else None


def _fill_in_suit(told: DeclaredRun, held: Meld) -> DeclaredRun:
    """A declared run with the suit in which it was held."""
    bare = told.cards is None and told.suit is None and not isinstance(held, Four)
    return replace(told, suit=held.suit) if bare else told  # type: ignore[union-attr]  # a run has a suit


def _price_irregularity(
    inquiry: Inquiry, wrong: Irregularity, mended: Deal, held: tuple[int, ...]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What one thing costs, as the game's penalties have it, and the rule keys."""
    ruleset, side = inquiry.ruleset, inquiry.ruleset.ring.side(wrong.by)
    cost: dict[str, Any] = {
        "verdict": "no-penalty",
        "scored": None,
        "held": None,
        "next_dealer": None,
        "corrections": None,
    }
    if wrong.offence in ruleset["offences"]:
        whole = _count_made(ruleset, replace(mended, penalty=Offence(side, wrong.offence)), inquiry.dealer)
        settled = settle_penalty(ruleset, side, sum(whole.values()), held, inquiry.dealer, wrong.offence)
        verdict, answer = describe_penalty(settled)
        return cost | {"verdict": verdict} | answer, settled.keys
    if wrong.offence in ruleset["offences_runs"]:
        return cost | {"verdict": "runs-lost"}, (wrong.key_of_cost,)
    if wrong.kind == "wrong-count":
        wrote, should = wrong.facts["wrote"], wrong.facts["should"]
        moved = ruleset.zeros() | {wrong.by: should - wrote}
        keys: tuple[str, ...] = (wrong.key_of_cost,)
        if ruleset["pencil"]:
            moved, keys = side_entries.correct_pencil(ruleset, wrong.by, wrote, should, cut=False)
        return cost | {"verdict": "corrected", "corrections": moved}, keys
    return cost, (wrong.key_of_cost,)


def _propose_deal(
    ruleset: JackNineRuleset, facts: questions.AuditFacts, wrongs: Collection[Irregularity], mended: Deal
) -> dict[str, Any] | None:
    """The deal as it should stand in the record; None where nothing is to be changed.

    The first thing that costs the deal settles it. What was counted wrongly is mended in the deal, unless
    the game has an entry of its own for that.
    """
    costly = [one for one in wrongs if one.offence in ruleset["offences"]]
    if facts.deal.penalty is not None:
        return None
    if costly:
        first = min(costly, key=lambda one: one.trick)
        offence = Offence(ruleset.ring.side(first.by), first.offence)
        return dict(to_json(replace(mended, penalty=offence)))
    counted = any(one.kind == "wrong-count" for one in wrongs) and not ruleset["pencil"]
    changed = counted or any(one.mends for one in wrongs)
    return dict(to_json(mended)) if changed else None
