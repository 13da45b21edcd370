"""The audit of a deal that is known card by card: all that was wrong, its cost, and its correction.

The functions that check a deal when it is written also find its faults here; a table that looks back at its
cards sees what the pencil would have refused.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from companion.jacknine.deals import side_entries
from companion.jacknine.deals.read import read_deal
from companion.jacknine.entries import (
    BIDS,
    Contract,
    Deal,
    Offence,
    check_deal,
    check_held,
    collect_seats,
    sum_false_melds,
)
from companion.jacknine.phases import contest, play
from companion.jacknine.phases.bidding import Bid, counts_every_trick
from companion.jacknine.phases.melds import (
    DeclaredRun,
    Four,
    Meld,
    Run,
    read_declared_fours,
    read_declared_run,
)
from companion.jacknine.phases.penalties import describe_penalty, settle_penalty
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message
from companion.rules.question import Judgement
from companion.rules.schema import to_json
from companion.rules.seats import Seat, Side

from . import questions
from .irregularities import Inquiry, Irregularity, deal_path, find_irregularities, find_wrong_counts


def rule_on_audit(ruleset: JackNineRuleset, facts: questions.AuditFacts) -> Judgement:
    """Rule on everything that was wrong in a deal of which every card is known, to its end.

    Rule keys: those of what was broken, and of what each costs.

    :raises Unreadable: at the path of a fact that is missing or contradicts the others.
    """
    check_held(ruleset, facts.held, "held")
    inquiry = _open_inquiry(ruleset, facts.deal)
    irregularities = find_irregularities(inquiry, facts.asked_rost)
    mended = _mend_deal(inquiry, irregularities)
    made, bid, _melds = _count_made(ruleset, mended, inquiry.dealer)
    irregularities += find_wrong_counts(
        ruleset,
        facts.made,
        made,
        ruleset.find_capot(inquiry.trickless),
        counts_more=bid is None or counts_every_trick(ruleset, bid.points),
        trump=inquiry.trump,
    )
    costs = [_price_irregularity(inquiry, fault, mended, facts.held) for fault in irregularities]
    answer = {
        "made": dict(made),
        "irregularities": [
            {
                "kind": fault.kind,
                **fault.facts,
                "rule": ruleset.cite_one(fault.key),
                "why": fault.why,
                "cost": cost | {"rule": ruleset.cite_one(keys[0])},
            }
            for fault, (cost, keys) in zip(irregularities, costs, strict=True)
        ],
        "apply": _propose_deal(ruleset, facts, irregularities, mended),
    }
    broken = [
        key for fault, (_, keys) in zip(irregularities, costs, strict=True) for key in (fault.key, *keys)
    ]
    if not irregularities:
        why = Message("Every card was played by the rules, and nothing else was wrong.")
        followed = ("play.trick", "cards.values", "words.taken")
        return Judgement("clean", answer, why, followed)
    why = irregularities[0].why
    if len(irregularities) > 1:
        why = Message("{what} Also found: {count}.", what=why, count=len(irregularities) - 1)
    return Judgement("irregular", answer, why, tuple(dict.fromkeys(broken)))


# --- reading the deal ----------------------------------------------------------------------------


def _open_inquiry(ruleset: JackNineRuleset, deal: Deal) -> Inquiry:
    """Read the deal, with every hand.

    :raises Unreadable: at the path of a fact that is missing or contradicts the others.
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
    taken = play.resolve_tricks(ruleset, tricks, reading.leader, reading.trump)
    hands = play.collect_hands(ruleset, taken)
    declared: tuple[Meld, ...] = tuple(
        read_declared_run(ruleset, run, deal_path("runs")) for run in deal.runs or ()
    )
    declared += read_declared_fours(ruleset, deal.fours or (), deal_path("fours"))
    return Inquiry(
        ruleset=ruleset.at(reading.trump),
        deal=deal,
        dealer=deal.dealer,
        elder=reading.elder,
        leader=reading.leader,
        trump=reading.trump,
        turned=reading.turned,
        contract=Contract(reading.declarer, reading.trump, reading.turned, reading.points, reading.double),
        taken=taken,
        hands=hands,
        declared=declared,
        held=contest.find_held_melds(ruleset, declared, hands, reading.trump),
    )


def _read_all_tricks(ruleset: JackNineRuleset, deal: Deal) -> tuple[tuple[Card, ...], ...]:
    """Read the tricks of a deal.

    :raises Unreadable: if they are not all there, or a card falls twice.
    """
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
    repeated = play.find_repeated_card(tricks)
    if repeated is not None:
        number, at, card = repeated
        raise Unreadable(
            deal_path(f"tricks[{number}][{at}]"), Message("different cards; {card} is named twice", card=card)
        )
    return tricks


def _report_contradiction(field: str, reason: Message) -> Unreadable:
    """Report facts that cannot all be true, which is no irregularity."""
    return Unreadable(
        deal_path(field.removeprefix("entries[0].")), Message("facts that are consistent ({why})", why=reason)
    )


def _count_made(
    ruleset: JackNineRuleset, deal: Deal, dealer: Seat
) -> tuple[Mapping[Side, int], Bid | None, Mapping[Side, int]]:
    """Count the points made in a deal that is right but for its plays, with the bid, if any, and the melds.

    :raises Unreadable: if its facts contradict each other.
    """
    reading = read_deal(ruleset, deal, 1, dealer)
    for problem in reading.problems:
        if not problem.field.startswith("entries[0].tricks["):
            raise _report_contradiction(problem.field, problem.reason)
    assert reading.made is not None  # every trick is there
    return reading.made, reading.bid, reading.meld_points


