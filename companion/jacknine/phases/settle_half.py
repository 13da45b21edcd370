"""A deal in which the declarer needs more than all others together, who each write their own points."""

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.message import Message, SideName, Word

from .settlement import CountedDeal, Settlement, settle_won
from .shares import explain_bait, order_others, split_points


def settle_half(ruleset: JackNineRuleset, deal: CountedDeal) -> Settlement:
    """Settle a deal in which the declarer needs more than all others together, before points are rounded.

    Rule keys: `score.made`, `score.bait`, `score.tie`, `score.halves`, `bela.kept`.
    """
    side, made = ruleset.ring.side(deal.declarer), deal.made
    others = order_others(ruleset, side, deal.dealer)
    against = sum(made[other] for other in others)
    best = max(made[other] for other in others)
    leaders = [other for other in others if made[other] == best]
    facts: dict[str, object] = {
        "bait": Word(ruleset.book.words["bait"]),
        "declarer": SideName(side),
        "own": made[side],
        "against": against,
        "defender": [SideName(leader) for leader in leaders],
    }
    if made[side] > against:
        why = Message("{declarer} {declarer:makes|make} it, {own} to {against}.", **facts)
        return settle_won(ruleset, deal, "made", made, why, ("score.made",), [side])
    own = ruleset.retained_bela(side, deal.bela)
    scored, keys = {**made, side: own}, ("score.bait", *(("score.tie",) if made[side] == against else ()))
    match ruleset["fall_to"]:
        case "nobody":
            why = Message("{declarer}: {bait}, {own} to {against}, which nobody writes.", **facts)
        case "higher":
            for leader, share in zip(leaders, split_points(made[side] - own, len(leaders)), strict=True):
                scored[leader] += share
            why, of_halves = explain_bait(len(leaders), len(others), facts)
            keys += tuple(key for key in of_halves if key not in keys)
        case unknown:
            raise UnknownOption(unknown)
    if own:
        names = {"side": SideName(side), "bela": Word(ruleset.book.words["bela"])}
        why = Message("{what} {side} {side:keeps|keep} {bela}.", what=why, **names)
        keys += ("bela.kept",)
    return settle_won(ruleset, deal, "bait", scored, why, keys, leaders)
