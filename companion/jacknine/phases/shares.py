"""The points of a baited declarer or an offender, shared among the others."""

from collections.abc import Mapping, Sequence

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.message import Message
from companion.rules.seats import Seat, Side


def order_others(ruleset: JackNineRuleset, side: Side, dealer: Seat | None) -> Sequence[Side]:
    """List the sides beside the declarer's, in the order in which odd points go to them."""
    others = ruleset.ring.others(side)
    if len(others) == 1 or dealer is None:
        return others
    match ruleset["odd_point"]:
        case "declarer-left":
            return others
        case "elder":
            return [own for own in ruleset.ring.around(ruleset.ring.left(dealer)) if own != side]
        case unknown:
            raise UnknownOption(unknown)


def score_bait(side: Side, leaders: Sequence[Side], made: Mapping[Side, int]) -> dict[Side, int]:
    """Give a baited declarer's points to the side with most, or halve them among equals."""
    scored = {**made, side: 0}
    for leader, share in zip(leaders, split_points(made[side], len(leaders)), strict=True):
        scored[leader] += share
    return scored


def explain_bait(leaders: int, others: int, facts: Mapping[str, object]) -> tuple[Message, tuple[str, ...]]:
    """Explain who gets a baited declarer's points, by the number of others who share them."""
    if leaders > 1:
        halved = Message("{declarer}: {bait}, {own} to {against}; {defender} halve it.", **facts)
        return halved, ("score.bait", "score.halves")
    why = Message(
        "{declarer}: {bait}, {own} to {against}; {defender} {defender:writes|write} it all.", **facts
    )
    if others > 1:
        why = Message(
            "{declarer}: {bait}, {own} to {against}; {defender} {defender:writes|write} it too.", **facts
        )
    return why, ("score.bait",)


def split_points(points: int, count: int) -> list[int]:
    """Split points into equal parts, odd ones to the first."""
    return [points // count + (place < points % count) for place in range(count)]