# --- what it costs, and the deal as it should stand ----------------------------------------------


def _mend_deal(inquiry: Inquiry, irregularities: Collection[Irregularity]) -> Deal:
    """The deal without what does not count: the false declarations, the wrong swap, forfeited runs."""
    deal, ruleset = inquiry.deal, inquiry.ruleset
    runs = [(run, held) for run, held in zip(deal.runs or (), inquiry.held, strict=False) if held is not None]
    fours = [
        four
        for four in deal.fours or ()
        if four.rank not in ruleset.fours
        or any(isinstance(held, Four) and held.rank == four.rank for held in inquiry.genuine)
    ]
    kinds = {fault.kind for fault in irregularities}
    forfeiting = [fault.by for fault in irregularities if fault.kind == "rost-needless"]
    mended = replace(
        deal,
        penalty=None,
        runs=None if deal.runs is None else tuple(_fill_in_suit(run, held) for run, held in runs),
        fours=None if deal.fours is None else tuple(fours),
        bela=_drop_false_belas(deal.bela, irregularities),
        forfeits=tuple(dict.fromkeys((*(deal.forfeits or ()), *forfeiting))) or deal.forfeits,
    )
    if "wrong-exchange" not in kinds:
        return mended
    mended = replace(mended, exchanged=None)
    lay_open = inquiry.find_player(deal.shown) or inquiry.find_player(deal.turned_card)
    if ruleset.turned_card == "out" and lay_open:
        # A card that lay open was played, so how it lay cannot be stated beside the tricks.
        return replace(mended, auction=None, contract=inquiry.contract, turn_up=None, shown=None)
    return mended


def _drop_false_belas(
    bela: Seat | tuple[Seat, ...] | None, irregularities: Collection[Irregularity]
) -> Seat | tuple[Seat, ...] | None:
    """The belas that were held."""
    seats = list(collect_seats(bela))
    for fault in irregularities:
        if fault.kind == "bela-false":
            seats.remove(fault.by)
    return bela if len(seats) == len(collect_seats(bela)) else tuple(seats) or None


def _fill_in_suit(declared: DeclaredRun, held: Meld) -> DeclaredRun:
    """A declared run with the suit in which it was held."""
    if isinstance(held, Run) and declared.cards is None and declared.suit is None:
        return replace(declared, suit=held.suit)
    return declared


def _price_irregularity(
    inquiry: Inquiry, fault: Irregularity, mended: Deal, held: tuple[int, ...]
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Find the penalty for one irregularity as JSON, and the rule keys."""
    ruleset, side = inquiry.ruleset, inquiry.ruleset.ring.side(fault.by)
    cost: dict[str, object] = {
        "verdict": "no-penalty",
        "scored": None,
        "held": None,
        "next_dealer": None,
        "corrections": None,
    }
    if fault.offence in ruleset["offences"]:
        settled = replace(mended, penalty=Offence(side, fault.offence))
        made, bid, melds = _count_made(ruleset, settled, inquiry.dealer)
        counted = mended.belas[: len(ruleset.pairs(inquiry.trump))]
        bela = tuple(map(ruleset.ring.side, counted))
        claimed = sum_false_melds(ruleset, mended.false_melds)
        whole = sum(made.values())
        settlement = settle_penalty(
            ruleset, side, whole, held, inquiry.dealer, fault.offence, bela, bid, claimed, melds
        )
        verdict, terms = describe_penalty(settlement)
        return cost | {"verdict": verdict} | terms, settlement.keys
    if fault.offence in ruleset["offences_runs"]:
        return cost | {"verdict": "runs-lost"}, (fault.cost_key,)
    if fault.kind == "wrong-count":
        moved = ruleset.zeros() | {fault.by: fault.should - fault.wrote}
        keys: tuple[str, ...] = (fault.cost_key,)
        if ruleset["pencil"]:
            moved, keys = side_entries.correct_pencil(ruleset, fault.by, fault.wrote, fault.should, cut=False)
        return cost | {"verdict": "corrected", "corrections": moved}, keys
    return cost, (fault.cost_key,)


def _propose_deal(
    ruleset: JackNineRuleset,
    facts: questions.AuditFacts,
    irregularities: Collection[Irregularity],
    mended: Deal,
) -> dict[str, object] | None:
    """The JSON of the deal as it should stand in the record; None if nothing is to be changed.

    The first irregularity that costs the deal settles it. A wrong count is corrected in the deal, unless the
    game has an entry of its own for that.
    """
    costly = [fault for fault in irregularities if fault.offence in ruleset["offences"]]
    if facts.deal.penalty is not None:
        return None
    if costly:
        first = min(costly, key=lambda fault: fault.trick)
        offence = Offence(ruleset.ring.side(first.by), first.offence)
        return dict(to_json(replace(mended, penalty=offence)))
    counted = any(fault.kind == "wrong-count" for fault in irregularities) and not ruleset["pencil"]
    changed = counted or any(fault.mends for fault in irregularities)
    return dict(to_json(mended)) if changed else None
