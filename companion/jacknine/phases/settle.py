"""The settlement of a deal that was played: made, bait or tie, and penalties that count deals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.message import Message, SideName, Word
from companion.rules.seats import Seat, Side

from .bidding import Bid
from .settle_bid import settle_bid
from .settle_half import settle_half
from .settlement import CountedDeal, Settlement, punish_false_melds, round_written, settle_won
from .shares import explain_bait, order_others, score_bait
from .ties import settle_tie


def settle_deal(
    ruleset: JackNineRuleset,
    declarer: Seat,
    made: Mapping[Side, int],
    held: Sequence[int],
    dealer: Seat | None,
    baits: Mapping[Side, int] | None = None,
    bela: Sequence[Side] = (),
    false_melds: Mapping[Side, int] | None = None,
    bid: Bid | None = None,
    trickless: Mapping[Side, int] | None = None,
) -> Settlement:
    """Settle a deal that was played to its end.

    `made` are all points of each side, melds included; `held` the points held before the deal, oldest
    first; `baits` how often each side was baited before, where a game counts that; `bela` has the side of
    each bela; `false_melds` points that a side claimed for melds it could not show; `bid` what was bid, where
    points are; `trickless` are the sides that took no trick, with how many such deals they have had. Rule
    keys: `score.made`, `score.all`, `score.needs`, `score.doubled`, `score.bait`, `score.bait-penalty`,
    `score.bait-from`, `score.trickless-penalty`, `score.tie`, `score.held`, `score.halves`, `score.sides`,
    `score.rounding`, `bela.kept`, `meld.false`, `deal.next`, `deal.next-tie`.

    >>> from companion import library
    >>> ruleset = library.open_game("derda").family.ruleset
    >>> settlement = settle_deal(ruleset, "A", {"A": 70, "B": 77}, held=[50], dealer="B")
    >>> settlement.result, settlement.scored, settlement.held, settlement.next_dealer
    ('bait', {'A': 0, 'B': 197}, (), 'B')
    """
    deal = CountedDeal(declarer, made, tuple(held), dealer, bela)
    match ruleset["needs"]:
        case "bid" if bid is not None:
            settled = settle_bid(ruleset, deal, bid)
        case "half":
            settled = settle_half(ruleset, deal)
        case "more" | "points" | "bid":
            settled = _settle_made(ruleset, deal, baits, ruleset.find_capot(trickless or ()))
        case unknown:
            raise UnknownOption(unknown)
    settled = punish_false_melds(ruleset, settled, false_melds or {})
    return round_written(ruleset, _charge_trickless(ruleset, settled, trickless or {}))


def _settle_made(
    ruleset: JackNineRuleset, deal: CountedDeal, baits: Mapping[Side, int] | None, capot: Side | None
) -> Settlement:
    """Settle a deal before points are rounded; `capot` is the side that took every trick."""
    side, made = ruleset.ring.side(deal.declarer), deal.made
    others = order_others(ruleset, side, deal.dealer)
    best = max(made[other] for other in others)
    leaders = [other for other in others if made[other] == best]
    lead = _find_lead(ruleset, made[side], best)
    equal = lead == 0
    tied = settle_tie(ruleset, deal, leaders) if equal else None
    if tied is not None:
        return tied
    facts: dict[str, object] = {
        "bait": Word(ruleset.book.words["bait"]),
        "declarer": SideName(side),
        "own": made[side],
        "against": ", ".join(str(made[other]) for other in others),
        "defender": [SideName(leader) for leader in leaders],
    }
    keys: tuple[str, ...]
    if lead > 0 or (equal and ruleset["tie"] == "made"):
        winners, result = [side], "made"
        scored, why, keys = _score_made(ruleset, side, made, facts)
    else:
        # Only the side that took every trick writes more for it.
        more = ruleset.capot_extra() if capot == side else 0
        lost = {**made, side: made[side] - more}
        scored, result, winners = score_bait(side, leaders, lost), "bait", leaders
        why, keys = explain_bait(len(leaders), len(others), facts)
        number = (baits or {}).get(side, 0) + 1
        costs = None if baits is None else _find_bait_penalty(ruleset, number)
        if costs is not None:
            points = ruleset["bait_penalty_points"]
            names = {"side": SideName(side), "bait": facts["bait"], "number": number, "points": points}
            why = Message("{what} {side}: {bait} no. {number} costs {points}.", what=why, **names)
            scored[side] -= points
            keys += (costs,)
        retained = ruleset.retained_bela(side, deal.bela)
        if retained:
            scored[side] += retained
            scored[leaders[0]] -= retained
            word = Word(ruleset.book.words["bela"])
            why = Message("{what} {side} {side:keeps|keep} {bela}.", what=why, side=SideName(side), bela=word)
            keys += ("bela.kept",)
    keys += ("score.tie",) if equal else ()
    keys += ("score.needs",) if ruleset["needs"] == "points" else ()
    return settle_won(ruleset, deal, result, scored, why, keys, winners)


def _find_lead(ruleset: JackNineRuleset, own: int, best: int) -> int:
    """Count the declarer's lead over the best of the others; 1 or -1 if a number of points is needed."""
    if ruleset["needs"] != "points":
        return own - best
    return 1 if own >= ruleset["needs_points"] else -1


def _score_made(
    ruleset: JackNineRuleset, side: Side, made: Mapping[Side, int], facts: Mapping[str, object]
) -> tuple[dict[Side, int], Message, tuple[str, ...]]:
    """Score a deal that the declarer's side made: points, the reason, and the rule keys."""
    if ruleset["winner_takes_all"]:
        why = Message(
            "{declarer} {declarer:makes|make} it, {own} to {against}, and {declarer:writes|write} it all.",
            **facts,
        )
        return ruleset.zeros() | {side: sum(made.values())}, why, ("score.made", "score.all")
    why = Message("{declarer} {declarer:makes|make} it, {own} to {against}.", **facts)
    return dict(made), why, ("score.made",)


def _find_bait_penalty(ruleset: JackNineRuleset, number: int) -> str | None:
    """Find the rule by which the bait of this number in a game costs points; None if it costs none."""
    every, first = ruleset["bait_penalty_every"], ruleset["bait_penalty_from"]
    if every:
        return None if number % every else "score.bait-penalty"
    return "score.bait-from" if first and number >= first else None


def _charge_trickless(
    ruleset: JackNineRuleset, settled: Settlement, trickless: Mapping[Side, int]
) -> Settlement:
    """Charge a side for its deals without a trick. Rule key: `score.trickless-penalty`."""
    every, scored, why = ruleset["trickless_penalty_every"], dict(settled.scored), settled.why
    charged = {side: number for side, number in trickless.items() if every and number % every == 0}
    for side, number in charged.items():
        points = ruleset["trickless_penalty_points"]
        scored[side] -= points
        facts = {"side": SideName(side), "number": number, "points": points}
        why = Message("{what} {side}: deal no. {number} without a trick costs {points}.", what=why, **facts)
    keys = (*settled.keys, "score.trickless-penalty") if charged else settled.keys
    return replace(settled, scored=scored, why=why, keys=keys)
