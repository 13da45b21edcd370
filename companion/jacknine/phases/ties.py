"""A deal in which the declarer's side has as much as the best of the others."""

from collections.abc import Sequence

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.message import Message, SideName, Word
from companion.rules.seats import Seat, Side

from .settlement import CountedDeal, Settlement, find_dealer_among, rotate_deal


def settle_tie(ruleset: JackNineRuleset, deal: CountedDeal, leaders: Sequence[Side]) -> Settlement | None:
    """Settle a deal in which the declarer's side has as much as the best of the others, the `leaders`.

    None if that is a bait, or makes the deal.
    """
    side, made, held = ruleset.ring.side(deal.declarer), deal.made, deal.held
    facts: dict[str, object] = {
        "word": Word(ruleset.book.words["tie"]),
        "points": made[side],
        "both": sum(made.values()),
        "declarer": SideName(side),
        "defender": [SideName(leader) for leader in leaders],
    }
    keys: tuple[str, ...] = ("score.tie", "deal.next-tie")
    scored, after = {**made, side: 0}, held
    match ruleset["tie"]:
        case "hang":
            after, keys = (*held, made[side]), ("score.tie", "score.held", "deal.next-tie")
            why = Message(
                "{declarer}: {word}, {points} each; "
                "{defender} {defender:writes|write} {points}, {points} are held.",
                **facts,
            )
        case "carry":
            scored, after = ruleset.zeros(), (*held, sum(made.values()))
            keys = ("score.tie", "score.held", "deal.next-tie")
            why = Message("{declarer}: {word}, {points} each; nobody writes, {both} are held.", **facts)
        case "declarer-loses":
            why = Message("{declarer}: {word}, {points} each, and {declarer:writes|write} nothing.", **facts)
        case "defender-wins":
            keys = ("score.tie", "deal.next-tie", "end.one-deal")
            why = Message(
                "{declarer} {declarer:has|have} only as much, {points} each: {defender} {defender:wins|win}.",
                **facts,
            )
        case "bait" | "made":
            return None
        case unknown:
            raise UnknownOption(unknown)
    next_dealer = _find_dealer_after_tie(ruleset, deal, leaders)
    return Settlement("tie", scored, after, next_dealer, why, keys)


def _find_dealer_after_tie(
    ruleset: JackNineRuleset, deal: CountedDeal, leaders: Sequence[Side]
) -> Seat | None:
    """Find the dealer after a tie; None if that depends on an unknown dealer. Rule key: `deal.next-tie`."""
    match ruleset["tie_dealer"]:
        case "defender":
            return find_dealer_among(ruleset, leaders, deal)
        case "opponent-of-dealer":
            return None if deal.dealer is None else ruleset.ring.left(deal.dealer)
        case "rotation":
            return rotate_deal(ruleset, deal, "tie", leaders)
        case unknown:
            raise UnknownOption(unknown)
